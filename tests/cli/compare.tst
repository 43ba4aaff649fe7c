# hsel compare: tables of results, good and bad. The statistics themselves are in tests/unit/test_compare*.c.

file results.csv
| dataset,nofs,hip,rpv,imbalance
| CE-BP,62.0,61.4,63.1,0.31
| CE-CC,60.1,60.1,62.2,0.12
| CE-MF,55.0,56.1,57.3,0.25
| DM-BP,71.5,70.2,72.9,0.60
| DM-CC,66.6,66.6,66.6,0.55
| DM-MF,48.3,50.2,47.7,0.50

# ---- a table as it is, with a control, with a property of the data sets ----

$ cut -d, -f1-4 results.csv > plain.csv
$ hsel compare plain.csv
> method  mean rank  wins
> rpv         1.500     5
> nofs        2.250     1
> hip         2.250     2
>
> Friedman             chi2(2) = 2.250, p = 0.3247; corrected for ties 2.842, p = 0.2415
> Iman-Davenport       F(2, 10) = 1.154, p = 0.3541
> own distribution     exact p = 0.2701
> critical difference  1.353 (Nemenyi, q = 2.344, alpha = 0.05)
>
> method  against  wins  ties  losses     V  Wilcoxon p      by
> rpv     nofs        4     1       1  14.0      0.1056  normal
> rpv     hip         4     1       1  11.0      0.4185  normal
>
> rpv has the best mean rank (1.50) over 6 data sets. Friedman's test does not reject that all methods
> perform alike (exact p = 0.2701): what follows may be chance. By Nemenyi's test (critical difference
> 1.35) no two methods differ significantly. Caution: 6 data sets are few for these tests (about 10
> are needed).
$ hsel compare plain.csv --control nofs --pairs
> method          mean rank  wins       z       p  Holm p  differs
> rpv                 1.500     5  -1.299  0.1939  0.3879       no
> nofs (control)      2.250     1       –       –       –        –
> hip                 2.250     2   0.000  1.0000  1.0000       no
>
> Friedman             chi2(2) = 2.250, p = 0.3247; corrected for ties 2.842, p = 0.2415
> Iman-Davenport       F(2, 10) = 1.154, p = 0.3541
> own distribution     exact p = 0.2701
> critical difference  1.353 (Nemenyi, q = 2.344, alpha = 0.05)
>
> method  against  wins  ties  losses     V  Wilcoxon p      by
> nofs    rpv         1     1       4   1.0      0.1056  normal
> nofs    hip         2     2       2   4.0      0.8551  normal
> rpv     hip         4     1       1  11.0      0.4185  normal
>
> rpv has the best mean rank (1.50) over 6 data sets. Friedman's test does not reject that all methods
> perform alike (exact p = 0.2701): what follows may be chance. By Holm's procedure the control nofs
> is not significantly better than any other method, nor worse. By Nemenyi's test (critical difference
> 1.35) no two methods differ significantly. Caution: 6 data sets are few for these tests (about 10
> are needed).
$ hsel compare plain.csv --control rpv --one-sided --alpha 0.2 | tail -4
> perform alike (exact p = 0.2701): what follows may be chance. By Holm's procedure (one-sided) the
> control rpv is significantly better than nofs and hip. By Nemenyi's test (critical difference 0.99)
> no two methods differ significantly. Caution: 6 data sets are few for these tests (about 10 are
> needed).
$ hsel compare results.csv --covariate imbalance | sed -n '/Correlation/,/^$/p'
> Correlation with imbalance
> method  Pearson r       p  data sets
> rpv         0.241  0.6452          6
> nofs        0.345  0.5030          6
> hip         0.372  0.4681          6
>
$ hsel compare plain.csv --lower | head -4
> method  mean rank  wins
> nofs        1.750     3
> hip         1.750     4
> rpv         2.500     2
$ hsel compare plain.csv --tolerance 1.2 | head -4
> method  mean rank  wins
> rpv         1.500     5
> nofs        2.250     2
> hip         2.250     3
$ hsel compare plain.csv --keep-zeros | grep 'rpv     nofs'
> rpv     nofs        4     1       1  18.0      0.1138  normal
$ hsel compare - < plain.csv | head -2
> method  mean rank  wins
> rpv         1.500     5

# ---- JSON has all of it ----

$ hsel compare results.csv --covariate imbalance --control rpv --json
> {
>   "datasets": [
>     "CE-BP",
>     "CE-CC",
>     "CE-MF",
>     "DM-BP",
>     "DM-CC",
>     "DM-MF"
>   ],
>   "complete_datasets": 6,
>   "lower_is_better": false,
>   "control": "rpv",
>   "alpha": 0.05,
>   "tolerance": 0,
>   "one_sided": false,
>   "keep_zeros": false,
>   "covariate": "imbalance",
>   "methods": [
>     {
>       "method": "rpv",
>       "mean_rank": 1.5,
>       "wins": 5,
>       "ranks": [
>         1,
>         1,
>         1,
>         1,
>         2,
>         3
>       ],
>       "correlation": {
>         "r": 0.24122763099322864,
>         "p": 0.6451771643010678,
>         "datasets": 6
>       }
>     },
>     {
>       "method": "nofs",
>       "mean_rank": 2.25,
>       "wins": 1,
>       "ranks": [
>         2,
>         2.5,
>         3,
>         2,
>         2,
>         2
>       ],
>       "against_control": {
>         "z": 1.299038105676658,
>         "p": 0.19393085228241067,
>         "holm_p": 0.38786170456482133,
>         "differs": false
>       },
>       "correlation": {
>         "r": 0.34501079921220795,
>         "p": 0.5030175418063908,
>         "datasets": 6
>       }
>     },
>     {
>       "method": "hip",
>       "mean_rank": 2.25,
>       "wins": 2,
>       "ranks": [
>         3,
>         2.5,
>         2,
>         3,
>         2,
>         1
>       ],
>       "against_control": {
>         "z": 1.299038105676658,
>         "p": 0.19393085228241067,
>         "holm_p": 0.38786170456482133,
>         "differs": false
>       },
>       "correlation": {
>         "r": 0.3717470575886086,
>         "p": 0.4680663685357722,
>         "datasets": 6
>       }
>     }
>   ],
>   "tested": true,
>   "friedman": {
>     "chi2": 2.25,
>     "p": 0.32465246735834974,
>     "df": 2,
>     "chi2_ties": 2.8421052631578947,
>     "p_ties": 0.24145971495638432,
>     "p_exact": 0.2700617283950617,
>     "p_permutations": null
>   },
>   "iman_davenport": {
>     "f": 1.1538461538461537,
>     "p": 0.3540925979614257,
>     "df1": 2,
>     "df2": 10
>   },
>   "nemenyi": {
>     "q": 2.343700586384296,
>     "critical_difference": 1.3531361644488569,
>     "groups": [
>       [
>         "rpv",
>         "nofs",
>         "hip"
>       ]
>     ]
>   },
>   "pairs": [
>     {
>       "method": "rpv",
>       "against": "nofs",
>       "wins": 4,
>       "ties": 1,
>       "losses": 1,
>       "wilcoxon_v": 14,
>       "wilcoxon_p": 0.10564542920187692,
>       "exact": false,
>       "differences": 5,
>       "zeros": 1
>     },
>     {
>       "method": "rpv",
>       "against": "hip",
>       "wins": 4,
>       "ties": 1,
>       "losses": 1,
>       "wilcoxon_v": 11,
>       "wilcoxon_p": 0.41849223344681974,
>       "exact": false,
>       "differences": 5,
>       "zeros": 1
>     },
>     {
>       "method": "nofs",
>       "against": "hip",
>       "wins": 2,
>       "ties": 2,
>       "losses": 2,
>       "wilcoxon_v": 4,
>       "wilcoxon_p": 0.8551321405847059,
>       "exact": false,
>       "differences": 4,
>       "zeros": 2
>     }
>   ],
>   "words": "rpv has the best mean rank (1.50) over 6 data sets. Friedman's test does not reject that all methods perform alike (exact p = 0.2701): what follows may be chance. By Holm's procedure the control rpv is not significantly better than any other method, nor worse. By Nemenyi's test (critical difference 1.35) no two methods differ significantly. Caution: 6 data sets are few for these tests (about 10 are needed)."
> }

# ---- holes ----

file holes.tsv
| set	a	b	c
| one	1	2	3
| two	?	2	1
| three	3	NA	1
| four	2		3
| five	1	2	nan
$ hsel compare holes.tsv
> method  mean rank  wins
> c           1.000     1
> b           2.000     0
> a           3.000     0
>
> method  against  wins  ties  losses    V  Wilcoxon p      by
> c       b           1     0       1  1.5      1.0000  normal
> c       a           2     0       1  3.5      1.0000  normal
>
> Too little for a test over all methods: it needs two data sets or more on which every method has a
> result, and there is 1.
$ hsel compare holes.tsv --control a --json | sed -n '/"complete/p; /"control/p; /"tested/p; /"ranks/,/]/p'
>   "complete_datasets": 1,
>   "control": "a",
>       "ranks": [
>         1,
>         2,
>         2,
>         1,
>         null
>       ]
>       "ranks": [
>         2,
>         1,
>         null,
>         null,
>         1
>       ]
>       "ranks": [
>         3,
>         null,
>         1,
>         2,
>         2
>       ]
>   "tested": false,
$ hsel compare holes.tsv --diagram holes.svg
! hsel: a critical-difference diagram needs two methods and two data sets or more on which every method has a result; there is 1
= 2

# ---- one data set, two methods ----

file single.csv
| set,a,b
| one,1,2
$ hsel compare single.csv --control a
> method       mean rank  wins
> b                1.000     1
> a (control)      2.000     0
>
> method  against  wins  ties  losses    V  Wilcoxon p     by
> a       b           0     0       1  0.0      1.0000  exact
>
> Too little for a test over all methods: it needs two data sets or more on which every method has a
> result, and there is 1.

# ---- the diagram ----

$ hsel compare plain.csv --diagram d.svg > /dev/null && head -c 60 d.svg
> <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="
$ hsel compare plain.csv --diagram no/such/folder.svg
! hsel: no/such/folder.svg: cannot create: No such file or directory
= 1

# ---- bad input ----

file one_column.csv
| dataset,a
| x,1
file text.csv
| dataset,a,b
| x,1,2
| y,1,two
file infinite.csv
| dataset,a,b
| x,1,inf
file comma.csv
| dataset;a;b
| x;1,5;2,5
file ragged.csv
| dataset,a,b
| x,1,2
| y,1
file empty.csv
file header.csv
| dataset,a,b
file twice.csv
| dataset,a,b
| x,1,2
| x,1,2
file columns.csv
| dataset,a,a
| x,1,2
file unnamed.csv
| dataset,a,
| x,1,2

$ hsel compare one_column.csv
! hsel: one_column.csv:1: a table of results needs a column with the name of the data set and one for each of two methods or more, but this has 2 columns
= 1
$ hsel compare text.csv
! hsel: text.csv:3: 'two' in column b is not a number
= 1
$ hsel compare infinite.csv
! hsel: infinite.csv:2: 'inf' in column b is not a number
= 1
$ hsel compare comma.csv
! hsel: comma.csv:2: '1,5' in column a is not a number
= 1
$ hsel compare ragged.csv
! hsel: ragged.csv:3: 2 fields, but the header has 3
= 1
$ hsel compare empty.csv
! hsel: empty.csv: the file is empty: a header line is needed
= 1
$ hsel compare header.csv
! hsel: header.csv: there are no results below the header
= 1
$ hsel compare twice.csv
! hsel: twice.csv:3: data set 'x' occurs twice
= 1
$ hsel compare columns.csv
! hsel: columns.csv:1: two columns have the name a
= 1
$ hsel compare unnamed.csv
! hsel: unnamed.csv:1: column 3 has no name
= 1
$ hsel compare nothing.csv
! hsel: nothing.csv: cannot open: No such file or directory
= 1
$ hsel compare plain.csv --control hib
! hsel: the control, hib, is not one of the methods; did you mean hip?
= 2
$ hsel compare plain.csv --control something
! hsel: the control, something, is not one of the methods
= 2
$ hsel compare plain.csv --covariate imbalence
! hsel: plain.csv: there is no column imbalence
= 2
$ hsel compare results.csv --covariate imbalence
! hsel: results.csv: there is no column imbalence; did you mean imbalance?
= 2
$ hsel compare results.csv --covariate dataset
! hsel: the first column, dataset, names the data sets; a covariate has numbers
= 2
$ hsel compare plain.csv --alpha 0.9
! hsel: option alpha takes a number from 1e-06 to 0.5, not '0.9'
= 2
$ hsel compare
! hsel: compare needs RESULTS; usage: hsel compare [options] RESULTS
= 2
