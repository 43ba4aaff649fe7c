# hsel eval: tables, files beside them, and what it refuses.
file genes.csv
| id,a,b,c,d,e,class
| g1,1,1,0,1,0,yes
| g2,1,1,0,1,0,yes
| g3,1,1,1,0,0,yes
| g4,1,0,1,0,1,no
| g5,1,0,1,0,0,no
| g6,0,0,0,0,1,no
| g7,1,1,0,0,0,yes
| g8,1,0,1,0,1,no
file terms.tsv
| b	a
| c	a
| d	b

$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> genes     none      nb          100.0  100.0  100.0     100.0        100.0        100.0      100.00   ...
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 4 --fold-scheme weka --select hip,all-pos,gtd --classify nb --classify knn:k=3 --metrics gm,auroc,compression
> data set  selector  classifier     GM  AUROC  Compression  selected %  seconds
> genes     hip       nb          100.0  100.0         37.5       62.50   ...
> genes     hip       knn         100.0  100.0         37.5       62.50   ...
> genes     all-pos   nb          100.0  100.0         50.0       50.00   ...
> genes     all-pos   knn         100.0  100.0         50.0       50.00   ...
> genes     gtd       nb           86.6  100.0         40.0       60.00   ...
> genes     gtd       knn          86.6  100.0         40.0       60.00   ...
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
# Options of a method may hold commas, too.
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --select rpv:measure=r,smoothing=rpv,hip --metrics accuracy --csv
> dataset,selector,classifier,accuracy,selected_pct,seconds,positive_class,positive_pct
> genes,"rpv:measure=r,smoothing=rpv",nb,100.000000,37.500000,...,yes,50.000000
> genes,hip,nb,100.000000,62.500000,...,yes,50.000000
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --repeats 3 --metrics gm,auroc
> data set  selector  classifier            GM         AUROC  selected %  seconds
> genes     none      nb           91.7 ± 14.4   100.0 ± 0.0      100.00   ...
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --repeats 3 --metrics gm,auroc --csv --pooled
> dataset,selector,classifier,gm,gm_sd,auroc,auroc_sd,selected_pct,seconds,positive_class,positive_pct
> genes,none,nb,91.666667,14.433757,97.916667,3.608439,100.000000,...,yes,50.000000
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --fold-scheme loo --metrics gm,sensitivity
> data set  selector  classifier     GM  Sensitivity  selected %  seconds
> genes     none      nb          100.0        100.0      100.00   ...
! note: leave-one-out: metrics are pooled over all instances
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --select gtd --json
> [
>   {
>     "dataset": "genes",
>     "selector": "gtd",
>     "classifier": "nb",
>     "fold_scheme": "own",
>     "folds": 2,
>     "repeats": 1,
>     "seed": 1,
>     "rank_by": "score",
>     "positive_class": "yes",
>     "positive_share": 0.5,
>     "metrics": {
>       "gm": {
>         "pooled": 0.8660254037844386,
>         "pooled_sd": 0,
>         "fold_mean": 0.8660254037844386,
>         "sd": 0,
>         "fold_se": 0.1464466094067262
>       },
>       "auroc": {
>         "pooled": 1,
>         "pooled_sd": 0,
>         "fold_mean": 1,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "auprc": {
>         "pooled": 1,
>         "pooled_sd": 0,
>         "fold_mean": 1,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "accuracy": {
>         "pooled": 0.875,
>         "pooled_sd": 0,
>         "fold_mean": 0.875,
>         "sd": 0,
>         "fold_se": 0.125
>       },
>       "sensitivity": {
>         "pooled": 1,
>         "pooled_sd": 0,
>         "fold_mean": 1,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "specificity": {
>         "pooled": 0.75,
>         "pooled_sd": 0,
>         "fold_mean": 0.75,
>         "sd": 0,
>         "fold_se": 0.25
>       },
>       "macro-f1": {
>         "pooled": 0.873015873015873,
>         "pooled_sd": 0,
>         "fold_mean": 0.8666666666666667,
>         "sd": 0,
>         "fold_se": 0.1333333333333333
>       },
>       "f1": {
>         "pooled": 0.8888888888888888,
>         "pooled_sd": 0,
>         "fold_mean": 0.9,
>         "sd": 0,
>         "fold_se": 0.09999999999999998
>       },
>       "precision": {
>         "pooled": 0.8,
>         "pooled_sd": 0,
>         "fold_mean": 0.8333333333333333,
>         "sd": 0,
>         "fold_se": 0.16666666666666669
>       },
>       "recall": {
>         "pooled": 1,
>         "pooled_sd": 0,
>         "fold_mean": 1,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "balanced-accuracy": {
>         "pooled": 0.875,
>         "pooled_sd": 0,
>         "fold_mean": 0.875,
>         "sd": 0,
>         "fold_se": 0.125
>       },
>       "mcc": {
>         "pooled": 0.7745966692414834,
>         "pooled_sd": 0,
>         "fold_mean": 0.7886751345948129,
>         "sd": 0,
>         "fold_se": 0.21132486540518708
>       },
>       "kappa": {
>         "pooled": 0.75,
>         "pooled_sd": 0,
>         "fold_mean": 0.75,
>         "sd": 0,
>         "fold_se": 0.25
>       },
>       "precision-at-10": {
>         "pooled": null,
>         "pooled_sd": 0,
>         "fold_mean": null,
>         "sd": 0,
>         "fold_se": null
>       },
>       "precision-at-100": {
>         "pooled": null,
>         "pooled_sd": 0,
>         "fold_mean": null,
>         "sd": 0,
>         "fold_se": null
>       },
>       "r-precision": {
>         "pooled": 1,
>         "pooled_sd": 0,
>         "fold_mean": 1,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "log-loss": {
>         "pooled": 0.2271403698863704,
>         "pooled_sd": 0,
>         "fold_mean": 0.22714036988637043,
>         "sd": 0,
>         "fold_se": 0.07619946503005548
>       },
>       "brier": {
>         "pooled": 0.06030258105025604,
>         "pooled_sd": 0,
>         "fold_mean": 0.06030258105025605,
>         "sd": 0,
>         "fold_se": 0.037177581050256044
>       },
>       "compression": {
>         "pooled": 0.4,
>         "pooled_sd": 0,
>         "fold_mean": 0.4,
>         "sd": 0,
>         "fold_se": 0
>       },
>       "harmonic": {
>         "pooled": 0.5490196078431373,
>         "pooled_sd": 0,
>         "fold_mean": 0.5490196078431373,
>         "sd": 0,
>         "fold_se": 0.0248447204968944
>       }
>     },
>     "classes": [
>       {
>         "class": "no",
>         "instances": 4,
>         "predicted": 3,
>         "precision": 1,
>         "recall": 0.75,
>         "f1": 0.8571428571428571,
>         "specificity": 1,
>         "auroc": 1,
>         "auprc": 1,
>         "brier": 0.060302581050256064
>       },
>       {
>         "class": "yes",
>         "instances": 4,
>         "predicted": 5,
>         "precision": 0.8,
>         "recall": 1,
>         "f1": 0.8888888888888888,
>         "specificity": 0.75,
>         "auroc": 1,
>         "auprc": 1,
>         "brier": 0.06030258105025605
>       }
>     ],
>     "class_means": {
>       "mean": {
>         "precision": 0.9,
>         "recall": 0.875,
>         "f1": 0.873015873015873,
>         "specificity": 0.875,
>         "auroc": 1,
>         "auprc": 1,
>         "brier": 0.06030258105025606
>       },
>       "mean_by_instances": {
>         "precision": 0.9,
>         "recall": 0.875,
>         "f1": 0.873015873015873,
>         "specificity": 0.875,
>         "auroc": 1,
>         "auprc": 1,
>         "brier": 0.06030258105025606
>       }
>     },
>     "confusion": [
>       [
>         3,
>         1
>       ],
>       [
>         0,
>         4
>       ]
>     ],
>     "selected_pct": 60,
>     "stability": {
>       "sets": 2,
>       "nogueira": 0.1666666666666668,
>       "nogueira_low": 0.1666666666666668,
>       "nogueira_high": 0.1666666666666668,
>       "kuncheva": 0.1666666666666666,
>       "jaccard": 0.5
>     },
>     "seconds": ...
>   }
> ]
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: nb: 2 of 2 fits had too few instances of a class to calibrate probabilities
# Classes one by one, and what was taken for what; JSON has them above. Counts and means over repeats.
file three.csv
| id,a,b,c,d,e,class
| g1,1,1,0,1,0,x
| g2,1,1,0,1,0,x
| g3,1,1,1,0,0,x
| g4,1,0,1,0,1,y
| g5,1,0,1,0,0,y
| g6,0,0,0,0,1,y
| g7,1,1,0,0,0,z
| g8,1,0,1,0,1,z
| g9,1,0,0,0,0,z
| g10,1,1,0,1,1,x
$ hsel eval three.csv --id id --folds 3 --classes --metrics precision,recall,f1 --pooled --curves c.csv --reliability r.csv
> data set  selector  classifier  Precision  Recall     F1  selected %  seconds
> three     none      nb               50.0    47.2   47.9      100.00   ...
>
> three, none with nb: each class against the rest, pooled
> class              instances  predicted  Precision  Recall    F1  Specificity  AUROC  AUPRC  Brier
> x                          4          4       75.0    75.0  75.0         83.3   95.8   95.0    9.9
> y                          3          2       50.0    33.3  40.0         85.7   83.3   58.9   17.5
> z                          3          4       25.0    33.3  28.6         57.1   50.0   34.2   25.4
> mean                      10         10       50.0    47.2  47.9         75.4   76.4   62.7   17.6
> mean by instances         10         10       52.5    50.0  50.6         76.2   78.3   65.9   16.8
>
> true class  predicted x  predicted y  predicted z
> x                     3            0            1
> y                     0            1            2
> z                     1            1            1
! note: nb: 3 of 3 fits had too few instances of a class to calibrate probabilities
$ grep -c . c.csv && grep 'nb,1,x\|^data' c.csv && grep 'nb,z\|^data' r.csv
> 28
> dataset,selector,classifier,repeat,class,score,tp,fp,tn,fn,fpr,tpr,precision
> three,none,nb,1,x,2.315007612992604,1,0,6,3,0,0.25,1
> three,none,nb,1,x,1.8391925224626888,2,0,6,2,0,0.5,1
> three,none,nb,1,x,0.8836810774352521,3,0,6,1,0,0.75,1
> three,none,nb,1,x,0.11778303565638376,3,1,5,1,0.16666666666666666,0.75,0.75
> three,none,nb,1,x,-0.9808292530117261,4,1,5,0,0.16666666666666666,1,0.8
> three,none,nb,1,x,-1.3876514720546895,4,2,4,0,0.3333333333333333,1,0.6666666666666666
> three,none,nb,1,x,-2.080798652614635,4,3,3,0,0.5,1,0.5714285714285714
> three,none,nb,1,x,-2.555256632209751,4,5,1,0,0.8333333333333334,1,0.4444444444444444
> three,none,nb,1,x,-3.178053830347946,4,6,0,0,1,1,0.4
> dataset,selector,classifier,class,from,to,count,mean_predicted,share,brier
> three,none,nb,z,0,0.1,1,0.06741573033707861,0,0.2542521026605855
> three,none,nb,z,0.1,0.2,3,0.16029593415062818,0.3333333333333333,0.2542521026605855
> three,none,nb,z,0.2,0.3,1,0.20244153488472516,0,0.2542521026605855
> three,none,nb,z,0.3,0.4,1,0.3529411764705882,1,0.2542521026605855
> three,none,nb,z,0.4,0.5,1,0.4572668853418526,1,0.2542521026605855
> three,none,nb,z,0.5,0.6,2,0.5267338023884619,0,0.2542521026605855
> three,none,nb,z,0.6,0.7,0,,,0.2542521026605855
> three,none,nb,z,0.7,0.8,1,0.72,0,0.2542521026605855
> three,none,nb,z,0.8,0.9,0,,,0.2542521026605855
> three,none,nb,z,0.9,1,0,,,0.2542521026605855
$ hsel eval three.csv genes.csv --id id --folds 3 --classes --metrics accuracy --repeats 2
> data set  selector  classifier      Accuracy  selected %  seconds
> three     none      nb            51.4 ± 2.0      100.00   ...
>
> three, none with nb: each class against the rest, pooled, mean over repeats
> class              instances  predicted  Precision  Recall    F1  Specificity  AUROC  AUPRC  Brier
> x                          4        4.0       75.0    75.0  75.0         83.3   83.3   82.7   13.1
> y                          3        2.0       50.0    33.3  40.0         85.7   78.6   52.8   18.2
> z                          3        4.0       25.0    33.3  28.6         57.1   47.6   32.3   25.9
> mean                      10       10.0       50.0    47.2  47.9         75.4   69.8   55.9   19.1
> mean by instances         10       10.0       52.5    50.0  50.6         76.2   71.2   58.6   18.5
>
> true class  predicted x  predicted y  predicted z
> x                   3.0          0.0          1.0
> y                   0.0          1.0          2.0
> z                   1.0          1.0          1.0
>
> data set  selector  classifier      Accuracy  selected %  seconds
> genes     none      nb           100.0 ± 0.0      100.00   ...
>
> genes, none with nb: each class against the rest, pooled, mean over repeats
> class              instances  predicted  Precision  Recall     F1  Specificity  AUROC  AUPRC  Brier
> no                         4        4.0      100.0   100.0  100.0        100.0  100.0  100.0    3.9
> yes                        4        4.0      100.0   100.0  100.0        100.0  100.0  100.0    3.9
> mean                       8        8.0      100.0   100.0  100.0        100.0  100.0  100.0    3.9
> mean by instances          8        8.0      100.0   100.0  100.0        100.0  100.0  100.0    3.9
>
> true class  predicted no  predicted yes
> no                   4.0            0.0
> yes                  0.0            4.0
! note: nb: 6 of 6 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
! note: nb: 6 of 6 fits had too few instances of a class to calibrate probabilities
# A file of curves has every data set and repeat.
$ hsel eval three.csv genes.csv --id id --folds 3 --repeats 2 --curves c.csv --metrics auroc --pooled -q > table && cut -d, -f1,4 c.csv | sort -u
> dataset,repeat
> genes,1
> genes,2
> three,1
> three,2
$ hsel eval genes.csv --id id --folds 2 --classes --csv
! hsel: --classes cannot be combined with --csv: CSV is one table; --json has the classes, too
= 2
$ hsel eval genes.csv --id id --folds 2 --curves x.csv --reliability x.csv
! hsel: two outputs would go to x.csv: give them different names
= 2
$ hsel eval genes.csv --id id --folds 2 --curves missing/x.csv
! hsel: missing/x.csv: cannot create: No such file or directory
= 1
$ hsel eval genes.csv --id id --folds 3 --predictions p.csv --frequencies f.csv --write-folds folds.tsv --select all-pos > table && cat folds.tsv p.csv f.csv
> instance	fold
> g1	3
> g2	2
> g3	2
> g4	2
> g5	1
> g6	1
> g7	1
> g8	3
> dataset,selector,classifier,repeat,fold,instance,id,class,predicted,selected,P(no),P(yes),score(no),score(yes)
> genes,all-pos,nb,1,3,1,g1,yes,yes,3,0.0857142857142857,0.9142857142857143,-2.367123614131617,2.367123614131617
> genes,all-pos,nb,1,2,2,g2,yes,yes,3,0.10215482841181166,0.8978451715881883,-2.1735080507189033,2.1735080507189033
> genes,all-pos,nb,1,2,3,g3,yes,yes,3,0.40570522979397783,0.5942947702060223,-0.38174858149084834,0.38174858149084834
> genes,all-pos,nb,1,2,4,g4,no,no,3,0.8600223964165733,0.13997760358342667,1.8154759958453708,-1.8154759958453708
> genes,all-pos,nb,1,1,5,g5,no,no,2,0.5686604886267902,0.4313395113732098,0.276388065833022,-0.276388065833022
> genes,all-pos,nb,1,1,6,g6,no,no,1,0.7377049180327868,0.26229508196721313,1.0340737675305385,-1.0340737675305385
> genes,all-pos,nb,1,1,7,g7,yes,yes,2,0.1801441152922338,0.8198558847077662,-1.515371403395033,1.515371403395033
> genes,all-pos,nb,1,3,8,g8,no,no,3,0.7714285714285715,0.2285714285714286,1.216395324324493,-1.216395324324493
> dataset,selector,repeat,feature,selected,share
> genes,all-pos,1,a,7,0.875
> genes,all-pos,1,b,4,0.5
> genes,all-pos,1,c,4,0.5
> genes,all-pos,1,d,2,0.25
> genes,all-pos,1,e,3,0.375
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: nb: 3 of 3 fits had too few instances of a class to calibrate probabilities
# The same folds from the file give the same, whatever the scheme.
$ hsel eval genes.csv --id id --fold-scheme file:folds.tsv --predictions q.csv --select all-pos > table && cmp p.csv q.csv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: nb: 3 of 3 fits had too few instances of a class to calibrate probabilities
# Threads do not matter.
$ hsel eval genes.csv --id id --folds 3 --threads 4 --predictions q.csv --select all-pos > table && cmp p.csv q.csv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: nb: 3 of 3 fits had too few instances of a class to calibrate probabilities
# Names with commas are quoted.
file odd.csv
| "a,1",b,class
| 1,0,"x,y"
| 0,1,n
| 1,1,"x,y"
| 0,0,n
$ hsel eval odd.csv --folds 2 --predictions p.csv --frequencies f.csv > table && cat p.csv f.csv
> dataset,selector,classifier,repeat,fold,instance,id,class,predicted,selected,P(n),"P(x,y)",score(n),"score(x,y)"
> odd,none,nb,1,2,1,,"x,y","x,y",2,0.3333333333333332,0.6666666666666667,-0.6931471805599458,0.6931471805599458
> odd,none,nb,1,1,2,,n,n,2,0.6666666666666666,0.3333333333333333,0.6931471805599454,-0.6931471805599454
> odd,none,nb,1,1,3,,"x,y","x,y",2,0.3333333333333333,0.6666666666666666,-0.6931471805599454,0.6931471805599454
> odd,none,nb,1,2,4,,n,n,2,0.6666666666666665,0.3333333333333334,0.693147180559945,-0.693147180559945
> dataset,selector,repeat,feature,selected,share
> odd,none,1,"a,1",4,1
> odd,none,1,b,4,1
! note: odd: the positive class is x,y, the second of two of the same size, 2 of 4 instances (50.0 %); --positive CLASS changes it; by chance AUPRC is 50.0
! note: nb: 2 of 2 fits had too few instances of a class to calibrate probabilities

# ---- what cannot be done ----
$ hsel eval genes.csv --id id --select rpv
! hsel: rpv needs a hierarchy, but genes has none: give --hierarchy FILE
= 2
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 9
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: 9 folds are more than the 8 instances of genes
= 2
$ hsel eval genes.csv --id id --folds 1
! hsel: option folds takes a whole number from 2 to 1000000, not '1'
= 2
$ hsel eval genes.csv --id id --fold-scheme weak
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: there is no fold scheme 'weak'; did you mean 'weka'?
= 2
$ hsel eval genes.csv --id id --fold-scheme leaveoneout
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: there is no fold scheme 'leaveoneout'; known: own, weka, wan, loo, window:N and file:PATH
= 2
$ hsel eval genes.csv --id id --fold-scheme file:nowhere.tsv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: nowhere.tsv: cannot open: No such file or directory
= 1
$ hsel eval genes.csv --id id --metrics gmm
! hsel: there is no metric 'gmm'; did you mean 'gm'?
= 2
$ hsel eval genes.csv --id id --metrics speed
! hsel: there is no metric 'speed'; there are gm, auroc, auprc, accuracy, sensitivity, specificity, macro-f1, f1, precision, recall, balanced-accuracy, mcc, kappa, precision-at-10, precision-at-100, r-precision, log-loss, brier, compression, harmonic, rmse, mae, r2, spearman, pearson
= 2
$ hsel eval genes.csv --id id --select rvp
! hsel: there is no selector 'rvp'; did you mean 'rpv'?
= 2
$ hsel eval genes.csv --id id --classify knn:n=3
! hsel: knn has no option 'n'; did you mean 'k'?
= 2
# Probabilities of naive Bayes run into 1 on wide data: then AUROC depends on which class is positive, unless scores are ranked.
$ hsel generate -q ontology:instances=80,features=800,positives=200,depth=8,signal=0.1,largest-class=0.8 -o wide.hsel
$ for class in 0 1; do hsel eval wide.hsel --folds 5 --pooled --metrics auroc,auprc --positive $class; done
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           63.8   86.2      100.00   ...
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           63.8   34.2      100.00   ...
! note: ontology: the positive class is 0, 64 of 80 instances (80.0 %); by chance AUPRC is 80.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ for class in 0 1; do hsel eval wide.hsel --folds 5 --pooled --metrics auroc,auprc --positive $class --rank-by probability; done
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           60.1   84.4      100.00   ...
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           60.1   31.0      100.00   ...
! note: ontology: the positive class is 0, 64 of 80 instances (80.0 %); by chance AUPRC is 80.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ hsel eval wide.hsel --folds 5 --rank-by probability --json | grep rank_by
>     "rank_by": "probability",
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ hsel eval wide.hsel --folds 5 --metrics gm --rank-by probability
! hsel: --rank-by affects only auroc and auprc, but --metrics has neither
= 2
$ hsel eval wide.hsel --folds 5 --rank-by chance
! hsel: option rank-by takes score|probability, not 'chance'
= 2
# The class that svm predicts is that of its score, not the most probable one.
$ hsel eval wide.hsel --folds 5 --classify svm:c=1 --predictions p.csv > table && awk -F, 'NR > 1 {sign += ($9 == 1) == ($14 > 0); likely += ($9 == 1) == ($12 > $11)} END {print sign, likely < NR - 1}' p.csv
> 80 1
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ hsel eval genes.csv --id id --json --csv
! hsel: --json cannot be combined with --csv
= 2
$ hsel eval genes.csv genes.csv --id id --predictions p2.csv
! hsel: --predictions cannot be combined with more than one DATA
= 2
$ hsel eval genes.csv genes.csv --id id --write-folds f2.tsv
! hsel: --write-folds cannot be combined with more than one DATA
= 2
$ hsel eval genes.csv --id id --folds 2 --predictions nowhere/p.csv
! hsel: nowhere/p.csv: cannot create: No such file or directory
= 1
$ hsel eval
! hsel: eval needs DATA…; usage: hsel eval [options] DATA…
= 2

file one.csv
| a,b,class
| 1,0,yes
| 0,1,yes
file none.csv
| a,b
| 1,0
| 0,1
file gap.csv
| a,b,class
| 1,0,yes
| 0,1,no
| 1,1,?
| 0,0,no
file number.csv
| a,b,class
| 1,2.5,yes
| 0,1.5,no
file broken.csv
| id,a,b,c,d,e,class
| g1,1,1,0,1,0,yes
| g2,0,1,0,1,0,yes
| g3,1,0,0,1,0,no
| g4,1,1,0,1,0,no
file declared.arff
| @relation x
| @attribute a {0,1}
| @attribute class {no,yes}
| @data
| 1,yes
| 0,yes
file partial.tsv
| instance	fold
| g1	1
| g2	2
$ hsel eval one.csv --folds 2
! hsel: nb needs two classes or more, but one has 1
= 2
$ hsel eval declared.arff --folds 2
! hsel: nb needs two classes or more, but every instance of declared is of class yes
= 2
$ hsel eval none.csv --no-class --folds 2
! hsel: nb needs two classes or more, but none has 0
= 2
$ hsel eval gap.csv --folds 2 --metrics accuracy --csv | cut -d, -f1-4
> dataset,selector,classifier,accuracy
> gap,none,nb,66.666667
! note: gap: 1 of 4 instances has no class and is left out
! note: gap: the positive class is yes, 1 of 3 instances (33.3 %)
! note: gap: 1 of 2 classes are missing in some of the 2 folds, so metrics are pooled over all instances
! note: gap: none with nb never predicts yes correctly; for rare classes see weights=balanced and threshold=gm
$ hsel eval number.csv --folds 2 --classify aode
! hsel: aode needs binary features, but feature b of number is numeric: --ignore leaves features out
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: the true-path rule is violated 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: hip needs data that satisfy the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip --allow-violations
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: the true-path rule is violated 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: hip needs data that satisfy the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select gtd
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: the true-path rule is violated 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: gtd needs data that satisfy the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate, or accept it with --allow-violations
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select gtd --allow-violations
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> broken    gtd       nb            0.0   50.0   50.0      50.0          0.0        100.0       20.00   ...
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: the true-path rule is violated 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! note: broken: the positive class is yes, 2 of 4 instances (50.0 %); by chance AUPRC is 50.0
! note: 1 feature is positive in every instance, e.g. d, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! note: broken: gtd with nb never predicts yes correctly; for rare classes see weights=balanced and threshold=gm
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip --propagate
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> broken    hip       nb            0.0   50.0   50.0      50.0          0.0        100.0       60.00   ...
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: 2 values were made positive by propagation
! note: broken: the positive class is yes, 2 of 4 instances (50.0 %); by chance AUPRC is 50.0
! note: 3 features are positive in every instance, e.g. a, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! note: broken: hip with nb never predicts yes correctly; for rare classes see weights=balanced and threshold=gm
$ hsel eval genes.csv --id id --fold-scheme file:partial.tsv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: partial.tsv: instance 3 (g3) has no fold
= 1

# The table is on standard output, so nothing else goes there.
$ hsel eval genes.csv --id id --folds 2 --predictions -
! hsel: two outputs would go to standard output: give them different names
= 2
$ hsel eval genes.csv genes.csv --id id --hierarchy terms.tsv --folds 4 --repeats 2 --select top:k=2,rpv --metrics gm --stability
> data set  selector  classifier            GM  selected %  seconds
> genes     top:k=2   nb           100.0 ± 0.0       40.00   ...
> genes     rpv       nb           100.0 ± 0.0       32.50   ...
>
> genes: how similar are the features selected in 4 folds of 2 repeats
> selector  sets  features  stability   95 % interval  Kuncheva  Jaccard  on the hierarchy   95 % interval
> top:k=2      8       2.0      0.375  [0.312, 0.438]     0.375    0.500             0.403  [0.378, 0.427]
> rpv          8       1.6      1.000  [1.000, 1.000]     1.000    1.000             1.000  [1.000, 1.000]
> 1: the same, 0: as expected by chance (Jaccard: nothing in common). On the hierarchy features agree in part, similar by lin.
>
> data set  selector  classifier            GM  selected %  seconds
> genes     top:k=2   nb           100.0 ± 0.0       40.00   ...
> genes     rpv       nb           100.0 ± 0.0       32.50   ...
>
> genes: how similar are the features selected in 4 folds of 2 repeats
> selector  sets  features  stability   95 % interval  Kuncheva  Jaccard  on the hierarchy   95 % interval
> top:k=2      8       2.0      0.375  [0.312, 0.438]     0.375    0.500             0.403  [0.378, 0.427]
> rpv          8       1.6      1.000  [1.000, 1.000]     1.000    1.000             1.000  [1.000, 1.000]
> 1: the same, 0: as expected by chance (Jaccard: nothing in common). On the hierarchy features agree in part, similar by lin.
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --folds 4 --select top:k=2 --metrics gm --stability
> data set  selector  classifier     GM  selected %  seconds
> genes     top:k=2   nb          100.0       40.00   ...
>
> genes: how similar are the features selected in 4 folds
> selector  sets  features  stability   95 % interval  Kuncheva  Jaccard
> top:k=2      4       2.0      0.306  [0.101, 0.510]     0.306    0.444
> 1: the same, 0: as expected by chance (Jaccard: nothing in common).
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 4 --select top:k=2,none --metrics gm --stability --similarity resnik --csv
> dataset,selector,classifier,gm,selected_pct,seconds,positive_class,positive_pct,nogueira,nogueira_low,nogueira_high,kuncheva,jaccard,hierarchy,hierarchy_low,hierarchy_high
> genes,top:k=2,nb,100.000000,40.000000,...,yes,50.000000,0.305556,0.101393,0.509718,0.305556,0.444444,0.347353,0.180509,0.514197
> genes,none,nb,100.000000,100.000000,...,yes,50.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000,1.000000
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --folds 4 --similarity resnik
! hsel: --similarity requires --stability
= 2
# Pairs that suit neither each other nor the data are left out and named; an error only if none remains.
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 4 --select none,hip,rpv,top:k=2 --classify nb,tree,svm --metrics accuracy --csv --frequencies often.csv --predictions made.csv | cut -d, -f 2-4
> selector,classifier,accuracy
> none,nb,100.000000
> none,tree,100.000000
> none,svm,100.000000
> hip,nb,100.000000
> rpv,nb,100.000000
> top:k=2,nb,100.000000
> top:k=2,tree,100.000000
> top:k=2,svm,100.000000
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: left out: hip, rpv with tree, svm: hip selects features for each instance separately, but tree cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
! note: nb: 16 of 16 fits had too few instances of a class to calibrate probabilities
! note: tree: 8 of 8 fits had too few instances of a class to calibrate probabilities
$ cut -d, -f 2,3 made.csv | tail -n +2 | sort | uniq -c | sort -k 2
>       8 hip,nb
>       8 none,nb
>       8 none,svm
>       8 none,tree
>       8 rpv,nb
>       8 top:k=2,nb
>       8 top:k=2,svm
>       8 top:k=2,tree
$ hsel eval genes.csv --id id --folds 4 --select hip,top:k=2 --classify svm,nb,hre-tan --metrics accuracy --stability --csv --frequencies often.csv | cut -d, -f 2-4,9
> selector,classifier,accuracy,nogueira
> top:k=2,svm,100.000000,0.305556
> top:k=2,nb,100.000000,0.305556
! note: left out: hip with svm: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
! note: left out: hip with nb: hip needs a hierarchy, but genes has none: give --hierarchy FILE
! note: left out: hip, top:k=2 with hre-tan: hre-tan needs a hierarchy, but genes has none: give --hierarchy FILE
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ cut -d, -f 2 often.csv | sort -u
> selector
> top:k=2
$ hsel eval genes.csv --id id --folds 4 --select hip --classify svm,nb
! hsel: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
= 1
# A class that is not in every fold: one rule for all metrics, in the table, in JSON and pooled.
file rare.csv
| a,b,class
| 0,0,rare
| 1,0,rare
| 1,1,x
| 0,0,y
| 1,0,x
| 0,1,y
| 1,0,x
| 0,0,y
| 1,1,x
| 0,0,y
$ hsel eval rare.csv --folds 3 --csv --metrics gm,auroc,auprc,accuracy,sensitivity,specificity | cut -d, -f 4-9 >means.csv
! note: rare: each of 3 classes is positive in turn, and metrics are means over them; by chance AUPRC is 33.3
! note: rare: 1 of 3 classes are missing in some of the 3 folds, so metrics are pooled over all instances
! note: rare: none with nb never predicts rare correctly; for rare classes see weights=balanced
$ hsel eval -q rare.csv --folds 3 --pooled --csv --metrics gm,auroc,auprc,accuracy,sensitivity,specificity | cut -d, -f 4-9 | diff means.csv - && echo same
> same
# LazyR measures from equal shares: with unbalanced classes a note names the form that does not.
$ (echo a,b,class; for i in $(seq 40); do echo "1,$((i % 3 == 0)),$([ $i -le 8 ] && echo yes || echo no)"; done) >few.csv; printf 'b\ta\n' >few.tsv
$ hsel eval few.csv --hierarchy few.tsv --folds 2 --select rpv --metrics accuracy | wc -l
> 2
! note: few: the positive class is yes, 8 of 40 instances (20.0 %)
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: rpv: 2 of 2 selections are trained with a class that has less than half of an equal share, on which LazyR is centred; use lazyr=centred to centre it on the class shares
! note: few: rpv with nb never predicts yes correctly; for rare classes see weights=balanced and threshold=gm
$ hsel eval -q few.csv --hierarchy few.tsv --folds 2 --select rpv:lazyr=centred --metrics accuracy | wc -l
> 2
