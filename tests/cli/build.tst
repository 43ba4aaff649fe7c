# hsel build: the ways in which its three inputs can disagree.

file tree.obo
| format-version: 1.2
|
| [Term]
| id: GO:1
| name: root
|
| [Term]
| id: GO:2
| is_a: GO:1
| alt_id: GO:22
|
| [Term]
| id: GO:3
| is_a: GO:2
|
| [Term]
| id: GO:4
| is_obsolete: true

file genes.tsv
| g1	GO:3
| g1	GO:99
| g2	GO:22
| g3	GO:2
| g3	GO:4
| g4	GO:1

file labels.tsv
| gene	class
| g1	yes
| g2	no
| g3	yes
| g9	no

file empty.tsv

file twice.tsv
| gene	class
| g1	yes
| g1	no

$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --min-support 1 -q -o out.hsel
$ hsel convert -q out.hsel -o - --to csv
> gene,GO:1,GO:2,GO:3,class
> g1,1,1,1,yes
> g2,1,1,0,no
> g3,1,1,0,yes

# An annotation to a term that does not exist: left out and reported, or refused.
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --unknown error -o new.hsel
! hsel: genes.tsv:2: term GO:99 is not in the hierarchy
= 1
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels twice.tsv -o new.hsel
! hsel: twice.tsv:3: g1 has class no here, but class yes on line 2
= 1
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels empty.tsv -o new.hsel
! hsel: empty.tsv: the file is empty: a header line is needed
= 1
$ hsel build --hierarchy tree.obo --annotations empty.tsv --labels labels.tsv -o new.hsel
! hsel: empty.tsv: the file is empty
= 1
$ hsel build --hierarchy empty.tsv --annotations genes.tsv --labels labels.tsv -o new.hsel
! hsel: empty.tsv: the file is empty
= 1
$ hsel build --hierarchy tree.obo --annotations genes.tsv -o new.hsel
! hsel: missing --labels FILE
= 2
$ hsel build --annotations genes.tsv --labels labels.tsv -o new.hsel
! hsel: missing --hierarchy FILE
= 2
$ hsel build --hierarchy tree.obo --labels labels.tsv -o new.hsel
! hsel: missing --annotations FILE, or --abundance FILE
= 2
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --class colour -o new.hsel
! hsel: labels.tsv: there is no column colour
= 2
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --namespaces XX -o new.hsel
! hsel: tree.obo: no namespace XX in this file; it has: none
= 2
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --min-support 9 -o new.hsel
> hierarchy: tree.obo (obo)
>   edges: is_a only; --relations is_a,part_of takes more
>   terms                                              3
>   terms used (as chosen)                             3
>   edges between them                                 2
> annotations: genes.tsv (pairs)
>   read                                               6
>   left out: term not in the hierarchy                1  (1 term: GO:99)
>   left out: obsolete term, not replaced              1  (1 term: GO:4)
>   left out: object without label                     1
>   used                                               3
>   renamed: alternate identifier                      1  (1 term: GO:22 -> GO:2)
>   renamed: obsolete term, replaced                   0
> objects: labels.tsv
>   annotated                                          4
>   annotated, but without label                       1  (g4)
>   labelled                                           4
>   labelled, but not annotated                        1  (g9)
>   labelled, but no annotation left                   3  (g1, g2, g3)
> values
>   positive as annotated                              3
>   added by propagation                               4
> features
>   terms that are positive somewhere                  3
>   left out: support too low                          3  (GO:1, GO:2, GO:3)
> result
>   instances                                          0
>   features                                           0
>   edges                                              0
>   classes                                            0
>   positive values                                    0
! hsel: no term is positive in 9 instances or more
= 1
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels none.tsv -o new.hsel
! hsel: none.tsv: cannot open: No such file or directory
= 1
$ hsel build --hierarchy tree.obo --annotations genes.tsv --labels labels.tsv --min-support 1 -o none/new.hsel
! note: 1 labelled object is left out for lack of a feature; --empty keep keeps it
! note: new: the positive class is yes, 2 of 3 instances (66.7 %)
! hsel: none/new.hsel: cannot create: No such file or directory
= 1
