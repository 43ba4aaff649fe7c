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

# Dates of annotations: cut, and as classes. tests/cli/dates.py compares with the definition.
file tree.tsv
| child	parent
| b	a
| c	a
| d	b
| e	c

file dated.gaf
| !gaf-version: 2.2
| DB	g1	G1		d	PMID:1	IDA		P			protein	taxon:1	20150101	X
| DB	g1	G1		e	PMID:1	IDA		P			protein	taxon:1	20190101	X
| DB	g2	G2		b	PMID:1	IEA		P			protein	taxon:1	20150101	X
| DB	g2	G2		c	PMID:1	IDA		P			protein	taxon:1	20160101	X
| DB	g3	G3		d	PMID:1	IMP		P			protein	taxon:1	20170101	X
| DB	g4	G4		d	PMID:1	ISS		P			protein	taxon:1	20171231	X
| DB	g4	G4		d	PMID:1	ISS		P			protein	taxon:1	2018	X

file dated.gpad
| !gpad-version: 2.0
| DB:g1		RO:0002331	d	PMID:1	ECO:0000314			2015-01-01	X
| DB:g1		RO:0002331	e	PMID:1	ECO:0000314			2019-01-01T12:00:00	X

file dateless.tsv
| g1	d
| g2	e

file some.tsv
| gene	class
| g1	yes
| g2	no

$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 2017-12-31 --class c --no-evidence IEA --min-support 1 -q -o since.hsel
$ hsel convert -q since.hsel -o - --to csv
> id,a,b,d,c
> g1,1,1,1,yes
> g3,1,1,1,no
> g4,1,1,1,no

$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 20171230 --class c,e --evidence experimental --min-support 1 -o since.hsel
> hierarchy: tree.tsv (edges)
>   terms                                              5
>   terms used (as chosen)                             5
>   edges between them                                 4
> annotations: dated.gaf (gaf)
>   read                                               7
>   left out: evidence not wanted                      3  (IEA: 1, ISS: 2)
>   left out: dated later                              1  (2019: 1)
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   used                                               3
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects
>   annotated                                          4
>   annotated, but without label                       0
>   gained a term since                                1
>   labelled                                           3
>   without class, to be predicted                     1
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   1  (g4)
> values
>   positive as annotated                              3
>   added by propagation                               5
> features
>   terms that are positive somewhere                  4
>   left out: support too low                          0
> result
>   instances                                          3
>   features                                           4
>   edges                                              3
>   classes                                            2
>   positive values                                    8
! note: 1 labelled object is left out for lack of a feature; --empty keep keeps it
! note: since: the class is c; --class chooses another: e
! note: since: the positive class is yes, 1 of 2 instances (50.0 %)

$ hsel build --hierarchy tree.tsv --annotations dated.gaf --until 2016-01-01 --labels some.tsv --no-evidence IEA --min-support 1 --json -o until.hsel | jq -c .annotations | cut -d , -f 1-7
> {"file":"dated.gaf","format":"gaf","read":7,"evidence":1,"evidence_by_code":{"IEA":1},"later":3,"later_by_year":{"2017":2
! note: until: the positive class is yes, 1 of 2 instances (50.0 %)

$ hsel build --hierarchy tree.tsv --annotations dated.gpad --since 2018-12-31 --min-support 1 -q -o since.hsel
$ hsel convert -q since.hsel -o - --to csv
> id,a,b,d,gained
> g1,1,1,1,yes
$ hsel info --json since.hsel | jq -c ".provenance | {until, since, gained, left_out}"
> {"until":null,"since":"2018-12-31","gained":[],"left_out":{"evidence":{},"later":{"2019":1},"undated":0}}
$ hsel build --hierarchy tree.tsv --annotations dateless.tsv --labels some.tsv --until 2018-01-01 -o new.hsel
! hsel: dateless.tsv: its annotations have no dates, which --until needs: give a GAF or GPAD file
= 2
$ hsel build --hierarchy tree.tsv --annotations dateless.tsv --since 2018-01-01 -o new.hsel
! hsel: dateless.tsv: its annotations have no dates, which --since needs: give a GAF or GPAD file
= 2
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --labels some.tsv --until 2018-02-32 -o new.hsel
! hsel: --until takes a day such as 2020-12-31, not 2018-02-32
= 2
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 2018-01-01 --until 2018-01-01 -o new.hsel
! hsel: --since must be a day before that of --until
= 2
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 2019-01-01 -o new.hsel
! hsel: dated.gaf: no object gained an annotation with a new term after --since 2019-01-01
= 1
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 2018-01-01 --class nosuch -o new.hsel
! hsel: tree.tsv: --class: the hierarchy has no term nosuch
= 2
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --since 2018-01-01 --labels some.tsv -o new.hsel
! hsel: --labels cannot be combined with --since: classes come from the annotations
= 2
$ hsel build --hierarchy tree.tsv --annotations dated.gaf --labels some.tsv --until 2010-01-01 -o new.hsel
> hierarchy: tree.tsv (edges)
>   terms                                              5
>   terms used (as chosen)                             5
>   edges between them                                 4
> annotations: dated.gaf (gaf)
>   read                                               7
>   left out: dated later                              6  (2015: 2, 2016: 1, 2017: 2, 2019: 1)
>   left out: without a date                           1
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   used                                               0
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: some.tsv
>   annotated                                          4
>   annotated, but without label                       2  (g3, g4)
>   labelled                                           2
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   2  (g1, g2)
> values
>   positive as annotated                              0
>   added by propagation                               0
> features
>   terms that are positive somewhere                  0
>   left out: support too low                          0
> result
>   instances                                          0
>   features                                           0
>   edges                                              0
>   classes                                            0
>   positive values                                    0
! hsel: no annotation remains, so there are no features; most (6 of 7) were left out: dated later
= 1
$ hsel build --abundance some.tsv --until 2010-01-01 -o new.hsel
! hsel: --until cannot be combined with --abundance: it is for annotations
= 2

# Objects without classes stay without in a folder, too: no column of classes becomes a feature.
$ printf 'x1\ta\nx2\tb\nx3\tb\n' > pairs.tsv
$ printf 'a\tr\nb\tr\n' > edges.tsv
$ printf 'x1\nx2\nx3\n' > list.txt
$ hsel build -q --annotations pairs.tsv --hierarchy edges.tsv --labels list.txt --min-support 1 -o classless/ && hsel convert -q classless --to csv -o -
> id,a,b,r
> x1,1,0,1
> x2,0,1,1
> x3,0,1,1
