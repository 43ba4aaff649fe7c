# hsel discover --sets: how well each of many sets can be predicted.

$ awk 'BEGIN { print "id,a,b,c,class"; for (i = 1; i <= 90; i++) print "G" i "," (i % 3 == 0) "," (i % 4 == 0) "," (i % 5 == 0) ",x" }' >g.csv
$ awk 'BEGIN { printf "thirds\tna"; for (i = 3; i <= 90; i += 3) printf "\tg%d", i; printf "\nmixed\tna"; for (i = 1; i <= 90; i += 7) printf "\tdb:G%d", i; print "\nfew\tna\tG1\tG2\tnobody"; printf "all\tna"; for (i = 1; i <= 89; i++) printf "\tG%d", i; print "" }' >s.gmt
$ hsel discover g.csv --id id --sets s.gmt
> set     members  matched  AUROC  95 % interval  corrected, at most  enrichment in top 1 %  95 % interval  recovered %
> thirds       30       30  100.0              –               100.0                    3.0              –        100.0
> mixed        13       13   13.9    [5.7, 24.5]                   –                    0.0              –          0.0
>
> 1 left out because it is too small: few (2)
>
> 1 left out because it is too large: all (89)
! note: these members of sets match no instance, or several: nobody
$ hsel discover -q g.csv --id id --sets s.gmt --csv | cut -d, -f 1-6
> set,members,matched,left_out,auroc,auroc_low
> thirds,30,30,,1,
> mixed,13,13,,0.13886113886113888,0.05677887140539093
> few,3,2,too small,,
> all,89,89,too large,,
$ hsel discover -q g.csv --id id --sets s.gmt --json --threads 3 | grep -A3 '"set": \|not_found'
>       "set": "thirds",
>       "members": 30,
>       "matched": 30,
>       "left_out": null,
> --
>       "set": "mixed",
>       "members": 13,
>       "matched": 13,
>       "left_out": null,
> --
>       "set": "few",
>       "members": 3,
>       "matched": 2,
>       "left_out": "too small"
> --
>       "set": "all",
>       "members": 89,
>       "matched": 89,
>       "left_out": "too large"
> --
>   "not_found": [
>     "nobody"
>   ]
> }
$ hsel discover -q g.csv --id id --sets s.gmt --min-set 3 --max-set 20 --classify knn:k=5 --folds 3 --csv | cut -d, -f 1-4
> set,members,matched,left_out
> mixed,13,13,
> thirds,30,30,too large
> few,3,2,too small
> all,89,89,too large
# A table of set and member.
$ awk 'BEGIN { print "pathway,gene"; for (i = 3; i <= 90; i += 3) print "thirds,G" i }' >s.csv
$ hsel discover -q g.csv --id id --sets s.csv --csv | cut -d, -f 1-5
> set,members,matched,left_out,auroc
> thirds,30,30,,1
$ hsel discover g.csv --id id --sets s.gmt --positives G1
! hsel: --sets cannot be combined with --positives: each set is the positive class in turn
= 2
$ hsel discover g.csv --id id --positives G1,G2,G3 --min-set 5
! hsel: --min-set requires --sets
= 2
$ hsel discover g.csv --id id --sets nosuch.gmt
! hsel: nosuch.gmt: cannot open: No such file or directory
= 1
$ hsel discover g.csv --id id --sets g.csv
! hsel: g.csv:1: more than two columns between commas: GMT has tabs, and a table of set and member has two columns
= 1
$ printf 'a\tna\tnobody\n' >n.gmt; hsel discover g.csv --id id --sets n.gmt
! hsel: no member of a set is in g, which has names such as G1
= 2
