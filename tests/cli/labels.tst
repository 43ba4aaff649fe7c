# Instances without class, several classes of the same instances, and data made like a model.

file tree.obo
| format-version: 1.2
|
| [Term]
| id: GO:1
|
| [Term]
| id: GO:2
| is_a: GO:1
|
| [Term]
| id: GO:3
| is_a: GO:2
|
| [Term]
| id: GO:5
| is_a: GO:1

file genes.tsv
| g1	GO:3
| g2	GO:5
| g3	GO:2
| g4	GO:5
| g5	GO:3
| g6	GO:5
| g7	GO:1
| g8	GO:3

file labels.tsv
| gene	age	sex	size
| g1	old	?	1
| g2	young	f	2
| g3	old	m	
| g4	young	f	2
| g5	?	m	1
| g6		m	1

file list.txt
| g7
| g8

$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --class age,sex --labels list.txt --min-support 2 -o age/
> hierarchy: tree.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              4
>   terms used (as chosen)                             4
>   edges between them                                 3
> annotations: genes.tsv (pairs)
>   read                                               8
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   used                                               8
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: labels.tsv
>   annotated                                          8
>   annotated, but without label                       0
>   labelled                                           4
>   without class, to be predicted                     4
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   0
> values
>   positive as annotated                              8
>   added by propagation                              10
> features
>   terms that are positive somewhere                  4
>   left out: support too low                          0
> result
>   instances                                          8
>   features                                           4
>   edges                                              3
>   classes                                            2
>   positive values                                   18
! note: age: the class is age; --class chooses another: sex
! note: age: the positive class is young, the second of two of the same size, 2 of 4 instances (50.0 %); --positive CLASS changes it
# The class in use is the first; what has none is there, and rare terms are counted among those that have one.
$ hsel convert -q age/ -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:5,class:sex,age
> g1,1,1,1,0,NA,old
> g2,1,0,0,1,f,young
> g3,1,1,0,0,m,old
> g4,1,0,0,1,f,young
> g5,1,1,1,0,m,NA
> g6,1,0,0,1,m,NA
> g7,1,0,0,0,NA,NA
> g8,1,1,1,0,NA,NA
$ hsel info age/
> age
>   instances              8
>   features               4
>   positive values        18 (56.25 %)
>   feature support        3 to 8 instances
>   constant features      1, positive everywhere
>   classes                2
>     old                  2 (50.0 %)
>     young                2 (50.0 %), positive: named by the data
>   without class          4
>   other columns          sex
> provenance
>   hierarchy              tree.obo, 121 bytes, xxh3 554d64595e4f036e
>   annotations            genes.tsv, 64 bytes, xxh3 74d64168a724ec59
>   labels                 labels.tsv, 82 bytes, xxh3 834c0b3e17c781a9
>   labels                 list.txt, 6 bytes, xxh3 3db4134d8f4e437f
>   relations              is_a
>   build                  --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --class age,sex --labels list.txt --min-support 2 --output age/
> hierarchy
>   edges                  3
>   ancestors in total     4
>   depth                  2
>   roots                  1
>   leaves                 2
>   isolated               0
>   most parents           1
>   most children          2
>   root-leaf paths        2
> dependency edges
>   aode                   28
>   hie-aode               24
>   hie-aode-lite          20
! note: age: the class is age; --class chooses another: sex
# Without them everything is the same but for the notes.
$ head -5 labels.tsv > known.tsv
$ hsel build -q --hierarchy tree.obo --annotations genes.tsv --labels known.tsv --class age --min-support 2 -o known/
$ hsel build -q --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv,list.txt --class age --min-support 2 -o one/
$ hsel rank known/ --by ig --csv
> feature,ig,rank
> GO:2,1,1
> GO:5,1,2
> GO:1,0,3
! note: known: the positive class is young, 2 of 4 instances (50.0 %)
$ hsel rank one/ --by ig --csv
> feature,ig,rank
> GO:2,1,1
> GO:5,1,2
> GO:1,0,3
! note: one: 4 of 8 instances have no class and are left out
! note: one: the positive class is young, 2 of 4 instances (50.0 %)
$ hsel eval known/ --folds 2 -q --metrics gm --csv | cut -d, -f4
> gm
> 100.000000
$ hsel eval one/ --folds 2 --metrics gm --csv | cut -d, -f4
> gm
> 100.000000
! note: one: 4 of 8 instances have no class and are left out
! note: one: the positive class is young, 2 of 4 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ hsel select one/ --select top:k=1
> GO:2
! note: one: 4 of 8 instances have no class and are left out
! note: one: the positive class is young, 2 of 4 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: 1 of 3 features selected
$ hsel train one/ -o age.model
! note: one: 4 of 8 instances have no class and are left out
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: trained on 4 instances and 3 features; hsel predict uses the model
# Predictions for those without class, and only for them.
$ hsel predict age.model one/ --unlabelled
> instance	predicted	P(old)	P(young)	selected
> g5	old	0.8999999999999999	0.09999999999999998	3
> g6	young	0.09999999999999998	0.8999999999999999	3
> g7	old	0.5	0.5	3
> g8	old	0.8999999999999999	0.09999999999999998	3
! note: 4 of 8 instances have no class
$ hsel predict age.model known/ --unlabelled
> instance	predicted	P(old)	P(young)	selected
! note: 0 of 4 instances have no class
# Another class, from every kind of file that holds several.
$ hsel info age/ --class sex | grep -A3 classes
>   classes                2
>     f                    2 (40.0 %), positive: the smaller class; --positive CLASS changes it
>     m                    3 (60.0 %)
>   without class          3
$ hsel convert -q age/ --class sex --positive f -o sex.arff
$ hsel info -q sex.arff | grep -A3 classes
>   classes                2
>     f                    2 (40.0 %), positive: named by the data
>     m                    3 (60.0 %)
>   without class          3
$ hsel info -q sex.arff --class age | grep -A3 classes
>   classes                2
>     old                  2 (50.0 %)
>     young                2 (50.0 %), positive: the second of two of the same size; --positive CLASS changes it
>   without class          4
$ hsel convert -q sex.arff -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:5,class:age,sex
> g1,1,1,1,0,old,NA
> g2,1,0,0,1,young,f
> g3,1,1,0,0,old,m
> g4,1,0,0,1,young,f
> g5,1,1,1,0,NA,m
> g6,1,0,0,1,NA,m
> g7,1,0,0,0,NA,NA
> g8,1,1,1,0,NA,NA
$ hsel convert sex.arff -o sex.mtx
! note: sex.mtx has one class, sex: the other classes of the data set are not written
$ hsel info age/ --class siz
! hsel: there is no class siz; the data set has age, sex
= 2
$ hsel info age/ --class sex --positive old
! hsel: there is no class 'old' to use as the positive class (classes: ...)
= 2
# A folder may have them in its table of instances.
$ mkdir plain
file plain/data.csv
| id,x,y,age
| a,1,0,old
| b,0,1,young
file plain/instances.tsv
| id	class:sex
| a	f
| b	
$ hsel convert plain -q --class sex -o - --to csv
> id,x,y,class:age,sex
> a,1,0,old,f
> b,0,1,young,NA
$ hsel convert plain -q --class size -o - --to csv
! hsel: there is no class size; the data set has age, sex
= 2
# Several classes need names; a file of the same column name goes on with it.
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --class all --label-header no -o no.hsel
! hsel: labels.tsv: several columns of classes need a header with their names
= 2
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels list.txt -q -o list.csv
! hsel: no term is positive in 3 instances or more
= 1
# The same features for other genes: train today, annotate and predict tomorrow.
file tomorrow.obo
| format-version: 1.2
|
| [Term]
| id: GO:1
|
| [Term]
| id: GO:20
| alt_id: GO:2
| is_a: GO:1
|
| [Term]
| id: GO:3
| is_a: GO:20
|
| [Term]
| id: GO:6
| is_a: GO:1
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels list.txt --like age.model -o today.csv
> hierarchy: tree.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              4
>   terms used (as chosen)                             4
>   edges between them                                 3
> annotations: genes.tsv (pairs)
>   read                                               8
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   left out: object without label                     6
>   used                                               2
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: list.txt
>   annotated                                          8
>   annotated, but without label                       6  (g1, g2, g3, g4, g5, …)
>   labelled                                           0
>   without class, to be predicted                     2
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   0
> values
>   positive as annotated                              2
>   added by propagation                               2
> features
>   terms that are positive somewhere                  3
>   left out: support too low                          0
>   left out: not a feature of the model               1  (GO:3)
>   of the model, but positive nowhere                 1  (GO:5)
> result
>   instances                                          2
>   features                                           3
>   edges                                              2
>   classes                                            2
>   positive values                                    3
! note: today.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ hsel predict age.model today.csv
> instance	predicted	P(old)	P(young)	selected
> g7	old	0.5	0.5	3
> g8	old	0.8999999999999999	0.09999999999999998	3
$ hsel predict -q age.model one/ --unlabelled | tail -2
> g7	old	0.5	0.5	3
> g8	old	0.8999999999999999	0.09999999999999998	3
$ hsel build -q --hierarchy tree.obo --annotations genes.tsv --labels known.tsv --class age --like known/ -o again.csv
$ hsel convert -q known/ -o - --to csv | cmp - again.csv
file new.tsv
| n1	GO:3
| n2	GO:6
$ hsel build --hierarchy tomorrow.obo --annotations new.tsv --like age.model -o new.csv
> hierarchy: tomorrow.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              4
>   terms used (as chosen)                             4
>   edges between them                                 3
> annotations: new.tsv (pairs)
>   read                                               2
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   used                                               2
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects
>   annotated                                          2
>   annotated, but without label                       0
>   labelled                                           0
>   without class, to be predicted                     2
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   0
> values
>   positive as annotated                              2
>   added by propagation                               3
> features
>   terms that are positive somewhere                  4
>   left out: support too low                          0
>   left out: not a feature of the model               2  (GO:3, GO:6)
>   of the model, but not in the hierarchy             1  (GO:5)
> result
>   instances                                          2
>   features                                           3
>   edges                                              2
>   classes                                            2
>   positive values                                    3
! note: new.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ hsel predict age.model new.csv
> instance	predicted	P(old)	P(young)	selected
> n1	old	0.8999999999999999	0.09999999999999998	3
> n2	old	0.5	0.5	3
$ hsel build -q --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --class size --like age.model --json -o other.csv | grep -A8 class_not_there
>     "class_not_there": {
>       "count": 5,
>       "examples": [
>         "g1",
>         "g2",
>         "g4",
>         "g5",
>         "g6"
>       ]
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels list.txt --like age.model --min-support 1 -o no.csv
! hsel: --min-support cannot be combined with --like: features and classes are those of the model or data set
= 2
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels list.txt --like nowhere.model -o no.csv
! hsel: nowhere.model: cannot open: No such file or directory
= 1
# A study over all classes.
file study.yaml
| name: ages
| datasets: [{path: age, labels: all}]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
file bad.yaml
| datasets: [{path: age, labels: [sex, height], prepare: class=age}]
| selectors: [none]
| classifiers: [nb]
$ hsel run study.yaml --store ages.db --progress none
> ages in ages.db
>   done now               4  in ...
>   done before            0
! note: age/age: 4 of 8 instances have no class and are left out
! note: age/sex: 3 of 8 instances have no class and are left out
! note: nb: 4 of 4 fits had too few instances of a class to calibrate probabilities
$ hsel run bad.yaml --store no.db
! hsel: bad.yaml:1: 'class' and 'labels' contradict each other
= 2
$ hsel run study.yaml --store ages.db --progress none
> ages in ages.db
>   done now               0
>   done before            4
! note: age/age: 4 of 8 instances have no class and are left out
! note: age/sex: 3 of 8 instances have no class and are left out
# Also where the data are not at hand: the store knows the classes.
$ mkdir away && cp ages.db away && cd away && hsel report -q ages.db --format csv | cut -d, -f1-3 | sort -u
> age/age,none,nb
> age/sex,none,nb
> dataset,selector,classifier

# Thousands of columns of classes; two of one name are still found.
$ awk 'BEGIN { printf "id"; for (i = 0; i < 20000; i++) printf ",c%d", i; print ""; for (g = 0; g < 4; g++) { printf "g%d", g; for (i = 0; i < 20000; i++) printf ",%d", (i + g) % 2; print "" } }' > wide.csv
$ printf 'a\tb\nc\tb\n' > wide.tsv; printf 'g0\ta\ng1\ta\ng2\tc\ng3\tc\n' > pairs.tsv
$ hsel build -q --hierarchy wide.tsv --annotations pairs.tsv --labels wide.csv --class all --min-support 1 -o wide.hsel; hsel info -q wide.hsel --class c19999 | grep -A 2 '^  classes'
>   classes                2
>     0                    2 (50.0 %)
>     1                    2 (50.0 %), positive: its name says so
$ hsel rank wide.hsel 2>&1 >/dev/null | grep another | sed "s/: c1,.*c63/: c1 … c63/"
> note: wide: the class is c0; --class chooses another: c1 … c63 and 19936 more
$ sed 's/c19999/c7/' wide.csv > twice.csv; hsel build -q --hierarchy wide.tsv --annotations pairs.tsv --labels twice.csv --class all --min-support 1 -o twice.hsel
! hsel: twice.csv:1: two columns are called c7
= 1
