# Positives and unlabelled instances: --pu, in every format, and a class that is called unlabelled.

file genes.csv
| id,a,b,c,class
| g1,1,0,1,pro
| g2,1,1,1,pro
| g3,1,0,0,pro
| g4,0,1,0,anti
| g5,0,1,1,anti
| g6,0,1,0,anti
| g7,0,0,0,anti
| g8,1,1,1,?

$ hsel info genes.csv --pu | grep -A2 classes
>   classes                2
>     pro                  3 (37.5 %), positive: its name says so
>     unlabelled           5 (62.5 %)
$ hsel info genes.csv --pu --positive anti | grep -A2 classes
>   classes                2
>     anti                 4 (50.0 %), positive: named by the data
>     unlabelled           4 (50.0 %)
# Kept by every format, also where the positive class has no name of its own.
$ for f in p.hsel f/ a.arff s.svm c.csv t.tsv m.mtx; do hsel convert -q genes.csv --pu -o $f; hsel info $f | grep '%), p'; done
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: its name says so
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: its name says so
>     pro                  3 (37.5 %), positive: its name says so
>     pro                  3 (37.5 %), positive: its name says so
# Again; and without classes left to make.
$ hsel convert -q p.hsel --pu -o q.hsel && hsel info q.hsel | grep -c unlabelled
> 1
$ for f in p.hsel f/ a.arff s.svm m.mtx; do hsel info $f --pu | grep '%), p'; done
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: its name says so
>     pro                  3 (37.5 %), positive: named by the data
>     pro                  3 (37.5 %), positive: its name says so

file three.csv
| a,class
| 1,x
| 0,y
| 1,z

file labels.csv
| id,a,class
| g1,1,pro
| g2,0,
| g3,1,

file numbers.csv
| a,age
| 1,3
| 0,4

$ hsel info three.csv --pu
! hsel: three.csv: --pu needs the positive class, because there are 3 classes: give --positive LABEL
= 2
$ hsel info three.csv --pu --positive z | grep -A2 classes
>   classes                2
>     unlabelled           2 (66.7 %)
>     z                    1 (33.3 %), positive: named by the data
$ hsel info labels.csv --pu | grep -A2 classes
>   classes                2
>     pro                  1 (33.3 %), positive: its name says so
>     unlabelled           2 (66.7 %)
$ hsel info numbers.csv --target age --pu
! hsel: --target and --pu cannot be combined: predict either a number or a class
= 2
$ hsel info numbers.csv --no-class --pu
! hsel: --pu and --no-class contradict each other
= 2
$ hsel info p.hsel --pu --positive unlabelled
! hsel: p.hsel: with --pu the positive class cannot be unlabelled
= 2
$ hsel train p.hsel -q -o m.model
$ hsel predict m.model genes.csv --pu
! hsel: --pu cannot be combined with MODEL: the classes are those of the model
= 2
# A classifier of classes says what it learns.
$ hsel train p.hsel --classify knn:k=1 -o m.model
! note: knn:k=1 learns unlabelled instances as negatives; pu:base=knn does not
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 3 features; hsel predict uses the model
$ hsel eval -q p.hsel --folds 2 --json | grep positive_class
>     "positive_class": "pro",
# Metrics without negatives follow the table, whose metrics take unlabelled instances for negatives.
$ awk 'BEGIN { print "a,b,c,class"; for (i = 1; i <= 80; i++) print ((i % 4 == 0 && i % 12) || i % 7 == 0) "," i % 2 "," (i % 5 == 0) "," (i % 4 ? "unlabelled" : "pro") }' >g.csv
$ hsel eval g.csv --folds 4 --repeats 2 | sed '2s/ *[^ ]*$//'
> data set  selector  classifier         AUROC         AUPRC  selected %  seconds
> g         none      nb            92.2 ± 0.4    75.2 ± 0.2      100.00
>
> g, none with nb, first repeat: 20 labelled instances, hidden in turn among 60 unlabelled ones
>                                                   %  95 % interval
> positives among the unlabelled, at most         7.1    [2.1, 42.6]
> AUROC against the unlabelled                   89.7   [80.4, 95.8]
> AUROC, corrected for these positives, at most  92.8  [86.1, 100.0]
> … for the ends of their interval                     [90.5, 100.0]
> median percentile of a hidden positive         95.0  [84.9, 100.0]
>
> the instances with the highest scores
> top       labelled  precision %, at most         bounds  recall %         bounds  enrichment  95 % interval  Lee-Liu  recovered %
> 10             7.0                  85.0  [70.0, 100.0]      35.0   [15.4, 43.5]        2.80     [1.6, 4.0]     0.98         75.0
> 20            14.7                  89.0  [73.3, 100.0]      73.3   [32.2, 78.9]        2.93     [2.0, 3.6]     2.15         97.0
> 50            20.0                  48.6   [40.0, 91.1]     100.0  [43.9, 100.0]        1.60     [1.6, 1.6]     1.60        100.0
> 1 (1 %)        0.0                   0.0   [0.0, 100.0]       0.0     [0.0, 4.8]        0.00     [0.0, 4.0]     0.00          0.0
> 4 (5 %)        2.4                  72.9  [60.0, 100.0]      12.0    [5.3, 18.5]        2.40     [0.0, 4.0]     0.29         22.5
> 8 (10 %)       5.0                  75.9  [62.5, 100.0]      25.0   [11.0, 34.8]        2.50     [1.2, 4.0]     0.62         73.3
>
! note: g: the positive class is pro, 20 of 80 instances (25.0 %); by chance AUPRC is 25.0
! note: g: the metrics of the table take unlabelled instances for negatives; those below it do not
! note: nb learns unlabelled instances as negatives; pu:base=nb does not
$ hsel eval -q g.csv --folds 4 --csv --metrics gm | cut -d, -f1-3
> dataset,selector,classifier
> g,none,nb
$ hsel eval g.csv --folds 4 --csv 2>&1 >t.csv | grep negatives
> note: g: the metrics of the table take unlabelled instances for negatives; without --csv there are metrics that do not
> note: nb learns unlabelled instances as negatives; pu:base=nb does not
$ hsel eval -q g.csv --folds 4 --json | grep -c '"median_percentile"\|"negatives": "unlabelled instances"'
> 2
$ hsel eval -q g.csv g.csv --select none --select rpv --folds 4 --metrics auroc | grep -c 'hidden in turn'
> 2
# A report says what its metrics mean.
file study.yaml
| name: study
| datasets: [{path: genes.csv, name: genes, prepare: {pu: true, positive: pro}}]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
$ hsel run -q study.yaml >run.txt; hsel report -q study.db --format text | grep -A1 unlabelled
> genes     pro 3 (positive, 37.5 %), unlabelled 5          8         3       54.17      –      –        2      0.400
> Positive: share of positive values among all features (numeric: values that are not 0). Edges and
> --
> Metrics take unlabelled instances for negatives: positives among them count as errors (genes).
>
