# hsel report: formats and messages. What the page looks like is tested in tests/report.
file mini.yaml
| name: mini
| title: A small study
| datasets:
|   - {name: one, generate: "ontology:instances=40,features=20,positives=5", seed: 1}
|   - {name: two, generate: "ontology:instances=40,features=20,positives=5", seed: 2}
|   - {name: away, path: not/there}
| selectors: [none, {label: RPV, method: rpv}]
| classifiers: [nb]
| folds: {count: 4}
| metrics: [accuracy]
$ hsel run -q mini.yaml
> mini in mini.db
>   done now              16  in ... per second, ...
>   done before            0
>   missing                1  data set
! hsel: 1 of 3 data sets is missing
= 4
$ hsel report mini.db --format csv --metric compression
> dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,pooled,pooled_sd,published,fold_se
> one,none,nb,compression,ok,1,0,,0,,,0
> one,rpv,nb,compression,ok,1,0...,,0...,,,0...
> two,none,nb,compression,ok,1,0,,0,,,0
> two,rpv,nb,compression,ok,1,0...,,0...,,,0...
> away,none,nb,compression,missing,0,,,,,,
> away,rpv,nb,compression,missing,0,,,,,,
# The points of the curves.
$ hsel report mini.db -o curves.csv && grep -c ",roc," curves.csv && head -2 curves.csv
> 204
> dataset,selector,classifier,curve,x,y,se,count
> one,none,nb,roc,0,0...,0...,4
! note: the report is in curves.csv
# The ending of the output says the format; nothing goes to standard output.
$ hsel report mini.db -o mini.txt
! note: the report is in mini.txt
$ head -21 mini.txt
> A small study
> =============
> 2 selectors with 1 classifier were compared on 2 data sets, by 4-fold cross-validation.
> 
> By Accuracy (share of instances predicted as their class) the best mean over 2 data sets is that of
> none with nb: 56.2 ± 3.7 %. Friedman's test finds no significant difference between the methods with
> nb (p = 0.5000); with so few data sets, take this with caution.
> 
> Without selection nb has 56.2 ± 3.7 %; with RPV it falls by 5.0 points. RPV keeps 10.1 % of the
> features and takes ... ms per repeat.
> 
> Study             mini
> Last result       20...
> Jobs              16 of 16 finished
> Data sets         2 of 3
> Selectors         none, RPV
> Classifiers       nb
> Cross-validation  4 folds (own), 1 repeat, seed 1
> Means and ranks   like wins, over the data sets that all methods of a table have finished
> Metrics           means over folds, in percent
> Computed by       hsel ...
# Which class is positive and how frequent, and what AUPRC is by chance.
$ hsel report -q mini.db --metric auprc --format text | grep "positive,\|By chance"
> By chance: one 50.0, two 50.0. Mean, average rank and wins are over the 2 data sets that all methods
> one       0 20, 1 20 (positive, 50.0 %)         40        20       27.12     32     12        2      0.000
> two       0 20, 1 20 (positive, 50.0 %)         40        20       28.38     32     12        2      0.000
$ hsel report -q mini.db -o mini.tex && head -1 mini.tex
> % Tables of A small study
$ hsel report -q mini.db -o page.html && head -1 page.html && ls
> <!DOCTYPE html>
> curves.csv
> mini.db
> mini.tex
> mini.txt
> mini.yaml
> page.html
# Charts for a paper: picture and data.
$ hsel report mini.db -o page.html --charts charts && ls charts
> calibration-1-1.svg
> calibration-1-1.tsv
> ...
> times.tsv
! note: the report is in page.html
# A single curve has no band.
$ (cat mini.yaml; echo "compare: {by: pooled}") >pooled.yaml && hsel run -q pooled.yaml >log 2>&1; hsel report -q mini.db -o page.html --charts pooled && sed -n 10p pooled/roc-1-1.tsv | cut -f 4,5 | cat -A
> ^I$
# Pages of hsel explore beside it are linked to.
$ mkdir pages && touch pages/two.html && hsel report -q mini.db -o page.html --explorer pages && grep -o "<a href=.pages[^<]*" page.html
> <a href="pages/two.html">Explore two
# Twice the same CSV.
$ hsel report mini.db -o a.csv -q && hsel report mini.db --format csv >b.csv && cmp a.csv b.csv
# Wrong usage.
$ hsel report mini.db --metric acuracy
! hsel: there is no metric 'acuracy'; did you mean 'accuracy'?
= 2
$ hsel report mini.db --format pdf
! hsel: option format takes auto|html|text|csv|latex|curves, not 'pdf'
= 2
$ hsel report mini.db -o page.pdf
! hsel: no report format has the ending of page.pdf: use .html, .txt, .csv or .tex, or give --format html|text|csv|latex|curves
= 2
$ hsel report -q mini.db -o page.pdf --format csv && cmp page.pdf a.csv && rm page.pdf
$ hsel report mini.db --study other
! hsel: mini.db: the store has no study 'other'
= 2
$ hsel report nothing.db
! hsel: nothing.db: cannot open: No such file or directory
= 1
$ hsel report mini.yaml
! hsel: mini.yaml: ...
= 1
$ hsel report mini.db -o no/such/folder/page.html
! hsel: no/such/folder/...
= 1
# Stability of selectors of both kinds is that of hsel eval, also on the hierarchy, and also where it was asked for later.
file genes/data.csv
| id,a,b,c,d,e,class
| 1,1,1,0,1,0,yes
| 2,1,0,1,0,0,yes
| 3,1,1,0,0,1,yes
| 4,1,1,1,1,1,yes
| 5,1,0,1,0,0,no
| 6,1,0,0,0,1,no
| 7,1,0,1,0,1,no
| 8,1,1,0,0,0,no
file genes/hierarchy.tsv
| b	a
| c	a
| d	b
file stable.yaml
| name: stable
| datasets: genes
| selectors: ["top:k=2", rpv, hip]
| classifiers: [nb]
| folds: {count: 4, repeats: 2}
$ hsel run -q stable.yaml >log && hsel report -q stable.db -o page.html && grep -o "[0-9.-]*; Kuncheva [^;]*; [^\"]*" page.html
> 0.642857; Kuncheva 0.642857, Jaccard 0.714286; 8 sets of 2.0 features
$ echo "compare: {stability: true, similarity: resnik}" >>stable.yaml && hsel run -q stable.yaml && hsel report -q stable.db -o page.html
> stable in stable.db
>   done now              16...
>   done before            8
$ grep -o "[0-9.-]*; Kuncheva [^;]*; [^\"]*" page.html
> 0.642857; Kuncheva 0.642857, Jaccard 0.714286; 8 sets of 2.0 features
> 0.879140; Kuncheva 0.899080, Jaccard 0.888393; 8 sets of 2.0 features
> 1.000000; Kuncheva 1.000000, Jaccard 1.000000; 8 sets of 3.4 features
> 0.708851; Kuncheva 0.642857, Jaccard 0.714286; 8 sets of 2.0 features
> 0.896468; Kuncheva 0.899080, Jaccard 0.888393; 8 sets of 2.0 features
> 1.000000; Kuncheva 1.000000, Jaccard 1.000000; 8 sets of 3.4 features
$ hsel eval genes --folds 4 --repeats 2 --select "top:k=2,rpv,hip" --metrics gm --stability --similarity resnik -q --csv | cut -d, -f2,10,13,14,15
> selector,nogueira,kuncheva,jaccard,hierarchy
> top:k=2,0.642857,0.642857,0.714286,0.708851
> rpv,0.879140,0.899080,0.888393,0.896468
> hip,1.000000,1.000000,1.000000,1.000000
$ sed "s/stability: true, //" stable.yaml >wrong.yaml; hsel run wrong.yaml
! hsel: wrong.yaml:6: 'similarity' requires 'stability: true'
= 2

# Two studies mean different data by one name: each report shows its own.
file bound.csv
| a,b,c,d,class
| 1,1,0,1,yes
| 0,1,0,0,no
| 1,0,1,1,yes
| 0,1,0,0,no
| 1,1,0,0,yes
| 0,0,1,0,no
| 1,0,0,0,yes
| 0,1,1,0,no
file first.yaml
| datasets: [bound.csv, {path: other.csv}]
| selectors: [none, hip]
| classifiers: [nb]
| folds: {count: 4}
| metrics: [accuracy]
$ sed 's/,yes/,x/;s/,no/,yes/;s/,x/,no/' bound.csv > other.csv
$ sed 's/bound.csv,/{path: bound.csv, prepare: min-support=3},/' first.yaml > second.yaml
$ hsel run -q first.yaml --store both.db > /dev/null && hsel report -q both.db -o one.csv && hsel run -q second.yaml --store both.db > /dev/null && hsel report -q both.db --study first --format csv | cmp - one.csv && hsel report -q both.db --format text | grep "^bound  *no" && hsel report -q both.db --study first --format text | grep "^bound  *no"
> bound     no 4, yes 4 (positive, 50.0 %)          8         3       50.00      –      –        2      0.000
> bound     no 4, yes 4 (positive, 50.0 %)          8         4       43.75      –      –        2      0.000
# A selector that does not fit the data is left out, and the run is a success; --strict says otherwise.
$ hsel report -q both.db --study first --format text | grep "^Jobs\|left out"
> Jobs              8 of 8 finished, 8 left out
> What failed or was left out
> bound     hip       nb    left out  hip needs a hierarchy, but bound has none: give hierarchy: FILE  4 of 4
> other     hip       nb    left out  hip needs a hierarchy, but other has none: give hierarchy: FILE  4 of 4
> 1 method without any finished result is left out.
$ hsel run -q first.yaml --store both.db --strict
> first in both.db
>   done now               0
>   done before            8
>   left out               8  because a method does not fit the data
! hsel: 8 of 16 jobs are left out, because a method does not fit the data
= 5
$ hsel run -q first.yaml --store both.db --strict --allow-failed
! hsel: --strict cannot be combined with --allow-failed
= 2
# The data of one set changed, those of the other are gone: what is older is said to be.
$ cp other.csv bound.csv && rm other.csv && hsel run -q first.yaml --store both.db
> first in both.db
>   done now               0
>   done before            4
>   left out               4  because a method does not fit the data
>   missing                1  data set
! hsel: 1 of 2 data sets is missing
= 4
$ hsel report -q both.db --study first --format text | grep -A3 "older"
> Results on these data sets are older: the last run of the study did not read their data, which may
> have changed: other (other.csv does not exist).
>
> What failed or was left out

# Every mean, rank and win is over the data sets that all methods have finished; three data sets carry a caution; the best of
# a sweep is no method like the others, unless the study says so; data sets that share instances are named.
$ hsel generate ontology:instances=60,features=30,positives=6 --seed 7 -q -o kin.hsel && hsel convert -q kin.hsel -o own.csv --no-hierarchy
file common.yaml
| datasets:
|   - {name: one, generate: "ontology:instances=60,features=30,positives=6", seed: 1}
|   - {name: two, generate: "ontology:instances=60,features=30,positives=6", seed: 2}
|   - {name: three, generate: "ontology:instances=60,features=30,positives=6", seed: 3}
|   - own.csv
| selectors: [none, hip, "shsel:threshold={0.9,0.99}"]
| classifiers: [nb]
| folds: {count: 3}
| metrics: [accuracy]
| best-of: {selector: shsel}
$ hsel run -q common.yaml > /dev/null && hsel report -q common.db --format text | sed -n '/^Accuracy with/,/^Compression/p'
> Accuracy with nb, in percent
> data set       none    hip  shsel:threshold={0.9,0.99} (best)
> one            48.3  *51.7                               58.3
> two           *70.0  *70.0                               70.0
> three          48.3  *50.0                               50.0
> own           *41.7      –                                  –
> mean           55.6  *57.2                               59.4
> average rank   1.83  *1.17                                  –
> wins              1      3                                  –
> Mean, average rank and wins are over the 3 data sets that all methods have finished. (best): for
> each data set the setting that is best on the test folds, which is an upper bound, so it is excluded
> from best values, ranks, wins and tests.
>
> hip has the best mean rank (1.17) over 3 data sets; 1 more lacks a result of some method and is not
> counted. Friedman's test does not reject that all methods perform alike (exact p = 0.5000): what
> follows may be chance. By Nemenyi's test (critical difference 1.13) no two methods differ
> significantly. Caution: 3 data sets are few for these tests (about 10 are needed).
>
> Compression against Accuracy
$ hsel report -q common.db -o page.html && python3 -c "import re; t = re.sub(r'<[^>]*>', ' ', open('page.html').read()); print(re.findall(r'The mean is over[^.]*[.]', t))"
> ['The mean is over the 3 data sets that all methods have finished; ± is its standard error.']
$ sed 's/best-of/compare: {tuned: true}\n&/' common.yaml > tuned.yaml; hsel run -q tuned.yaml --store common.db > /dev/null && hsel report -q common.db --format text | grep "^average rank\|lets it"
> average rank   2.67   1.83                              *1.50
file pa.csv
| id,a,b,class
| p1,1,0,x
| p2,0,1,y
| p3,1,1,x
| p4,0,0,y
$ sed s/p4,0/p9,1/ pa.csv > pb.csv
file shared.yaml
| datasets: [pa.csv, pb.csv]
| selectors: none
| classifiers: nb
| folds: {count: 2}
$ hsel run -q shared.yaml > /dev/null && hsel report -q shared.db --format text | grep -A1 "share instances"
> Caution: tests assume independent data sets, but 1 pair of them share instances, most pa and pb (3
> of 4).

# How data are prepared.
file prepared.yaml
| name: prepared
| datasets:
|   - {name: roots, path: small.csv, hierarchy: small.tsv}
|   - {name: fewer, path: small.csv, hierarchy: small.tsv, prepare: [drop-roots, min-support=2]}
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
| metrics: [accuracy]
$ printf 'a,b,c,class\n1,1,1,x\n1,1,0,x\n1,0,1,y\n1,0,0,y\n' > small.csv; printf 'b\ta\nc\ta\n' > small.tsv; hsel run -q prepared.yaml >run.txt && hsel report prepared.db --format text | grep -A1 Preparation:
> depth are those of the hierarchy. Imbalance is 1 − smallest class / largest class. Preparation:
> fewer (min-support=2, drop-roots=true).
