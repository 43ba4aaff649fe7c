# hsel rank, and top as a selector, on a data set that can be worked out by hand: a tells the classes apart, e almost, c is
# constant, b is never known, d is nominal.
file mixed.csv
| a,b,c,d,e,class
| 1,,3,x,1,yes
| 2.5,,3,y,0,no
| -1,,3,x,1,yes
| 5,,3,?,0,no
| 7,,3,x,1,no
file three.csv
| a,b,class
| 1,0.5,u
| 2,0.5,u
| 3,0.25,v
| 4,0.5,v
| 5,0.75,w
file binary.csv
| a,b,c,class
| 1,0,1,yes
| 1,1,0,yes
| 0,1,0,no
| 0,0,1,no
file infinite.csv
| a,b,class
| 1,2,yes
| inf,3,no
file one.csv
| a,class
| 1.5,yes
| 2.5,yes

# ---- tables ----
$ hsel rank mixed.csv
> feature      auc  rank
> a              1     1
> e        0.83333     2
> d           0.75     3
> b              –     4
> c              –     5
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
$ hsel rank mixed.csv --by auc,ks,gi,or,ig,relieff --top 3
> feature      auc  rank       ks  rank       gi  rank  or  rank       ig  rank  relieff  rank
> a              1     1        1     1        0     1   0     1  0.97095     1  0.27917     1
> e        0.83333     2  0.66667     2  0.44444     3   0     3  0.41997     2  0.26667     2
> d           0.75     3      0.5     3  0.44444     2   0     2  0.22336     3      0.1     3
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
! note: the best 3 of 5 features; --top 0 shows all
$ hsel rank mixed.csv --by gi,pr:zero=inf --top 0 --csv
> feature,gi,rank_1,pr:zero=inf,rank_2
> a,0,1,inf,1
> d,0.4444444444444444,2,2,3
> e,0.4444444444444444,3,3,2
> b,,4,,4
> c,,5,,5
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
$ hsel rank mixed.csv --by auc,pr:zero=inf --top 2 --json -q
> {
>   "dataset": "mixed",
>   "features": 5,
>   "positive_class": "yes",
>   "positive_share": 0.4,
>   "rankers": [
>     "auc",
>     "pr:zero=inf"
>   ],
>   "ranking": [
>     {
>       "feature": "a",
>       "values": [
>         1,
>         "inf"
>       ],
>       "ranks": [
>         1,
>         1
>       ]
>     },
>     {
>       "feature": "e",
>       "values": [
>         0.8333333333333334,
>         3
>       ],
>       "ranks": [
>         2,
>         2
>       ]
>     }
>   ]
> }
$ hsel rank mixed.csv --by 'dev,or(zero=half)' --top 1 --csv -q -o ranking.csv && cat ranking.csv
> feature,dev,rank_1,or:zero=half,rank_2
> a,0,1,35,1
$ hsel rank three.csv --by auc,mi,relieff:k=1 --threads 2
> feature      auc  rank       mi  rank  relieff:k=1  rank
> a        0.86667     1  0.70076     1      0.33333     1
> b        0.73333     2  0.34154     2      0.13333     2
$ hsel rank binary.csv --by r:smoothing=rpv,lift,phi,auc
> feature  r:smoothing=rpv  rank  lift  rank  phi  rank  auc  rank
> a                0.88889     1     2     1    1     1    1     1
> b                      0     2     1     2    0     2  0.5     2
> c                      0     3     1     3    0     3  0.5     3
! note: binary: the positive class is yes, 2 of 4 instances (50.0 %)

# ---- the best features, as a selector ----
$ hsel select mixed.csv --select top:by=auc,k=2 --scores
> a	1
> e	0.8333333333333334
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
! note: 2 of 5 features selected
$ hsel select -q mixed.csv --select 'top:by=or(zero=half),share=0.4'
> a
> e
$ hsel select mixed.csv --select top:by=ig,k=99
> a
> b
> c
> d
> e
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
! note: 5 of 5 features selected
$ hsel eval -q binary.csv --select 'top:by=relieff-w(k=2,sigma=3),k=1' --select top:by=phi,k=1 --folds 2 --metrics accuracy --csv
> dataset,selector,classifier,accuracy,selected_pct,seconds,positive_class,positive_pct
> binary,"top:by=relieff-w(k=2,sigma=3),k=1",nb,100.000000,33.333333,...,yes,50.000000
> binary,"top:by=phi,k=1",nb,100.000000,33.333333,...,yes,50.000000

# ---- what cannot be ----
$ hsel rank mixed.csv --by r
! hsel: r needs binary features, but feature a of mixed is numeric: --ignore leaves features out
= 1
$ hsel rank mixed.csv --by aux
! hsel: there is no ranker 'aux'; did you mean 'auc'?
= 2
$ hsel rank mixed.csv --by or:zero=never
! hsel: option zero takes paper|inf|one|half, not 'never'
= 2
$ hsel rank mixed.csv --csv --json
! hsel: --json cannot be combined with --csv
= 2
$ hsel rank infinite.csv
! hsel: infinite.csv:3: the value inf of column a is not finite
= 1
$ hsel rank one.csv --by ig
! hsel: ig needs two classes or more, but one has 1
= 2
$ hsel rank nowhere.csv
! hsel: nowhere.csv: cannot open: No such file or directory
= 1
$ hsel rank mixed.csv --top -1
! hsel: option top takes a whole number from 0 to 268435456, not '-1'
= 2
$ hsel rank mixed.csv -o no/such/folder/x.csv
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
! hsel: no/such/folder/x.csv: cannot create: No such file or directory
= 1
$ hsel select mixed.csv --select top:by=aux
! hsel: there is no ranker 'aux'; did you mean 'auc'?
= 2
$ hsel select mixed.csv --select top:by=r
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
! hsel: r needs binary features, but feature a of mixed is numeric: --ignore leaves features out
= 1
$ hsel select mixed.csv --select top:k=0
! hsel: option k takes a whole number from 1 to 268435456, not '0'
= 2
$ hsel eval binary.csv --select 'top:by=relieff(k=2,k=1'
! hsel: there is no ranker 'relieff(k=2,k=1'; there are: f, or, pow, pr, gi, mi, ks, dev, gm, auc, prc, relieff, relieff-w, pearson, spearman, lazyr, r, ig, gr, su, chi2, lift, phi, gini
= 2

# ---- p-values: of a Fisher's test, 2 of C(4,2) = 6 tables are as extreme; b and c say nothing ----
$ hsel rank -q binary.csv --p-values
> feature  auc  rank      p  q
> a          1     1  0.333  1
> b        0.5     2      1  1
> c        0.5     3      1  1
$ hsel rank -q binary.csv --p-values --tail more --mid --adjust holm --csv
> feature,auc,rank,p,q
> a,1,1,0.08333333333333334,0.25
> b,0.5,2,0.49999999999999994,0.9999999999999999
> c,0.5,3,0.49999999999999994,0.9999999999999999
$ hsel rank -q mixed.csv --p-values --json --top 1
> {
>   "dataset": "mixed",
>   "features": 5,
>   "positive_class": "yes",
>   "positive_share": 0.4,
>   "rankers": [
>     "auc"
>   ],
>   "ranking": [
>     {
>       "feature": "a",
>       "values": [
>         1
>       ],
>       "ranks": [
>         1
>       ],
>       "p": 0.2,
>       "q": 0.4
>     }
>   ]
> }
$ hsel rank mixed.csv --p-values --means --top 0
> feature      auc  rank       p      q
> a              1     1  0.0608  0.122
> e        0.83333     2     0.4    0.4
> d           0.75     3       –      –
> b              –     4       –      –
> c              –     5       –      –
! note: 1 nominal feature has no p-value
! note: 2 constant features are not counted among the hypotheses
! note: mixed: the positive class is yes, 2 of 5 instances (40.0 %)
$ hsel rank binary.csv --tail more
! hsel: --tail requires --p-values
= 2
$ hsel rank binary.csv --p-values --test g --mid
! hsel: tail and mid are for test=fisher
= 2
$ hsel rank binary.csv --p-values --adjust foo
! hsel: foo is not a procedure; known: bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli
= 2
$ hsel rank binary.csv --p-values --compare
! hsel: --p-values cannot be combined with --compare: features are not shown
= 2

# ---- what is no hypothesis: constant features, and amounts present in too few instances ----
file sparse.csv
| k,x,y,z,u,v,class
| 1,1,0,5,0,0,yes
| 1,1,0,6,0,3,yes
| 1,1,0,7,0,2,yes
| 1,1,4,9,0,1,yes
| 1,0,0,1,0,0,no
| 1,0,0,2,0,0,no
| 1,0,0,3,0,0,no
| 1,0,0,4,0,0,no
$ hsel rank sparse.csv --p-values --csv | cut -d, -f 1,4-
> feature,p,q
> x,0.028571428571428536,0.04285714285714286
> z,0.02857142857142857,0.04285714285714286
> v,0.14285714285714263,0.14285714285714263
> y,,
> k,,
> u,,
! note: 2 constant features are not counted among the hypotheses
! note: 1 feature is not tested: present in fewer than 3 of 8 instances; --min-present 0 tests all
! note: sparse: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel rank -q sparse.csv --p-values --min-present 0
> feature    auc  rank       p       q
> x            1     1  0.0286  0.0571
> z            1     2  0.0286  0.0571
> v        0.875     3   0.143    0.19
> y        0.625     4       1       1
> k            –     5       –       –
> u            –     6       –       –
$ hsel rank -q sparse.csv --p-values --permutations 999 --adjust max-t
> feature    auc  rank      p      q
> x            1     1  0.028  0.028
> z            1     2  0.028  0.028
> v        0.875     3  0.125  0.125
> y        0.625     4      –      –
> k            –     5      –      –
> u            –     6      –      –
# clr gives what is absent another value in each instance; it is still absent.
$ hsel rank sparse.csv --transform clr --p-values
> feature     auc  rank       p       q
> x             1     1  0.0286  0.0857
> u             1     2       –       –
> y          0.75     3       –       –
> z        0.6875     4   0.486   0.686
> v         0.625     5   0.686   0.686
> k             –     6       –       –
! note: clr added 0.5 to each abundance
! note: 1 constant feature is not counted among the hypotheses
! note: 2 features are not tested: present in fewer than 3 of 8 instances; --min-present 0 tests all
! note: sparse: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel convert -q sparse.csv --transform clr -o sparse-clr.csv; hsel rank sparse-clr.csv --p-values
> feature     auc  rank       p       q
> x             1     1  0.0286  0.0857
> u             1     2       –       –
> y          0.75     3       –       –
> z        0.6875     4   0.486   0.686
> v         0.625     5   0.686   0.686
> k             –     6       –       –
! note: 1 constant feature is not counted among the hypotheses
! note: 2 features are not tested: present in fewer than 3 of 8 instances; --min-present 0 tests all
! note: sparse-clr: the positive class is yes, 4 of 8 instances (50.0 %)
# hsel test has the same hypotheses.
$ hsel rank -q sparse.csv --by auc --p-values --top 0 --csv -o sparse-p.csv; hsel test sparse-p.csv --p p --method bh
> id	label	p	adjusted	rejected	outer
> x		0.028571428571428536	0.04285714285714286	yes	yes
> z		0.02857142857142857	0.04285714285714286	yes	yes
! note: lines without a p-value, left out: 3
! note: Benjamini-Hochberg, FDR at most 0.05: 2 of 3 terms rejected
! note: Benjamini-Hochberg assumes p-values that are independent or positively dependent
$ printf 'x\tk\ny\tk\nz\tk\nv\tu\n' > sparse.tsv
$ hsel select sparse.csv --hierarchy sparse.tsv --select fdr:method=bh,alpha=0.05
> x
> z
! note: sparse: the positive class is yes, 4 of 8 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. k, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: fdr: 1 of 1 selections do not test features present in too few instances (min-present)
! note: 2 of 6 features selected
$ hsel select -q sparse.csv --hierarchy sparse.tsv --select fdr:method=dagger,alpha=0.1
> x
> z
$ hsel select -q sparse.csv --hierarchy sparse.tsv --select fdr:method=bh,alpha=0.05,min-present=0
$ hsel rank sparse.csv --min-present 0.1
! hsel: --min-present requires --p-values
= 2

# ---- permutations; strata ----
file strata.csv
| id,a,b,n,site,class
| 1,1,1,0.5,x,yes
| 2,1,0,1.5,x,yes
| 3,0,1,2,x,no
| 4,0,0,3,x,no
| 5,1,1,4,y,yes
| 6,1,0,5,y,yes
| 7,0,1,6,y,no
| 8,0,0,7,y,no
| 9,1,1,8,,yes

# a and n: 2 of the 36 ways of choosing the class within strata are as extreme. b: nothing is less probable
$ hsel rank strata.csv --id id --strata site --p-values --by chi2
> feature  chi2  rank       p       q
> a           9     1  0.0556  0.0833
> b        0.09     2       1       1
> n           0     3  0.0556  0.0833
! note: 2 strata; 1 of 9 instances have none
! note: p-values within 2 strata; instances without stratum, left out: 1
! note: strata: the positive class is yes, 5 of 9 instances (55.6 %)
$ hsel rank strata.csv --id id --strata site --p-values --by chi2 --permutations 3599 --adjust max-t --seed 3 --threads 2
> feature  chi2  rank       p      q
> a           9     1  0.0542  0.104
> b        0.09     2       1      1
> n           0     3  0.0542  0.104
! note: 2 strata; 1 of 9 instances have none
! note: p-values within 2 strata; instances without stratum, left out: 1
! note: strata: the positive class is yes, 5 of 9 instances (55.6 %)
$ hsel rank -q strata.csv --id id --strata site --p-values --by chi2 --permutations 3599 --adjust max-t --seed 3 --threads 1
> feature  chi2  rank       p      q
> a           9     1  0.0542  0.104
> b        0.09     2       1      1
> n           0     3  0.0542  0.104
# Where there is a hierarchy, the column of strata is not looked for in it.
$ printf 'a\tz\nb\tz\n' > below-z.tsv; hsel rank strata.csv --id id --strata site --hierarchy below-z.tsv --p-values --by chi2 --top 1
> feature  chi2  rank       p       q
> a           9     1  0.0556  0.0833
! note: 2 strata; 1 of 9 instances have none
! note: 1 term of the hierarchy is not a feature: its children are connected with its parents
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. n
! note: p-values within 2 strata; instances without stratum, left out: 1
! note: strata: the positive class is yes, 5 of 9 instances (55.6 %)
! note: the best 1 of 3 features; --top 0 shows all
# One of several classes may be strata.
$ printf 'id\tclass\tsite\n1\tyes\tx\n2\tyes\tx\n3\tno\tx\n4\tno\tx\n5\tyes\ty\n6\tyes\ty\n7\tno\ty\n8\tno\ty\n' > both.tsv; printf '1\ta\n2\ta\n5\ta\n6\ta\n3\tb\n4\tb\n7\tb\n8\tb\n' > has.tsv
$ hsel build -q --hierarchy below-z.tsv --annotations has.tsv --labels both.tsv --class class,site --min-support 1 --no-propagate -o both.hsel; hsel rank -q both.hsel --strata site --by chi2 --p-values --top 1
> feature  chi2  rank       p       q
> a           8     1  0.0556  0.0556
# The chi-squared distribution is no approximation where few are expected; permutations count.
$ for o in "" "--permutations 9"; do hsel rank strata.csv --id id --ignore site,n --p-values --test chi2 $o 2>&1 | grep rare; done; true
> note: 2 features are too rare for this test (an expected count below 5): p-values may be far too small; --test fisher is exact
$ hsel select strata.csv --id id --ignore site,n --hierarchy below-z.tsv --select fdr:test=g 2>&1 | grep fdr:
> note: fdr: 1 of 1 selections use approximate p-values of rare features, which may be too small
# Numbers in too many orders to count: the normal distribution, which is said.
$ awk 'BEGIN { print "x,class"; x = 7; for (i = 0; i < 3000; i++) { x = x * 16807 % 2147483647; print x "," (i % 500 ? "no" : "yes") } }' > many.csv; hsel rank many.csv --p-values 2>&1 | grep arrangements
> note: 1 numeric feature: too many arrangements to count for an exact test, so p is that of the normal distribution and may be too small; --permutations 10000 counts random ones
# One-sided, 1 of 36; mid-p: half of it; Cochran-Mantel-Haenszel of a: mean 2, variance 2/3, chi2 = 6.
$ hsel rank -q strata.csv --id id --ignore n --strata site --p-values --by chi2 --tail more
> feature  chi2  rank       p       q
> a           9     1  0.0278  0.0556
> b        0.09     2    0.75    0.75
$ hsel rank -q strata.csv --id id --ignore n --strata site --p-values --by chi2 --tail more --mid
> feature  chi2  rank       p       q
> a           9     1  0.0139  0.0278
> b        0.09     2     0.5     0.5
$ hsel rank -q strata.csv --id id --ignore n --strata site --p-values --by chi2 --test cmh
> feature  chi2  rank       p       q
> a           9     1  0.0143  0.0286
> b        0.09     2       1       1
$ hsel rank -q strata.csv --id id --strata site --p-values --test chi2
! hsel: strata has strata: tests within strata are fisher and cmh, not chi2
= 2
$ hsel rank -q strata.csv --id id --strata site --p-values --test fisher --permutations 9
! hsel: permutations within strata require the test cmh
= 2
$ hsel rank -q strata.csv --id id --strata site --p-values --means
! hsel: means can be compared within strata only by permutations: give --permutations 10000
= 2
# Three classes within strata: each against the rest, the smallest p times 3. a: 1 of 6 in each stratum for yes.
$ sed 's/^\([48],.*\)no$/\1maybe/' strata.csv > three.csv; hsel rank -q three.csv --id id --ignore n --strata site --p-values --by chi2
> feature  chi2  rank      p      q
> a           9     1  0.167  0.333
> b        4.14     2      1      1
# A rare code, one of whose two patients is ill: the chi-squared distribution is no approximation here.
$ awk 'BEGIN { print "x,site,class"; for (i = 0; i < 4000; i++) print (i == 0 || i == 3000) "," (i < 2000 ? "n" : "s") "," (i % 2000 < 2 ? "yes" : "no") }' > rare.csv
$ for t in fisher cmh; do hsel rank -q rare.csv --strata site --by chi2 --p-values --test $t --csv | awk -F, 'END { printf "%.4g\n", $4 }'; done
> 0.001999
> 2.015e-110
$ hsel rank -q strata.csv --id id --strata n --p-values
! hsel: --strata: n has the value 0.5, but strata must be names or whole numbers
= 2
$ hsel rank -q strata.csv --id id --p-values --test cmh
! hsel: the test cmh needs strata, but strata has none: give their column by --strata
= 2
$ hsel rank -q strata.csv --id id --p-values --adjust max-t
! hsel: --adjust max-t requires --permutations
= 2
$ hsel rank -q strata.csv --id id --permutations 10
! hsel: --permutations requires --p-values
= 2
$ hsel rank -q rare.csv --ignore site --by chi2 --p-values --adjust scan --csv
> feature,chi2,rank,p,q
> x,498.7498754382196,1,0.0019992498124525243,0.0021
$ hsel rank -q rare.csv --ignore site --by chi2 --p-values --adjust scan --scan poisson --scan-rate 0.25 --csv
> feature,chi2,rank,p,q
> x,498.7498754382196,1,0.3934693402873666,0.3944
$ hsel rank -q rare.csv --strata site --p-values --adjust scan
! hsel: scan is without strata, but rare has them: --adjust max-t permutes within strata
= 2
$ hsel rank -q sparse.csv --p-values --adjust scan
! hsel: scan is for binary features, but 4 are numeric
= 2
$ hsel rank -q rare.csv --ignore site --p-values --adjust scan --tail less
! hsel: scan looks for terms with more cases than their share, by its own test: leave out --test, --tail and --mid
= 2
$ hsel rank -q rare.csv --ignore site --p-values --scan-rate 0.1
! hsel: --scan and --scan-rate are for --adjust scan
= 2
$ hsel rank -q rare.csv --ignore site --p-values --adjust scan --scan-rate 1
! hsel: --scan-rate 1 of the Bernoulli scan is a share of the instances: less than 1
= 2

# Where nothing looks at them, that is said.
$ hsel eval strata.csv --id id --strata site --folds 2 --classify nb 2>&1 | grep effect
> note: --strata has no effect here; strata are used by the selector fdr, hsel rank --p-values
$ cp strata.csv fdr.csv; hsel eval fdr.csv --id id --strata site --folds 2 --classify nb --select none 2>&1 | grep -c "no effect"
> 1
$ hsel methods --json | jq -r '.[] | select(.flags | index("within-strata")) | .name'; hsel help fdr | grep strata
> fdr
> If the data have strata (--strata), instances are compared within strata.
>   test=auto|fisher|chi2|g|cmh test of binary features: Fisher's exact test (also within strata),
>                               Cochran-Mantel-Haenszel test within strata, which is unreliable for
>                               rare features; auto: fisher, or cmh for permutations within strata
>   permutations=N              compute p from N permutations of the classes (within strata), the same
$ hsel select strata.csv --id id --strata site --select stability:of=fdr,runs=2 2>&1 | grep -c effect
> 0
= 1
# A table of strata, a pack that keeps them, and the selector.
$ printf '1\tx\n2\tx\n3\tx\n4\tx\n5\ty\n6\ty\n7\ty\n8\ty\n' > sites.tsv
$ hsel convert -q strata.csv --id id --ignore site,n --strata sites.tsv -o strata.hsel
$ hsel rank strata.hsel --p-values --by chi2
> feature  chi2  rank       p      q
> a           9     1  0.0556  0.111
> b        0.09     2       1      1
! note: p-values within 2 strata; instances without stratum, left out: 1
! note: strata: the positive class is yes, 5 of 9 instances (55.6 %)
$ printf 'a\tc\nb\tc\n' > edges.tsv
$ hsel select strata.hsel --hierarchy edges.tsv --select fdr:method=bh,alpha=0.12
> a
! note: 1 term of the hierarchy is not a feature: its children are connected with its parents
! note: strata: the positive class is yes, 5 of 9 instances (55.6 %)
! note: fdr: 1 of 1 selections leave out instances without stratum
! note: 1 of 2 features selected
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:method=max-t,permutations=999
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:method=max-t
! hsel: max-t needs permutations: permutations=10000
= 2
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:method=elim,permutations=10
! hsel: elim has no permutations
= 2
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:method=holms
! hsel: holms is not a procedure; known: bh, by, holm, focused-bh, dagger, dagger-dependent, structured-holm, yekutieli; for fdr also elim, weight01, weight01-topgo, weight, max-t
= 2
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:method=bh,filter=lin
! hsel: filter is for method=focused-bh, or with outer
= 2
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:similar=0.1
! hsel: similar is for a filter by similarity
= 2
$ hsel select -q strata.hsel --hierarchy edges.tsv --select fdr:cut=0.1
! hsel: cut is for method=elim
= 2

# ---- elim, weight01, weight: a takes 4 of the 5 instances of c, which is positive in one more ----
file below.csv
| a,c,class
| 1,1,yes
| 1,1,yes
| 1,1,yes
| 1,1,yes
| 0,1,no
| 0,0,no
| 0,0,no
| 0,0,no
$ printf 'a\tc\n' > below.tsv
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust elim
> feature       ig  rank       p  p_elim
> a              1     1  0.0286  0.0286
> c        0.54879     2   0.143   0.143
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust weight01
> feature       ig  rank       p  p_weight01
> a              1     1  0.0286      0.0286
> c        0.54879     2   0.143           1
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust weight
> feature       ig  rank       p  p_weight
> a              1     1  0.0286    0.0286
> c        0.54879     2   0.143       0.4
# As topGO computes it: every child takes its instances away (test_fdr.c has the cases that differ).
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust weight01-topgo
> feature       ig  rank       p  p_weight01-topgo
> a              1     1  0.0286            0.0286
> c        0.54879     2   0.143                 1
# structured-holm rejects c because a is: that is said, beside its own p.
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust structured-holm
> feature       ig  rank       p       q  inherited
> a              1     1  0.0286  0.0571         no
> c        0.54879     2   0.143  0.0571        yes
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust structured-holm --json | jq -c '.ranking[] | [.feature, .q, .inherited]'
> ["a",0.05714285714285707,false]
> ["c",0.05714285714285707,true]
$ hsel select below.csv --hierarchy below.tsv --select fdr:method=structured-holm,alpha=0.06 2>&1 | grep -E 'inherited|^[ac]'
> note: fdr: 1 of 1 selections include terms only because a term below them is significant (inherited)
> a
> c
$ hsel rank -q below.csv --by ig --p-values --adjust weight
! hsel: weight needs a hierarchy: give --hierarchy FILE
= 2
$ hsel rank -q strata.csv --id id --ignore site --hierarchy edges.tsv --by ig --p-values --adjust weight
! hsel: weight is for binary features, but 1 are numeric
= 2
$ hsel rank -q below.csv --hierarchy below.tsv --by ig --p-values --adjust elim --permutations 9
! hsel: elim has no permutations
= 2

# ---- stability: the bound is told where it holds, elsewhere what permuted classes give ----
# Noise, 60 features of 80 instances, half of them below another one.
$ awk 'BEGIN { x = 7; for (j = 0; j < 60; j++) printf "f%d,", j; print "class"; for (i = 0; i < 80; i++) { for (j = 0; j < 60; j++) { x = x * 16807 % 2147483647; printf "%d,", x < 6e8 }; print i % 2 } }' > noise.csv
$ awk 'BEGIN { for (j = 30; j < 60; j++) printf "f%d\tf%d\n", j, j - 30 }' > noise.tsv
$ for s in of=top of=top,share=0.8 of=top,threshold=0.5 of=shsel of=top,share=0.8,permutations=0; do hsel select noise.csv --hierarchy noise.tsv --select "stability:$s" 2>&1 >/dev/null | grep -E "stability|selected"; done
> note: stability: 1 of 1 selections by top expect at most 26 features that are not relevant, if such features are exchangeable
> note: 5 of 60 features selected
> note: stability: 1 of 1 selections by top keep about 14 features when classes are permuted
> note: 16 of 60 features selected
> note: stability: 1 of 1 selections by top keep about 17 features when classes are permuted
> note: 20 of 60 features selected
> note: stability: 1 of 1 selections by shsel keep about 4 features when classes are permuted
> note: 5 of 60 features selected
> note: stability: 1 of 1 selections by top have no bound on features that are not relevant
> note: 16 of 60 features selected
$ for t in 1 2; do hsel select noise.csv --hierarchy noise.tsv --select stability:of=shsel,share=0.9 --threads $t 2>&1 | md5sum; done | uniq | wc -l
> 1

# ---- a tail is that of one class, and of binary features ----

file three.csv
| a,x,class
| 1,0.5,p
| 1,1.5,p
| 0,2.5,q
| 0,1,q
| 1,2,r
| 0,3,r
$ hsel rank three.csv --by chi2 --p-values --tail more --csv | wc -l
! note: --tail is for binary features: numeric ones are tested on both sides
! note: --tail compares q with all other classes; --positive CLASS changes it
> 3
