# hsel rank --compare: Kendall's tau between rankers. Tau itself is in tests/unit/test_kendall.c.

file genes.csv
| a,b,c,d,e,class
| 1.2,0.3,5,1,0,x
| 2.1,0.1,4,0,1,x
| 1.9,0.2,6,1,1,x
| 3.3,0.9,5,0,0,y
| 4.1,0.4,7,1,0,y
| 3.7,0.8,9,0,1,y
| 2.0,0.7,8,0,0,y
file others.csv
| p,q,r,class
| 1,7.5,0.1,n
| 2,6.5,0.4,n
| 3,9.5,0.2,y
| 4,8.5,0.3,y
| 5,7.7,0.9,y

$ hsel rank genes.csv --compare --by auc,ks,ig
> Agreement of rankers
> ====================
> Kendall's tau-b, which accounts for ties. 1: two rankers order all features in the same way; -1: in
> the opposite way; 0: as expected by chance.
>
> genes, 5 features
> ranker   auc    ks    ig
> auc     1.00  0.94  0.00
> ks      0.94  1.00  0.00
> ig      0.00  0.00  1.00
>
$ hsel rank genes.csv --compare --by auc,ks,ig --tau a
> Agreement of rankers
> ====================
> Kendall's tau-a on the order of the features; ties are ordered as in the data. 1: two rankers order
> all features in the same way; -1: in the opposite way; 0: as expected by chance.
>
> genes, 5 features
> ranker   auc    ks    ig
> auc     1.00  1.00  0.20
> ks      1.00  1.00  0.20
> ig      0.20  0.20  1.00
>
$ hsel rank genes.csv --compare --by auc,ks,ig --tau a --ties weka --csv
> statistic,dataset,ranker_a,ranker_b,value
> tau,genes,auc,ks,1
> tau,genes,auc,ig,-0.2
> tau,genes,ks,ig,-0.2
$ hsel rank genes.csv --compare --by auc,ks --json
> {
>   "tau": "b",
>   "ties": null,
>   "rankers": [
>     "auc",
>     "ks"
>   ],
>   "datasets": [
>     {
>       "dataset": "genes",
>       "features": 5,
>       "tau": [
>         [
>           1,
>           0.9428090415820632
>         ],
>         [
>           0.9428090415820632,
>           1
>         ]
>       ]
>     }
>   ]
> }
$ hsel rank genes.csv --compare | head -7
> Agreement of rankers
> ====================
> Kendall's tau-b, which accounts for ties. 1: two rankers order all features in the same way; -1: in
> the opposite way; 0: as expected by chance.
>
> genes, 5 features
> ranker      chi2     gr     ig  relieff  relieff-w     su      f     or    pow     pr     gi     mi     ks    dev     gm    auc    prc
$ hsel rank genes.csv others.csv --compare --by auc,ks,gi
> Agreement of rankers
> ====================
> Kendall's tau-b, which accounts for ties. 1: two rankers order all features in the same way; -1: in
> the opposite way; 0: as expected by chance.
>
> Mean over 2 data sets
> ranker   auc    ks    gi
> auc     1.00  0.97  1.00
> ks      0.97  1.00  0.97
> gi      1.00  0.97  1.00
>
> Standard deviation over 2 data sets
> ranker   auc    ks    gi
> auc     0.00  0.04  0.00
> ks      0.04  0.00  0.04
> gi      0.00  0.04  0.00
>
> Distance of each data set's matrix from the mean (Frobenius norm)
> data set                       features     distance
> genes                                 5         0.06
> others                                3         0.06
> random rankings (20 matrices)         –  2.09 ± 0.92
>
> genes, 5 features
> ranker   auc    ks    gi
> auc     1.00  0.94  1.00
> ks      0.94  1.00  0.94
> gi      1.00  0.94  1.00
>
> others, 3 features
> ranker   auc    ks    gi
> auc     1.00  1.00  1.00
> ks      1.00  1.00  1.00
> gi      1.00  1.00  1.00
>
$ hsel rank genes.csv others.csv --compare --by auc,ks,gi --threads 1 > one.txt
$ hsel rank genes.csv others.csv --compare --by auc,ks,gi --threads 4 > four.txt && cmp one.txt four.txt
$ hsel rank genes.csv others.csv --compare --by auc,ks --csv
> statistic,dataset,ranker_a,ranker_b,value
> tau,genes,auc,ks,0.9428090415820632
> tau,others,auc,ks,1
> mean,,auc,ks,0.9714045207910316
> sd,,auc,ks,0.040440114519880985
> distance,genes,,,0.04044011451988087
> distance,others,,,0.04044011451988102
> random_mean,,,,1.2357260693119705
> random_sd,,,,0.7258377931259457
$ hsel rank genes.csv others.csv --compare --by auc,ks --draws 0 --json -o all.json && tail -12 all.json
>   ],
>   "sd": [
>     [
>       0,
>       0.040440114519880985
>     ],
>     [
>       0.040440114519880985,
>       0
>     ]
>   ]
> }

# ---- heat maps: a picture and its data ----

$ hsel rank genes.csv --compare --by auc,ks --plot maps/tau.svg > out.txt
$ cat maps/tau.tsv
> row	column	value
> auc	auc	1
> auc	ks	0.9428090415820632
> ks	auc	0.9428090415820632
> ks	ks	1
$ grep -c "<rect x=" maps/tau.svg
> 4
$ hsel rank genes.csv others.csv --compare --by auc,ks --html page.html > out.txt
$ grep -c "<table" page.html
> 5

# ---- bad input ----

$ hsel rank genes.csv others.csv
! hsel: more than one DATA requires --compare
= 2
$ hsel rank genes.csv --compare --by auc
! hsel: --compare needs two rankers or more: --by auc,ks
= 2
$ hsel rank genes.csv --compare --by auc,kss
! hsel: there is no ranker 'kss'; did you mean 'ks'?
= 2
$ hsel rank genes.csv --compare --by auc,r
! hsel: r needs binary features, but feature a of genes is numeric: --ignore leaves features out
= 1
$ hsel rank genes.csv nowhere.csv --compare
! hsel: nowhere.csv: cannot open: No such file or directory
= 1
$ hsel rank genes.csv --compare --by auc,ks --plot "maps/a b.svg" >b.txt; ls maps/a*
> maps/a b.svg
> maps/a b.tsv
$ hsel rank genes.csv --compare --plot tau.png
! hsel: --plot needs a file that ends in .svg, not 'tau.png'
= 2
$ hsel rank genes.csv --compare --json --csv
! hsel: --json cannot be combined with --csv
= 2
$ hsel rank genes.csv --compare --tau c
! hsel: option tau takes b|a, not 'c'
= 2
