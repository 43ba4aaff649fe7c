# Choosing: branches of the hierarchy and instances, in build and wherever data are read.

file go.obo
| format-version: 1.2
| default-namespace: p
|
| [Term]
| id: GO:1
| name: process
|
| [Term]
| id: GO:2
| name: ageing
| alt_id: GO:22
| is_a: GO:1
|
| [Term]
| id: GO:3
| name: cell ageing
| is_a: GO:2
| is_a: GO:4
|
| [Term]
| id: GO:4
| name: repair, of the cell
| is_a: GO:1
|
| [Term]
| id: GO:5
| name: excision
| is_a: GO:4
|
| [Term]
| id: GO:6
| name: Excision
| is_a: GO:1
|
| [Term]
| id: GO:9
| name: gone
| is_obsolete: true
| replaced_by: GO:2

file genes.tsv
| g1	GO:3
| g2	GO:5
| g3	GO:6
| g3	GO:5
| g4	GO:2
| g5	GO:6
| g6	GO:4

file labels.tsv
| gene	class
| g1	old
| g2	young
| g3	young
| g4	old
| g5	young
| g6	young

file some.txt
| g2
| g4
|
| g99
| "g1",what,ever
| g3	x

file none.txt
| h1

$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 -q -o all.hsel

# The term and what is below it, by identifier, by label in any case, also with a comma in it.
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --branch AGEING -o b.hsel
> hierarchy: go.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              6
>   terms used (as chosen)                             2
>   edges between them                                 1
> annotations: genes.tsv (pairs)
>   read                                               7
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   left out: not in the branches chosen               5  (3 terms: GO:5, GO:6, GO:4)
>   used                                               2
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: labels.tsv
>   annotated                                          6
>   annotated, but without label                       0
>   labelled                                           6
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   4  (g2, g3, g5, g6)
> values
>   positive as annotated                              2
>   added by propagation                               1
> features
>   terms that are positive somewhere                  2
>   left out: support too low                          0
> result
>   instances                                          2
>   features                                           2
>   edges                                              1
>   classes                                            1
>   positive values                                    3
! note: 4 labelled objects are left out for lack of a feature; --empty keep keeps them
$ hsel convert -q b.hsel -o - --to csv
> gene,GO:2,GO:3,class
> g1,1,1,old
> g4,1,0,old
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --branch 'repair, of the cell,GO:22' -q -o - --to csv
> gene,GO:2,GO:3,GO:4,GO:5,class
> g1,1,1,1,0,old
> g2,0,0,1,1,young
> g3,0,0,1,1,young
> g4,1,0,0,0,old
> g6,0,0,1,0,young

# What is excluded makes nothing above it positive either.
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --exclude-branch ageing -q -o - --to csv
> gene,GO:1,GO:4,GO:5,GO:6,class
> g2,1,1,1,0,young
> g3,1,1,1,1,young
> g5,1,0,0,1,young
> g6,1,1,0,0,young
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --branch GO:4 --exclude-branch GO:5 -q -o - --to csv
> gene,GO:3,GO:4,class
> g1,1,1,old
> g6,0,1,young

# Data that are there: features go, values stay.
$ hsel convert all.hsel --branch GO:4 -o - --to csv
> gene,GO:3,GO:4,GO:5,class
> g1,1,1,0,old
> g2,0,1,1,young
> g3,0,1,1,young
> g4,0,0,0,old
> g5,0,0,0,young
> g6,0,1,0,young
! note: 3 features were dropped: not in the branches chosen
$ hsel convert -q go.obo --branch ageing -o cut.obo
$ hsel convert -q cut.obo -o - --to edges
> GO:3	GO:2
$ hsel convert -q go.obo --exclude-branch 'Repair, OF the cell' -o - --to edges
> GO:2	GO:1
> GO:6	GO:1

# Instances: a list or a share of each class.
$ hsel convert all.hsel --instances some.txt -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:4,GO:5,GO:6,class
> g1,1,1,1,1,0,0,old
> g2,1,0,0,1,1,0,young
> g3,1,0,0,1,1,1,young
> g4,1,1,0,0,0,0,old
! note: 2 instances were left out by --instances
! note: 1 identifier of --instances is not in the data, e.g. g99
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --instances some.txt -o i.hsel
> hierarchy: go.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              6
>   terms used (as chosen)                             6
>   edges between them                                 6
> annotations: genes.tsv (pairs)
>   read                                               7
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   left out: object not chosen                        2
>   used                                               5
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: labels.tsv
>   annotated                                          6
>   annotated, but without label                       0
>   labelled                                           6
>   left out: not among --instances                    2
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   0
>   in --instances, but not labelled                   1  (g99)
> values
>   positive as annotated                              5
>   added by propagation                               8
> features
>   terms that are positive somewhere                  6
>   left out: support too low                          0
> result
>   instances                                          4
>   features                                           6
>   edges                                              6
>   classes                                            2
>   positive values                                   13
! note: i: the positive class is young, the second of two of the same size, 2 of 4 instances (50.0 %); --positive CLASS changes it
$ hsel convert all.hsel --instances 50% -q -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:4,GO:5,GO:6,class
> g1,1,1,1,1,0,0,old
> g5,1,0,0,0,0,1,young
> g6,1,0,0,1,0,0,young
$ hsel convert all.hsel --instances 50% --instances-seed 3 -q -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:4,GO:5,GO:6,class
> g1,1,1,1,1,0,0,old
> g2,1,0,0,1,1,0,young
> g5,1,0,0,0,0,1,young
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --min-support 1 --instances 50% -q -o - --to csv
> gene,GO:1,GO:2,GO:3,GO:4,GO:6,class
> g1,1,1,1,1,0,old
> g5,1,0,0,0,1,young
> g6,1,0,0,1,0,young

# What matches nothing is refused, with what could be meant.
$ hsel info go.obo --branch ageng
! hsel: go.obo: --branch: the hierarchy has no term ageng; did you mean ageing?
= 2
$ hsel info go.obo --branch age
! hsel: go.obo: --branch: the hierarchy has no term age; did you mean GO:2 ageing, GO:3 cell ageing?
= 2
$ hsel info go.obo --branch excision
! hsel: go.obo: --branch: 2 terms are called excision: GO:5 excision, GO:6 Excision; give an identifier
= 2
$ hsel info all.hsel --exclude-branch what,ever
! hsel: --exclude-branch: the hierarchy has no term what
= 2
$ hsel info go.obo --branch GO:9
! hsel: go.obo: --branch: the term GO:9 is obsolete, replaced by GO:2
= 2
$ hsel info all.hsel --exclude-branch GO:1
! hsel: no feature is left by --exclude-branch GO:1
= 2
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --branch nothing -o new.hsel
! hsel: go.obo: --branch: the hierarchy has no term nothing
= 2
$ hsel info all.hsel --no-hierarchy --branch GO:4
! hsel: --branch needs a hierarchy: give --hierarchy FILE
= 2
$ hsel info all.hsel --instances none.txt
! hsel: none.txt: none of these instances is in the data: they are called h1 here, but g1 in the data
= 2
$ hsel info all.hsel --instances 101%
! hsel: --instances takes a share above 0% and up to 100%, not 101%
= 2
$ hsel info all.hsel --instances-seed 3
! hsel: --instances-seed needs a random share: give --instances N%
= 2
$ hsel build --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --instances-seed 3 -o new.hsel
! hsel: --instances-seed needs a random share: give --instances N%
= 2
$ hsel info go.obo --instances 50%
! hsel: --instances: there are no instances to choose from
= 2
