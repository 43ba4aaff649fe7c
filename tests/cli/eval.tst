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
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 4 --fold-scheme weka --select hip,all-pos,gtd --classify nb --classify knn:k=3 --metrics gm,auroc,compression
> data set  selector  classifier     GM  AUROC  Compression  selected %  seconds
> genes     hip       nb          100.0  100.0         37.5       62.50   ...
> genes     hip       knn:k=3     100.0  100.0         37.5       62.50   ...
> genes     all-pos   nb          100.0  100.0         50.0       50.00   ...
> genes     all-pos   knn:k=3     100.0  100.0         50.0       50.00   ...
> genes     gtd       nb           86.6  100.0         40.0       60.00   ...
> genes     gtd       knn:k=3      86.6  100.0         40.0       60.00   ...
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
# Options of a method may hold commas, too.
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --select rpv:measure=r,smoothing=rpv,hip --metrics accuracy --csv
> dataset,selector,classifier,accuracy,selected_pct,seconds,positive_class,positive_pct
> genes,"rpv:measure=r,smoothing=rpv",nb,100.000000,37.500000,...,yes,50.000000
> genes,hip,nb,100.000000,62.500000,...,yes,50.000000
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --repeats 3 --metrics gm,auroc
> data set  selector  classifier            GM         AUROC  selected %  seconds
> genes     none      nb           91.7 ± 14.4   100.0 ± 0.0      100.00   ...
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 2 --repeats 3 --metrics gm,auroc --csv --pooled
> dataset,selector,classifier,gm,gm_sd,auroc,auroc_sd,selected_pct,seconds,positive_class,positive_pct
> genes,none,nb,91.666667,14.433757,97.916667,3.608439,100.000000,...,yes,50.000000
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel eval genes.csv --id id --hierarchy terms.tsv --fold-scheme loo --metrics gm,sensitivity
> data set  selector  classifier     GM  Sensitivity  selected %  seconds
> genes     none      nb          100.0        100.0      100.00   ...
! note: folds of one instance: metrics are pooled over all instances
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
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
>     "selected_pct": 60,
>     "stability": {
>       "kuncheva": 0.1666666666666666,
>       "jaccard": 0.5
>     },
>     "seconds": ...
>   }
> ]
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
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
# The same folds from the file give the same, whatever the scheme.
$ hsel eval genes.csv --id id --fold-scheme file:folds.tsv --predictions q.csv --select all-pos > table && cmp p.csv q.csv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
# Threads do not matter.
$ hsel eval genes.csv --id id --folds 3 --threads 4 --predictions q.csv --select all-pos > table && cmp p.csv q.csv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
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
! note: odd: the positive class is x,y, 2 of 4 instances (50.0 %); by chance AUPRC is 50.0

# ---- what cannot be done ----
$ hsel eval genes.csv --id id --select rpv
! hsel: rpv needs a hierarchy, and genes has none: give --hierarchy FILE
= 2
$ hsel eval genes.csv --id id --hierarchy terms.tsv --folds 9
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
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
! hsel: there is no fold scheme 'leaveoneout'; there are own, weka, wan, loo and file:PATH
= 2
$ hsel eval genes.csv --id id --fold-scheme file:nowhere.tsv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: nowhere.tsv: cannot open: No such file or directory
= 1
$ hsel eval genes.csv --id id --metrics gmm
! hsel: there is no metric 'gmm'; did you mean 'gm'?
= 2
$ hsel eval genes.csv --id id --metrics speed
! hsel: there is no metric 'speed'; there are gm, auroc, auprc, accuracy, sensitivity, specificity, macro-f1, f1, precision, recall, balanced-accuracy, mcc, kappa, precision-at-10, precision-at-100, r-precision, log-loss, brier, compression, harmonic
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
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
$ for class in 0 1; do hsel eval wide.hsel --folds 5 --pooled --metrics auroc,auprc --positive $class --rank-by probability; done
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           64.4   86.5      100.00   ...
> data set  selector  classifier  AUROC  AUPRC  selected %  seconds
> ontology  none      nb           63.8   34.2      100.00   ...
! note: ontology: the positive class is 0, 64 of 80 instances (80.0 %); by chance AUPRC is 80.0
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
$ hsel eval wide.hsel --folds 5 --rank-by probability --json | grep rank_by
>     "rank_by": "probability",
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
$ hsel eval wide.hsel --folds 5 --metrics gm --rank-by probability
! hsel: --rank-by is about auroc and auprc, and --metrics asks for neither
= 2
$ hsel eval wide.hsel --folds 5 --rank-by chance
! hsel: option rank-by takes score|probability, not 'chance'
= 2
# The class that svm predicts is that of its score, not the most probable one.
$ hsel eval wide.hsel --folds 5 --classify svm --predictions p.csv > table && awk -F, 'NR > 1 {sign += ($9 == 1) == ($14 > 0); likely += ($9 == 1) == ($12 > $11)} END {print sign, likely < NR - 1}' p.csv
> 80 1
! note: ontology: the positive class is 1, 16 of 80 instances (20.0 %); by chance AUPRC is 20.0
! note: 1 feature is positive in every instance, e.g. T0000154, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
$ hsel eval genes.csv --id id --json --csv
! hsel: --json and --csv contradict each other
= 2
$ hsel eval genes.csv genes.csv --id id --predictions p2.csv
! hsel: --predictions is for one data set at a time
= 2
$ hsel eval genes.csv genes.csv --id id --write-folds f2.tsv
! hsel: --write-folds is for one data set at a time
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
! hsel: nb needs two classes or more, and one has 1
= 2
$ hsel eval declared.arff --folds 2
! hsel: nb needs two classes or more, and every instance of declared is of class yes
= 2
$ hsel eval none.csv --no-class --folds 2
! hsel: nb needs two classes or more, and none has 0
= 2
$ hsel eval gap.csv --folds 2 --metrics accuracy --csv | cut -d, -f1-4
> dataset,selector,classifier,accuracy
> gap,none,nb,75.000000
! note: gap: 1 of 4 instances has no class and is left out
! note: gap: the positive class is yes, 1 of 3 instances (33.3 %)
$ hsel eval number.csv --folds 2 --classify aode
! hsel: aode needs binary features, and feature b of number is numeric: --ignore leaves features out
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: the true-path rule is broken 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: hip needs data that keep the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip --allow-violations
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: the true-path rule is broken 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: hip needs data that keep the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select gtd
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: the true-path rule is broken 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! hsel: gtd needs data that keep the true-path rule: in instance 2 of broken, b is positive and its parent a is not (2 such cases); repair with --propagate, or insist with --allow-violations
= 1
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select gtd --allow-violations
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> broken    gtd       nb            0.0   50.0   50.0      50.0          0.0        100.0       40.00   ...
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: the true-path rule is broken 2 times (2 instances, 2 edges), first in instance 2 (g2): b is positive, its parent a is not; --propagate repairs it
! note: broken: the positive class is yes, 2 of 4 instances (50.0 %); by chance AUPRC is 50.0
! note: 1 feature is positive in every instance, e.g. d, and tells nothing; mr and others may keep it in place of features that do: --ignore NAME leaves out features
$ hsel eval broken.csv --id id --hierarchy terms.tsv --folds 2 --select hip --propagate
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> broken    hip       nb            0.0   50.0   50.0      50.0          0.0        100.0       60.00   ...
! note: 1 feature is not in the hierarchy and stands alone, e.g. e
! note: 2 values were made positive by propagation
! note: broken: the positive class is yes, 2 of 4 instances (50.0 %); by chance AUPRC is 50.0
! note: 3 features are positive in every instance, e.g. a, and tell nothing; mr and others may keep them in place of features that do: --drop-roots leaves out roots, --ignore NAME others
$ hsel eval genes.csv --id id --fold-scheme file:partial.tsv
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! hsel: partial.tsv: instance 3 (g3) has no fold
= 1

# The table is on standard output, so nothing else goes there.
$ hsel eval genes.csv --id id --folds 2 --predictions -
! hsel: two outputs would go to standard output: give them different names
= 2
