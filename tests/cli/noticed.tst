# What is easily got wrong without noticing: it is said, or refused.

file data.csv
| id,a,b,c,d,e,class
| x1,1,1,0,0,0,yes
| x2,1,0,1,0,0,no
| x3,1,0,0,1,0,yes
| x4,1,0,0,0,1,no

file up.tsv
| b	a
| c	a
| d	a
| e	a

file down.tsv
| a	b
| a	c
| a	d
| a	e

# Edges in the wrong direction: more roots than leaves, and data that break the rule.
$ hsel info data.csv --hierarchy up.tsv | grep roots
>   roots                  1
$ hsel info data.csv --hierarchy down.tsv | grep roots
>   roots                  4
! note: the hierarchy has more roots (4) than leaves (1): are its edges reversed? --direction parent-child reads them the other way round
! note: the true-path rule is violated 12 times (4 instances, 4 edges), first in instance 1 (x1): a is positive, its parent c is not; --propagate repairs it
$ hsel info data.csv --hierarchy down.tsv --direction parent-child | grep roots
>   roots                  1
$ hsel info data.csv --hierarchy down.tsv --propagate | grep 'positive values'
>   positive values        20 (100.00 %)
! note: 12 values were made positive by propagation
! note: the hierarchy has more roots (4) than leaves (1): are its edges reversed? --direction parent-child reads them the other way round
! note: propagation made 100.0 % of all values positive, 40.0 % were before: are the edges of the hierarchy reversed?
# Propagation without an effect: nothing is above a feature, or all is positive already.
$ printf 'b,c,class\n1,0,yes\n0,1,no\n' > leaves.csv; for d in leaves.csv data.csv; do hsel info $d --hierarchy up.tsv --propagate 2>&1 | grep propagation; done
> note: propagation has no effect: no feature is above another, and terms that are not features stay out; hsel build --annotations makes features of them
> note: propagation changed nothing: all ancestors of positive features are already positive
$ hsel convert down.tsv -o - --to edges
> a	b
> a	c
> a	d
> a	e
! note: the hierarchy has more roots (4) than leaves (1): are its edges reversed? --direction parent-child reads them the other way round
# An ontology says which is which.
$ hsel convert -q up.tsv -o up.obo && hsel info data.csv --hierarchy up.obo --direction parent-child
! hsel: up.obo: --direction is for edge lists, and the format is obo
= 2

file pairs.tsv
| g1	a
| g2	b
| g3	c

file labels.tsv
| g1	yes
| g2	no
| g3	yes
| g1	yes

$ hsel build --hierarchy down.tsv --annotations pairs.tsv --labels labels.tsv --min-support 1 -q -o ok.hsel
$ hsel build --hierarchy down.tsv --annotations pairs.tsv --labels labels.tsv --min-support 1 -o built.hsel | grep 'terms that are positive'
>   terms that are positive somewhere                  5
! note: the hierarchy has more roots (4) than leaves (1): are its edges reversed? --direction parent-child reads them the other way round
! note: built: the positive class is yes, 2 of 3 instances (66.7 %)

# A hierarchy over other names.
file strange.tsv
| GO:1	GO:2
| GO:3	GO:2
$ hsel info data.csv --hierarchy strange.tsv | grep isolated
>   isolated               5
! note: 3 terms of the hierarchy are not features: their children are connected with their parents
! note: 5 features are not in the hierarchy and have no parents or children, e.g. a
! note: hardly any feature is a term of the hierarchy: is it the right one, and are names written in the same way in both?

# Options that contradict each other, and empty ones.
$ hsel info data.csv --hierarchy up.tsv --no-hierarchy
! hsel: --hierarchy and --no-hierarchy contradict each other
= 2
$ hsel info data.csv --class a --no-class
! hsel: --class and --no-class contradict each other
= 2
$ hsel eval data.csv --select ''
! hsel: option select takes METHOD, not ''
= 2
$ hsel eval data.csv --classify=
! hsel: option classify takes METHOD, not ''
= 2
$ hsel eval data.csv --metrics ,
! hsel: option metrics takes NAME,…, not ','
= 2
$ hsel train data.csv --select '' -o m.model
! hsel: option select takes METHOD, not ''
= 2

# The model has its own features, classes and hierarchy.
$ hsel train -q data.csv --hierarchy up.tsv --select hip -o m.model
$ hsel predict m.model data.csv --min-support 3
! hsel: --min-support cannot be combined with MODEL: the features are those of the model
= 2
$ hsel predict m.model data.csv --hierarchy down.tsv
! hsel: --hierarchy requires --drop-roots: the hierarchy is otherwise that of the model
= 2
$ hsel explain data.csv --model m.model --instance x1 --positive no
! hsel: --positive cannot be combined with --model: the classes are those of the model
= 2

$ hsel train -q data.csv --classify tree -o t.model && hsel explain --model t.model --ignore a
! hsel: --ignore requires DATA
= 2

# A name that matches nothing, with the nearest there is; a class of its own that a pack has not.
$ hsel convert -q data.csv --hierarchy up.tsv -o data.hsel
$ hsel convert -q data.csv -o data.svm
$ hsel info data.hsel --ignore aa
! hsel: data.hsel: there is no column aa; did you mean a?
= 2
$ hsel info data.svm --ignore nothing
! hsel: data.svm: there is no column nothing
= 2
$ hsel convert -q data.hsel --ignore a,e -o - --to csv
> id,b,c,d,class
> x1,1,0,0,yes
> x2,0,1,0,no
> x3,0,0,1,yes
> x4,0,0,0,no
$ hsel info data.hsel --class a
! hsel: data.hsel: the format pack has no columns to choose the class from (--class a was given)
= 2
$ hsel info -q data.hsel --class class --id id | head -1
> data
$ hsel info data.svm --missing negative
! hsel: data.svm: the format svmlight has no missing values of binary features (--missing negative was given)
= 2
$ hsel info data.hsel --relations part_of
! hsel: data.hsel: --relations is for a hierarchy file, but none is read: give --hierarchy FILE
= 2
$ hsel info up.obo --positive yes
! hsel: up.obo: the format obo has no classes (--positive yes was given)
= 2
$ hsel convert up.obo --propagate -o x.obo
! hsel: option propagate needs instances, but there are none
= 2

# OBO keeps names and relations; formats that cannot say what they lose.
file go.obo
| format-version: 1.2
|
| [Term]
| id: GO:1
| name: everything
| namespace: process
|
| [Term]
| id: GO:2
| name: a part {of it}
| is_a: GO:1
|
| [Term]
| id: GO:3
| name: a part of a part
| relationship: part_of GO:2 ! a part
$ hsel convert go.obo --relations is_a,part_of -o - --to obo
> format-version: 1.2
> 
> [Term]
> id: GO:1
> name: everything
> namespace: process
> 
> [Term]
> id: GO:2
> name: a part
> is_a: GO:1
> 
> [Term]
> id: GO:3
> name: a part of a part
> relationship: part_of GO:2
> 
> [Typedef]
> id: part_of
$ hsel convert go.obo --relations is_a,part_of -o 1.obo && hsel convert 1.obo --relations is_a,part_of -o 2.obo && cmp 1.obo 2.obo
$ hsel convert go.obo --relations is_a,part_of -o go.edges
! note: names of terms are not written: the format edges cannot hold them, but obo can
$ hsel convert go.obo --relations is_a,part_of -o go.hsel && hsel convert go.hsel -o 3.obo && cmp 1.obo 3.obo
$ hsel convert -q go.obo --relations is_a,part_of -o go.nt
$ hsel convert go.obo --relations is_a,part_of -o go.csv --to ancestors
! note: names and relations of terms are not written: the format ancestors cannot hold them, but obo can
$ hsel convert go.nt -o - --to obo | grep -c is_a
> 2
$ hsel convert go.obo --relations is_a,part_of --ignore GO:2 -o - --to obo | grep part_of
> relationship: part_of GO:1
> id: part_of
$ hsel convert go.obo --relations part_of --ignore GO:1 -o - --to obo | grep -A2 "id: GO:3"
> id: GO:3
> name: a part of a part
> relationship: part_of GO:2

$ (cat go.obo; printf '\n[Term]\nid: GO:4\nis_obsolete: true\n') >old.obo; hsel convert old.obo -o 5.obo && grep -c GO:4 5.obo
> 0
! note: edges of part_of are not read; --relations adds them
! note: obsolete terms and alternate identifiers are not written
= 1

# A header of a label table whose class column is called like a class.
file aging.tsv
| gene_id	yes
| g1	yes
| g2	no
| g3	yes
file unsure.tsv
| x	yes
| g1	yes
| g2	no
| g3	yes
$ hsel build --hierarchy up.tsv --annotations pairs.tsv --labels aging.tsv --min-support 1 -o built.hsel | grep -A 4 objects
> objects: aging.tsv
>   annotated                                          3
>   annotated, but without label                       0
>   labelled                                           3
>   labelled, but not annotated                        0
! note: the first line of aging.tsv (gene_id, yes) is treated as a header; --label-header no treats it as an object
! note: built: the positive class is yes, 2 of 3 instances (66.7 %)
$ hsel build --hierarchy up.tsv --annotations pairs.tsv --labels unsure.tsv --min-support 1 -o built.hsel | grep 'not annotated'
>   labelled, but not annotated                        1  (x)
! note: unsure.tsv:1: nothing is annotated to x; if the line is a header, give --label-header yes
! note: 1 labelled object is left out for lack of a feature; --empty keep keeps it
! note: built: the positive class is yes, 2 of 3 instances (66.7 %)

# Decimal commas, where commas do not separate columns and all values of a column fit.
file commas.csv
| id;x;y;z;class
| a;1,5;1,5;1,5;p
| b;2;1.5;tall;q
| c;;-3e2;2;p
| d;0;0;0,5;q
$ hsel convert commas.csv -o - --to arff
> @relation commas
> 
> @attribute id string
> @attribute x numeric
> @attribute y {'1,5',1.5,-3e2,0}
> @attribute z {'1,5',tall,2,'0,5'}
> @attribute class {p,q}
> 
> @data
> a,1.5,'1,5','1,5',p
> b,2,1.5,tall,q
> c,?,-3e2,2,p
> d,0,0,'0,5',q
! note: 1 column was read as numbers with decimal commas

# Messages name the file, and the line where there is one.
$ hsel info data.csv --positive maybe
! hsel: data.csv: there is no class 'maybe' to use as the positive class (classes: ...)
= 2
$ (echo a,class; seq -f '1,c%g' 65537) >classes.csv; hsel info classes.csv
! hsel: classes.csv:65538: more than 65536 classes: is this the class column?
= 1
$ (echo @relation x; printf '@attribute '; head -c 1100000 /dev/zero | tr '\0' a; echo ' {0,1}') >long.arff; hsel info long.arff
! hsel: long.arff:2: name too long: 1100000 bytes (limit 1048576)
= 1
$ (printf 'a\t'; head -c 1100000 /dev/zero | tr '\0' b; echo) >long.tsv; hsel info data.csv --hierarchy long.tsv --hierarchy-format edges
! hsel: long.tsv:1: name too long: 1100000 bytes (limit 1048576)
= 1

# Runs of boruta that are too few for its test: nothing is confirmed, and why.
$ hsel generate ontology:instances=40,features=20 --seed 1 -o few.hsel -q && hsel select few.hsel --select boruta:runs=10,trees=10 2>&1 | grep few
> note: boruta: 1 of 1 selections had too few runs to confirm any feature: 20 features at level 0.01 need runs=11
$ hsel select few.hsel --select boruta:runs=11,trees=10 2>&1 | grep few
= 1
