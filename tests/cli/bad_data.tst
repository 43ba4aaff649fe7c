# Content that is not what it should be: the message names file, line and thing.

file good.csv
| id,a,b,c,class
| x1,1,0,1,yes
| x2,0,1,0,no

file twice.csv
| a,b,a,class
| 1,0,1,yes

file short.csv
| a,b,class
| 1,0,yes
| 1,no

file quote.csv
| a,"b,class
| 1,0,yes

file header_only.csv
| a,b,class

$ hsel info twice.csv
! hsel: twice.csv:1: columns 1 and 3 have the same name, a
= 1
$ hsel info short.csv
! hsel: short.csv:3: 2 fields, but the header has 3
= 1
$ hsel info quote.csv
! hsel: quote.csv:1: the quoted field 2 is not closed
= 1
$ hsel info header_only.csv --format csv
> header_only
>   instances              0
>   features               2
$ hsel info good.csv --class colour
! hsel: good.csv: there is no column colour
= 2
$ hsel info good.csv --class 9
! hsel: good.csv: there is no column 9; columns are numbered from 1 to 5
= 2
$ hsel info good.csv --class 0
! hsel: good.csv: there is no column 0; columns are numbered from 1 to 5
= 2
$ hsel info good.csv --id nobody
! hsel: good.csv: there is no column nobody
= 2
$ hsel info good.csv --ignore nothing
! hsel: good.csv: there is no column nothing
= 2
$ hsel info good.csv --id id --positive maybe
! hsel: good.csv: there is no class 'maybe' to use as the positive class (classes: ...)
= 2

file twice.arff
| @relation x
| @attribute a {0,1}
| @attribute a {0,1}
| @attribute class {yes,no}
| @data
| 1,0,yes

file label.arff
| @relation x
| @attribute a {0,1}
| @attribute class {yes,no}
| @data
| 1,yes
| 0,maybe

file value.arff
| @relation x
| @attribute a {0,1}
| @attribute class {yes,no}
| @data
| 7,yes

file sparse.arff
| @relation x
| @attribute a {0,1}
| @attribute class {yes,no}
| @data
| {5 1, 1 yes}

file missing.arff
| @relation x
| @attribute a {0,1}
| @attribute class {yes,no}
| @data
| ?,yes

file no_data.arff
| @relation x
| @attribute a {0,1}

$ hsel info twice.arff
! hsel: twice.arff:3: attribute a was declared before, on line 2
= 1
$ hsel info label.arff
! hsel: label.arff:6: attribute class has no value maybe
= 1
$ hsel info value.arff
! hsel: value.arff:5: attribute a has no value 7
= 1
$ hsel info sparse.arff
! hsel: sparse.arff:5: there is no attribute 5; they are numbered from 0 to 1
= 1
$ hsel info missing.arff
! hsel: missing.arff:5: the binary attribute a has a missing value; --missing negative takes it as negative
= 1
$ hsel info -q missing.arff --missing negative
> ...
$ hsel info no_data.arff
! hsel: no_data.arff:2: the file ends without an @data line
= 1

file bad.svm
| 1 1:1 3:1
| -1 3:1 2:1

file worse.svm
| 1 1:1 x:1

file zero.svm
| 1 0:1

file range.svm
| 1 99999999999999999999:1

file counts.mtx
| %%MatrixMarket matrix coordinate pattern general
| 2 3 3
| 1 1
| 2 3

file outside.mtx
| %%MatrixMarket matrix coordinate pattern general
| 2 3 1
| 3 1

file huge.mtx
| %%MatrixMarket matrix coordinate pattern general
| 4000000000 4000000000 1
| 1 1

$ hsel info --format svmlight bad.svm
! hsel: bad.svm:2: index 2 after 3: indices must ascend
= 1
$ hsel info --format svmlight worse.svm
! hsel: worse.svm:1: "x:1" is not index:value
= 1
$ hsel info --format svmlight zero.svm
> zero
>   instances              1
>   features               1
>   positive values        1 (100.00 %)
>   feature support        1 to 1 instances
>   constant features      1, positive everywhere
>   classes                1
>     1                    1 (100.0 %)
$ hsel info --format svmlight range.svm
! hsel: range.svm:1: "99999999999999999999:1" is not index:value
= 1
$ hsel info counts.mtx
! hsel: counts.mtx: the header declares 3 entries, and there are 2
= 1
$ hsel info outside.mtx
! hsel: outside.mtx:3: row 3 is not one of 1 to 2
= 1
$ hsel info huge.mtx
! hsel: huge.mtx:2: 4000000000 x 4000000000 is more than 1073741824 rows or 268435455 columns
= 1

file cycle.edges
| a	b
| b	c
| c	a

file loop.edges
| a	a
| a	b
| a	b

$ hsel info good.csv --id id --hierarchy cycle.edges --hierarchy-format edges
! hsel: cycle.edges: the hierarchy has a cycle: a -> b -> c -> a (3 terms are in cycles); use --cycles merge or --cycles drop
= 1
$ hsel info -q good.csv --id id --hierarchy cycle.edges --hierarchy-format edges --cycles drop
> ...
$ hsel info -q good.csv --id id --hierarchy cycle.edges --hierarchy-format edges --cycles merge
> ...
$ hsel info good.csv --id id --hierarchy none.obo
! hsel: none.obo: cannot open: No such file or directory
= 1
$ hsel info good.csv --id id --hierarchy good.csv --hierarchy-format obo
! hsel: good.csv:1: expected 'tag: value' as in an OBO file
= 1

file unknown.obo
| format-version: 1.2
|
| [Term]
| id: GO:1
| name: one
| is_a: GO:99

$ hsel info unknown.obo
! hsel: unknown.obo:6: is_a names unknown term GO:99
= 1
