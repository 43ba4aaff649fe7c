# What DATA is taken for, what the data set is called, and what is said about it.

file header.csv
| a,b,class

file notes.csv
| gene,note,class
| g1,"two
| lines",yes
| g2,none,no

file lists.csv
| a,b
| c,b
| d,a,b

file loops.tsv
| a	a
| b	b
| c	b

file loop.tsv
| a	a
| c	b

$ hsel convert -q header.csv -o -
> @relation header
> ...
$ hsel info -q notes.csv
> notes
>   instances              2
> ...
# The first two lines could be those of a table.
$ hsel info lists.csv
! hsel: lists.csv:3: 3 fields, but the header has 2
= 1
$ hsel info -q lists.csv --format ancestors
> ...

# --hierarchy-format is used or refused, never ignored.
$ hsel convert -q loop.tsv --hierarchy-format ancestors -o - --to edges
> c	b
$ hsel convert -q loop.tsv --hierarchy-format obo -o - --to edges
! hsel: loop.tsv:1: ...
= 1
$ hsel info header.csv --hierarchy-format edges
! hsel: --hierarchy-format is for a file given by --hierarchy, but there is none; use --format for header.csv
= 2
$ hsel info loop.tsv --format edges --hierarchy-format obo
! hsel: --hierarchy-format is for a file given by --hierarchy, but there is none; use --format for loop.tsv
= 2
$ hsel info loop.tsv --hierarchy-format csv
! hsel: format csv cannot read a hierarchy; these can: ...
= 2

# One and many.
$ hsel convert loop.tsv -o - --to edges
> c	b
! note: 1 edge leads from a term to itself: ignored
$ hsel convert loops.tsv -o - --to edges
> c	b
! note: 2 edges lead from a term to itself: ignored

# A folder keeps its whole name, a file loses its ending.
$ mkdir CE.v2 && cp notes.csv CE.v2/data.csv && cp notes.csv CE.v2.csv
$ hsel info -q CE.v2 | head -1; hsel info -q CE.v2/ | head -1; hsel info -q CE.v2/data.csv | head -1
> CE.v2
> CE.v2
> CE.v2
$ hsel info -q CE.v2.csv | head -1; hsel info -q ./CE.v2 | head -1
> CE.v2
> CE.v2

# A label table whose first line may be a header or an object.
file tree.tsv
| a	root
| b	root

file pairs.tsv
| g1	a
| g2	b
| g3	b

file bare.tsv
| g1	yes
| g2	no
| g3	no

file named.tsv
| gene	class
| g2	no
| g3	yes

$ hsel build --hierarchy tree.tsv --min-support 1 --annotations pairs.tsv --labels bare.tsv -o out.csv >report.txt
! note: the first line of bare.tsv (g1, yes) is treated as a header; --label-header no treats it as an object
! note: out.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ hsel build --hierarchy tree.tsv --min-support 1 --annotations pairs.tsv --labels bare.tsv --label-header no -o out.csv >report.txt
! note: out: the positive class is yes, 1 of 3 instances (33.3 %)
! note: out.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ hsel build --hierarchy tree.tsv --min-support 1 --annotations pairs.tsv --labels named.tsv -o out.csv >report.txt
! note: out: the positive class is yes, 1 of 2 instances (50.0 %)
! note: out.csv does not contain the hierarchy; --hierarchy-output FILE writes it
