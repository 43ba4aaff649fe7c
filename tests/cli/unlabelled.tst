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
! note: knn:k=1 learns unlabelled instances as negatives
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 3 features; hsel predict uses the model
$ hsel eval -q p.hsel --folds 2 --json | grep positive_class
>     "positive_class": "pro",
