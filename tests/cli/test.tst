# hsel test: p-values on a hierarchy. The procedures themselves are in tests/unit/test_procedures.c.

file tree.tsv
| b	a
| c	a
| d	b
| e	b

file p.tsv
| term	n	p
| a	9	0.5
| b	8	0.001
| c	7	0.9
| d	6	0.004
| e	5	NA

$ hsel test p.tsv --hierarchy tree.tsv
> id	label	p	adjusted	rejected	outer
> b		0.001	0.004	yes	no
> d		0.004	0.016	yes	yes
! note: lines without a p-value, left out: 1
! note: Focused BH, FDR at most 0.05: 2 of 4 terms rejected, 1 of them outer nodes
! note: Focused BH assumes p-values that are independent or positively dependent

# A rejected node makes its ancestors rejected.
$ hsel test p.tsv --hierarchy tree.tsv --method structured-holm -q
> id	label	p	adjusted	rejected	outer
> b		0.001	0.004	yes	no
> d		0.004	0.008	yes	yes
> a		0.5	0.004	inherited	no

$ hsel test p.tsv --hierarchy tree.tsv --method dagger --outer -q
> id	label	p	adjusted	rejected	outer

# Labels from the hierarchy, without a header, several columns.
file h.obo
| format-version: 1.2
|
| [Term]
| id: a
| name: all
|
| [Term]
| id: b
| name: "b" <b>
| is_a: a

file plain.csv
| b,0.01
| a,0.2

$ hsel test plain.csv --hierarchy h.obo --all -q --json
> {
>   "method": "focused-bh",
>   "alpha": 0.05,
>   "controls": "FDR",
>   "assumes": "p-values that are independent or positively dependent",
>   "terms": 2,
>   "rejected": 1,
>   "outer": 1,
>   "results": [
>     {
>       "id": "b",
>       "label": "\"b\" <b>",
>       "p": 0.01,
>       "adjusted": 0.02,
>       "rejected": true,
>       "inherited": false,
>       "outer": true
>     },
>     {
>       "id": "a",
>       "label": "all",
>       "p": 0.2,
>       "adjusted": 0.4,
>       "rejected": false,
>       "inherited": false,
>       "outer": false
>     }
>   ]
> }

# Representatives. How special terms are: by the terms below them, or by a column. b and d share log2(4/2) = 1 bit of 1 and 2,
# so they are 2/3 alike; with n they share log2(9/8) of that and log2(9/6): 0.45.
$ hsel test p.tsv --hierarchy tree.tsv --filter lin --similar 0.6 -q
> id	label	p	adjusted	rejected	representative
> b		0.001	0.004	yes	yes
> d		0.004	0.016	yes	no
$ hsel test p.tsv --hierarchy tree.tsv --filter lin --similar 0.6 --support n --outer --json -q
> {
>   "method": "focused-bh",
>   "alpha": 0.05,
>   "controls": "FDR",
>   "assumes": "p-values that are independent or positively dependent",
>   "terms": 4,
>   "rejected": 2,
>   "representative": 2,
>   "results": [
>     {
>       "id": "b",
>       "label": null,
>       "p": 0.001,
>       "adjusted": 0.004,
>       "rejected": true,
>       "inherited": false,
>       "representative": true
>     },
>     {
>       "id": "d",
>       "label": null,
>       "p": 0.004,
>       "adjusted": 0.008,
>       "rejected": true,
>       "inherited": false,
>       "representative": true
>     }
>   ]
> }
$ hsel test p.tsv --hierarchy tree.tsv --filter lin
> id	label	p	adjusted	rejected	representative
> b		0.001	0.004	yes	yes
> d		0.004	0.008	yes	yes
! note: lines without a p-value, left out: 1
! note: Focused BH, FDR at most 0.05: 2 of 4 terms rejected, 2 of them representatives
! note: Focused BH assumes p-values that are independent or positively dependent
$ hsel test p.tsv --hierarchy tree.tsv --filter lin --support term
! hsel: p.tsv:2: a is not a number of instances
= 1
$ hsel test p.tsv --filter lin
! hsel: --filter requires --hierarchy
= 2
$ hsel test p.tsv --hierarchy tree.tsv --similar 0.5
! hsel: --similar requires --filter
= 2
$ hsel test p.tsv --hierarchy tree.tsv --support n
! hsel: --support requires --filter
= 2

# ---- in files and pipes every digit; cli.progress has the table on a terminal ----

$ printf 'id,p\na,0.000123456789\nbb,0.01\n' > two.csv
$ hsel test two.csv -q --method bh | sed -n 2p
> a		0.000123456789	0.000246913578	yes	yes

# ---- what is refused ----

$ hsel test plain.csv --method dagger
! hsel: dagger needs a hierarchy: give --hierarchy FILE
= 2

$ hsel test plain.csv --method bonferoni
! hsel: bonferoni is not a procedure; known: bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli
= 2

$ printf 'a,0.1\nb,1.5\n' | hsel test - --method bh
! hsel: standard input:2: 1.5 is not a p-value: a number from 0 to 1; --p names their column
= 1

$ printf 'a,0.1\na,0.2\n' | hsel test - --method bh
! hsel: standard input:2: a occurs twice
= 1

$ printf 'x,0.1\ny,0.2\n' | hsel test - --hierarchy tree.tsv
! hsel: -: none of its 2 terms is in tree.tsv: is this their hierarchy?
= 1

$ printf 'b\ta\nb\tc\n' > dag.tsv
$ hsel test p.tsv --hierarchy dag.tsv --method yekutieli -q
! hsel: yekutieli is for trees, but b has 2 parents
= 2

# Labels from a table, beside those of the hierarchy; without a hierarchy Focused BH says what it is; the column of p-values.
file labels.tsv
| code	label
| d	gout
| z	not tested
$ hsel test p.tsv --hierarchy tree.tsv --labels labels.tsv
> id	label	p	adjusted	rejected	outer
> b		0.001	0.004	yes	no
> d	gout	0.004	0.016	yes	yes
! note: lines without a p-value, left out: 1
! note: Focused BH, FDR at most 0.05: 2 of 4 terms rejected, 1 of them outer nodes
! note: Focused BH assumes p-values that are independent or positively dependent
$ hsel test p.tsv --labels labels.tsv
> id	label	p	adjusted	rejected	outer
> b		0.001	0.004	yes	yes
> d	gout	0.004	0.008	yes	yes
! note: without --hierarchy no term has parents or children, and Focused BH is Benjamini-Hochberg
! note: lines without a p-value, left out: 1
! note: Focused BH, FDR at most 0.05: 2 of 4 terms rejected
! note: Focused BH assumes p-values that are independent or positively dependent
$ hsel test p.tsv --method by --all
> id	label	p	adjusted	rejected	outer
> b		0.001	0.008333333333333331	yes	yes
> d		0.004	0.016666666666666663	yes	yes
> a		0.5	1	no	no
> c		0.9	1	no	no
! note: lines without a p-value, left out: 1
! note: Benjamini-Yekutieli, FDR at most 0.05: 2 of 4 terms rejected
! note: Benjamini-Yekutieli assumes nothing about how p-values depend on each other
$ hsel test p.tsv --labels tree.tsv --p 1
! hsel: identifiers and p-values are the same column, term
= 2
$ cut -f 1,2 p.tsv | hsel test -
! hsel: standard input:2: 9 is not a p-value: a number from 0 to 1; --p names their column
= 1

# A first line that is not a header, and not a p-value.
$ printf 'a\t<1e-16\nb\t0.01\n' > less.tsv
$ hsel test less.tsv --method bh
! hsel: less.tsv:1: <1e-16 is not a p-value: a number from 0 to 1; --p names their column
= 1
$ printf 'a\tNA\nb\t0.01\n' > unknown.tsv
$ hsel test unknown.tsv --method bh
> id	label	p	adjusted	rejected	outer
> b		0.01	0.01	yes	yes
! note: lines without a p-value, left out: 1
! note: Benjamini-Hochberg, FDR at most 0.05: 1 of 1 terms rejected
! note: Benjamini-Hochberg assumes p-values that are independent or positively dependent
