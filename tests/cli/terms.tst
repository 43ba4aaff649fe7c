# hsel terms: the table of terms.

$ printf 'id,top,left,low,number,class\n1,1,1,1,5,yes\n2,1,1,1,6,yes\n3,1,1,1,7,yes\n4,1,1,1,4,yes\n5,1,1,0,9,yes\n6,0,0,0,1,no\n7,0,0,0,2,no\n8,0,0,0,3,no\n9,0,0,0,2.5,no\n10,1,0,0,0,no\n' >small.csv
$ printf 'left\ttop\nlow\tleft\n' >up.tsv
$ hsel terms -q small.csv --hierarchy up.tsv
> 4 of 4 tested terms of small with q ≤ 0.05
> term    level   yes, n = 5   no, n = 5  effect  95 % interval       p       q              finding
> left        1  5 (100.0 %)   0 (0.0 %)     121   2.02 to 7259  0.0079  0.0159  through those below
> number      0          6.2         1.7     4.5   2.08 to 6.92  0.0079  0.0159        most specific
> top         0  5 (100.0 %)  1 (20.0 %)      33   1.06 to 1024  0.0476  0.0476  through those below
> low         2   4 (80.0 %)   0 (0.0 %)      33   1.06 to 1024  0.0476  0.0476        most specific
> p: Fisher's exact test, two-sided; numbers: ranks. q: Benjamini-Hochberg, which bounds the false
> discovery rate, given p-values that are independent or positively dependent.
$ hsel terms -q small.csv --hierarchy up.tsv --significant --csv
> feature,label,level,in no,of no,in yes,of yes,most_in,effect,value,low,high,p,q,status,significant,finding,p_without_below,p_within_above
> left,,1,0,5,5,5,yes,odds ratio,121.00000000000001,2.0168952243896574,7259.177285439103,0.007936507936507908,0.015873015873015872,tested,yes,through those below,0.16666666666666669,0.16666666666666669
> number,,0,1.7,5,6.2,5,yes,difference,4.5,2.0795759668805838,6.920424033119416,0.007936507936507936,0.015873015873015872,tested,yes,most specific,,
> top,,0,1,5,5,5,yes,odds ratio,33,1.0639387126139348,1023.5551983295105,0.047619047619047485,0.047619047619047485,tested,yes,through those below,1,
> low,,2,0,5,4,5,yes,odds ratio,33,1.0639387126139348,1023.5551983295105,0.047619047619047485,0.047619047619047485,tested,yes,most specific,,1
$ hsel terms -q small.csv --hierarchy up.tsv --top 1 --json
> {
>   "dataset": "small",
>   "classes": [
>     {
>       "name": "no",
>       "instances": 5
>     },
>     {
>       "name": "yes",
>       "instances": 5
>     }
>   ],
>   "positive": "yes",
>   "adjust": "bh",
>   "alpha": 0.05,
>   "tested": 4,
>   "significant": 4,
>   "method": "p: Fisher's exact test, two-sided; numbers: ranks. q: Benjamini-Hochberg, which bounds the false discovery rate, given p-values that are independent or positively dependent.",
>   "terms": [
>     {
>       "feature": "left",
>       "level": 1,
>       "count": [
>         0,
>         5
>       ],
>       "most_in": "yes",
>       "odds_ratio": [
>         121.00000000000001,
>         2.0168952243896574,
>         7259.177285439103
>       ],
>       "p": 0.007936507936507908,
>       "q": 0.015873015873015872,
>       "status": "tested",
>       "significant": true,
>       "finding": "through those below",
>       "p_without_below": 0.16666666666666669,
>       "p_within_above": 0.16666666666666669
>     }
>   ]
> }
$ hsel terms -q small.csv --ignore number --top 1 --latex
> % Tables of small
> % Take them in with \input; they need \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{graphicx};
> % LuaLaTeX or XeLaTeX if names are written in other letters.
> \providecommand{\hselfit}[1]{\sbox0{#1}\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}
>
> \begin{table}[tbp]
> \centering
> \caption{3 of 3 tested terms of small with q ≤ 0.05; the first 1 are shown}
> \label{tab:hsel-1}
> \hselfit{%
> \begin{tabular}{lrrrrrr}
> \toprule
> term & yes, n = 5 & no, n = 5 & odds ratio & 95 \% interval & p & q \\
> \midrule
> left & 5 (100.0 \%) & 0 (0.0 \%) & 121 & 2.02 to 7259 & 0.0079 & 0.0238 \\
> \bottomrule
> \end{tabular}}
>
> \smallskip{\footnotesize p: Fisher's exact test, two-sided. q: Benjamini-Hochberg, which bounds the false discovery rate, given p-values that are independent or positively dependent.}
> \end{table}
$ hsel terms -q small.csv --ignore number --adjust scan --permutations 999 --top 2
> 3 of 3 tested terms of small with q ≤ 0.05; the first 2 are shown
> term   yes, n = 5   no, n = 5  odds ratio  95 % interval       p       q
> left  5 (100.0 %)   0 (0.0 %)         121   2.02 to 7259  0.0040  0.0020
> top   5 (100.0 %)  1 (20.0 %)          33   1.06 to 1024  0.0238  0.0360
> p: as many cases in the term alone, one-sided. q: tree scan statistic, which bounds the chance of
> any false rejection.
$ hsel terms -q small.csv --adjust nothing
! hsel: nothing is not a procedure; known: bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli
= 2
$ hsel terms -q small.csv --no-class
! hsel: testing features needs two classes or more, but small has 0
= 2
$ hsel terms -q small.csv --csv --json
! hsel: --json cannot be combined with --csv
= 2
$ hsel terms -q small.csv --csv --latex
! hsel: --latex cannot be combined with --csv
= 2

# Strata: the odds ratio of Mantel and Haenszel. Three classes: where a term is most frequent.
$ awk -F, 'BEGIN { print "site,x,class"; for (i = 0; i < 60; i++) print "s" i % 3 "," (i * 7 % 5 < 2) "," (i * 3 % 4 < 2 ? "yes" : "no") }' >sites.csv
$ hsel terms -q sites.csv --strata site
> 0 of 1 tested terms of sites with q ≤ 0.05
> term  yes, n = 30   no, n = 30  odds ratio  95 % interval       p       q
> x     12 (40.0 %)  12 (40.0 %)           1  0.356 to 2.81  1.0000  1.0000
> p: Fisher's exact test within strata, two-sided. q: Benjamini-Hochberg, which bounds the false
> discovery rate, given p-values that are independent or positively dependent.
$ awk -F, 'BEGIN { print "x,y,class"; for (i = 0; i < 60; i++) print (i % 3 == 1) "," (i % 5 < 2) "," substr("abc", i % 3 + 1, 1) }' >three.csv
$ hsel terms -q three.csv
> 1 of 2 tested terms of three with q ≤ 0.05
> term   a, n = 20     b, n = 20   c, n = 20  most in        p        q
> x      0 (0.0 %)  20 (100.0 %)   0 (0.0 %)        b  7.2e-16  1.4e-15
> y     8 (40.0 %)    8 (40.0 %)  8 (40.0 %)        –   1.0000   1.0000
> p: Fisher's exact test, two-sided. q: Benjamini-Hochberg, which bounds the false discovery rate,
> given p-values that are independent or positively dependent.
