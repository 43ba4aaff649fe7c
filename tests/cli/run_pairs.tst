# hsel run: pairs that do not go together, reasons that repeat, files that methods name.

file pairs.yaml
| datasets:
|   - {name: one, generate: "ontology:instances=40,features=30,positives=6", seed: 1}
|   - {name: two, generate: "ontology:instances=40,features=30,positives=6", seed: 2}
| selectors: [none, hip, {label: R, method: rpv}, "top:k={5,10}"]
| classifiers: [nb, svm, forest]
| folds: {count: 2}
$ hsel run pairs.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> one         22     0       0         0     22
> two         22     0       0         0     22
> all         44     0       0         0     44
! note: 4 of 15 pairs are left out, because they cannot be combined: hip, R with svm, forest (hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel)
$ hsel run pairs.yaml --threads 2
> pairs in pairs.db
>   done now              44  in ... per second, ...
>   done before            0
! note: 4 of 15 pairs are left out, ...
$ hsel run pairs.yaml -q
> pairs in pairs.db
>   done now               0
>   done before           44
$ for i in 1 2 3; do hsel run pairs.yaml -q --part $i/3 >part.txt || echo "exit $?"; done
$ hsel run pairs.yaml -q --store gathered.db --gather pairs.parts --export gathered.csv | tail -2
>   done now               0
>   done before           44
$ hsel run pairs.yaml -q --export pairs.csv >out.txt
$ cmp pairs.csv gathered.csv
$ hsel report pairs.db --format text -o - | grep -e Jobs -e 'Left out' -e 'What failed'
> Jobs              44 of 44 finished
> Left out          hip, R with svm, forest: they cannot be combined
$ hsel report pairs.db -o report.csv
! note: the report is in report.csv
$ grep gm report.csv | grep -c 'left out'
> 8

# None is left.
file none.yaml
| datasets: [{generate: "ontology:instances=40,features=30,positives=6"}]
| selectors: hip
| classifiers: svm
$ hsel run none.yaml
! hsel: none.yaml: no selector can be combined with a classifier of the study: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
= 1
$ test -e none.db
= 1

# A reason is told once, whatever data sets it comes from.
file flat.csv
| a,b,class
| 1,0,yes
| 0,1,no
| 1,1,yes
| 0,0,no
$ sed s/a,b/c,d/ flat.csv >even.csv
file flat.yaml
| datasets: [{path: flat.csv}, {path: even.csv}]
| selectors: [none, rpv]
| classifiers: nb
| folds: {count: 2}
$ hsel run flat.yaml --threads 1 2>&1 || echo "exit $?"
> note: nb: 4 of 4 fits had too few instances of a class to calibrate probabilities
> flat in flat.db
>   done now               4  in ... per second, ...
>   done before            0
>   left out               4  because a method does not fit the data
>     flat, rpv: rpv needs a hierarchy, but flat has none: give hierarchy: FILE (4 jobs, on this and other data sets)

# Files are known by their content, and may be gone for a report.
file groups.tsv
| 1	a
| 1	b
file grouped.yaml
| datasets: [{path: flat.csv}]
| selectors: none
| classifiers: [nb, "proximal-graph:groups=groups.tsv,lambda=0.01"]
| folds: {count: 2}
| auto: {inner-folds: 2}
$ hsel run grouped.yaml | tail -2
>   done now               6  in ...
>   done before            0
! note: nb: 4 of 4 fits had too few instances of a class to calibrate probabilities
! note: proximal-graph: 2 of 2 fits had too few instances of a class to calibrate probabilities
$ hsel run grouped.yaml | tail -2
>   done now               0
>   done before            6
$ mv groups.tsv kept.tsv
$ hsel report grouped.db --format text -o - | grep Jobs
> Jobs              6 of 6 finished
$ hsel run grouped.yaml
! hsel: groups.tsv: cannot open: No such file or directory
= 1
$ sed 's/^1.b/2	b/' kept.tsv >groups.tsv
$ hsel run grouped.yaml | tail -2
>   done now               4  in ...
>   done before            2
! note: nb: 2 of 2 fits had too few instances of a class to calibrate probabilities
! note: proximal-graph: 2 of 2 fits had too few instances of a class to calibrate probabilities
$ cp kept.tsv groups.tsv
$ hsel run grouped.yaml | tail -2
>   done now               0
>   done before            6
$ hsel run grouped.yaml --export groups.tsv
! hsel: ...groups.tsv...
= 2
$ hsel train flat.csv --classify proximal-graph:groups=groups.tsv -o groups.tsv
! hsel: ...groups.tsv...
= 2
$ cmp kept.tsv groups.tsv

# So are strata, which some selectors look at.
file strata.tsv
| id	batch
| g1	x
| g2	x
| g3	y
| g4	y
| g5	x
| g6	x
| g7	y
| g8	y
file ids.csv
| id,a,b,class
| g1,1,0,yes
| g2,0,1,no
| g3,1,1,yes
| g4,0,0,no
| g5,1,0,yes
| g6,0,1,no
| g7,1,1,yes
| g8,0,0,no
file strata.yaml
| datasets: [{path: ids.csv, prepare: "strata=strata.tsv"}]
| selectors: none
| classifiers: nb
| folds: {count: 2}
$ hsel run strata.yaml | tail -2
>   done now               2  in ...
>   done before            0
! note: nb: 2 of 2 fits had too few instances of a class to calibrate probabilities
$ sed -i 's/^g1.x/g1	y/' strata.tsv
$ hsel run strata.yaml | tail -2
>   done now               2  in ...
>   done before            0
! note: nb: 2 of 2 fits had too few instances of a class to calibrate probabilities

# Numbers that nobody called classes are refused; published figures that are missing or fit nothing are told.
$ (echo a,b,age; i=0; while [ $i -lt 24 ]; do echo $((i % 2)),1,$((20 + i / 2)).5; i=$((i + 1)); done) > ages.csv
file ages.yaml
| datasets: [ages.csv]
| selectors: none
| classifiers: nb
| folds: {count: 2}
| published: {file: nowhere.csv}
$ hsel run ages.yaml; echo "exit $?"
> ages in ages.db
>   done now               0
>   done before            0
>   unreadable             1  data set
> exit 1
! note: the published figures are missing: nowhere.csv: cannot open: No such file or directory
! note: ages is left out: ages.csv: the classes are 12 numbers: 'target: age' predicts the number, 'prepare: class=age' takes them as classes
! hsel: 1 of the data sets could not be read; see the notes
$ sed 's/\[ages.csv\]/[{path: ages.csv, prepare: class=age}]/' ages.yaml > classes.yaml; hsel run classes.yaml -q | head -1
> classes in classes.db
$ printf 'paper,table,dataset,selector,classifier,metric,percent\nx,t,other,none,nb,gm,50\n' > nowhere.csv; hsel run classes.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> ages         2     2       0         0      0
> all          2     2       0         0      0
! note: no published figure in nowhere.csv fits a data set, selector, classifier and metric of the study: check 'map'
