# A number to predict in place of a class: a column, which is not a feature then.
file data.csv
| id,a,b,c,age,y
| r1,1,0,2.5,30,1.5
| r2,0,1,1.5,41,2.5
| r3,1,1,0.5,,3.25
| r4,0,0,3.5,22,4
$ hsel info data.csv --target age
> data
>   instances              4
>   features               4
>     2 binary, 2 numeric, 0 nominal
>   positive values        4 (50.00 %)
>   feature support        2 to 2 instances
>   numeric target         age, 22 to 41, mean 31, sd 9.53939
>   without target         1
$ hsel check data.csv --target age
> ok       structure: 4 instances, 4 features
> ok       no hierarchy, so no true-path rule to check
> remark   1 instance without target
$ hsel convert data.csv --target y -o folder/
$ grep -E 'class|target' folder/meta.json
>   "class": null,
>   "target": "y",
$ hsel info folder/ --json
> {
>   "name": "folder",
>   "instances": 4,
>   "features": 4,
>   "binary": 2,
>   "numeric": 2,
>   "nominal": 0,
>   "positives": 4,
>   "missing": 1,
>   "unlabelled": 0,
>   "min_support": 2,
>   "max_support": 2,
>   "constant": 0,
>   "aode_edges": 0,
>   "target": {
>     "name": "y",
>     "min": 1.5,
>     "max": 4,
>     "mean": 2.8125,
>     "sd": 1.0680004681646913
>   },
>   "feature_labels": 0,
>   "instance_labels": 0,
>   "positive_share": 0.5,
>   "classes": [],
>   "positive_by": null,
>   "edges": null,
>   "ancestors": null,
>   "hie_aode_edges": null,
>   "hie_aode_lite_edges": null,
>   "depth": null,
>   "roots": null,
>   "leaves": null,
>   "isolated": null,
>   "max_parents": null,
>   "max_children": null,
>   "paths": null,
>   "bytes": ...
> }
$ hsel convert folder/ -o data.hsel
$ hsel convert data.hsel -o back.arff
$ grep attribute back.arff
> @attribute id string
> @attribute a {0,1}
> @attribute b {0,1}
> @attribute c numeric
> @attribute age numeric
> @attribute y numeric
# What cannot be one.
$ hsel info data.csv --target id
! hsel: data.csv: there is no column id to use as the target
= 2
$ hsel info data.csv --target agee
! hsel: data.csv: there is no column agee to use as the target; did you mean age?
= 2
$ hsel info data.csv --target age --class y
! hsel: --target and --class cannot be combined: predict either a number or a class
= 2
$ hsel info data.csv --target age --positive 4
! hsel: --target and --positive cannot be combined: predict either a number or a class
= 2
# Methods that need classes say which do not.
$ hsel eval data.hsel --classify nb
! hsel: nb is for classes, but the target of folder, y, is a number; classifiers for numbers: knn, logistic, proximal-graph, tree, forest, boost, blend
= 2
$ hsel eval data.hsel --select cfs --classify nb
! hsel: nb is for classes, but the target of folder, y, is a number; classifiers for numbers: knn, logistic, proximal-graph, tree, forest, boost, blend
= 2
# A last column of many numbers is a class, and that is said.
file many.csv
| a,y
| 1,1
| 0,2
| 1,3
| 1,4
| 0,5
| 1,6
| 1,7
| 0,8
| 1,9
| 1,10
| 0,11
$ hsel info many.csv --json | head -3
> {
>   "name": "many",
>   "instances": 11,
! note: many: 11 numbers are taken as classes; --target y predicts the number
$ hsel info many.csv --target y
> many
>   instances              11
>   features               1
>   positive values        7 (63.64 %)
>   feature support        7 to 7 instances
>   numeric target         y, 1 to 11, mean 6, sd 3.31662
# Predicting numbers.
file numbers.csv
| id,a,b,z,y
| r1,1,0,1.5,10
| r2,1,0,2.5,12
| r3,1,1,0.5,11
| r4,0,1,0.25,1
| r5,0,1,2,3
| r6,0,0,1,2
$ hsel eval numbers.csv --target y --classify knn --folds 3 --csv --metrics rmse,mae,r2,spearman,pearson,compression | cut -d, -f1-10
> dataset,selector,classifier,rmse,mae,r2,spearman,pearson,compression,selected_pct
> numbers,none,knn,5.483207,5.416667,-0.442452,-0.333333,-0.333333,0.000000,100.000000
$ hsel eval numbers.csv --target y --classify knn --folds 3 --predictions p.csv | wc -l
> 2
$ cat p.csv
> dataset,selector,classifier,repeat,fold,instance,id,target,predicted,selected
> numbers,none,knn,1,1,1,r1,10,5.666666666666667,3
> numbers,none,knn,1,3,2,r2,12,5,3
> numbers,none,knn,1,1,3,r3,11,5.333333333333333,3
> numbers,none,knn,1,3,4,r4,1,5.333333333333333,3
> numbers,none,knn,1,2,5,r5,3,8.5,3
> numbers,none,knn,1,2,6,r6,2,7.666666666666667,3
$ hsel train numbers.csv --target y --classify knn:k=3 -o k.model
! note: trained on 6 instances and 3 features; hsel predict uses the model
$ hsel predict k.model numbers.csv
> instance	predicted	selected
> r1	8	3
> r2	8	3
> r3	7.333333333333333	3
> r4	5	3
> r5	2	3
> r6	4.333333333333333	3
$ hsel predict k.model numbers.csv --json | head -1
> {"instance": 1, "id": "r1", "predicted": 8, "selected": 3}
$ hsel train numbers.csv --target y --classify forest:trees=10 -o f.model --show
> methods          none, forest:trees=10
> trained on       6 instances of numbers
> features         3, 3 selected
> 10 trees of 5.4 nodes in the mean, 1 features tried at a node
> out-of-bag RMSE: 2.934052 (of 6 instances)
>
> importance  feature (3 of 3 are used)
>    0.61722  a
>    0.20839  z
>    0.17439  b
! note: trained on 6 instances and 3 features; hsel predict uses the model
# What is for classes is refused, with what fits.
$ hsel eval numbers.csv --target y --classify knn --metrics rmse,gm
! hsel: gm is not for a numeric target, which numbers has: use compression, rmse, mae, r2, spearman, pearson
= 2
$ hsel eval numbers.csv --class a --classify knn --metrics rmse
! hsel: rmse is not for classes, which numbers has: use gm, auroc, auprc, accuracy, sensitivity, specificity, macro-f1, f1, precision, recall, balanced-accuracy, mcc, kappa, precision-at-10, precision-at-100, r-precision, log-loss, brier, compression, harmonic
= 2
$ hsel eval numbers.csv --target y --classify knn --classes
! hsel: --classes is for classes, but the target of numbers is a number
= 2
$ hsel eval numbers.csv --target y --classify knn:calibration=platt --folds 2
! hsel: knn:calibration is for classes, but the target of numbers is a number
= 2
$ hsel eval numbers.csv --target y --classify forest:weights=balanced --folds 2
! hsel: forest:weights is for classes, but the target of numbers is a number
= 2
$ hsel eval numbers.csv --target y --classify knn --fold-scheme wan
! hsel: the fold scheme wan is for two classes, but the target of numbers is a number
= 2
$ hsel explore numbers.csv --target y --json
! hsel: nb is for classes, but the target of numbers, y, is a number; classifiers for numbers: ...
= 2
# Covariates: always in the model, not looked at by selectors; packs and folders keep them.
file people.csv
| id,a,b,c,d,age,class
| r1,1,0,1,0,30,yes
| r2,1,1,0,0,41,no
| r3,1,1,0,1,35,yes
| r4,0,0,0,1,22,no
| r5,0,1,1,1,28,yes
| r6,1,0,0,0,50,no
$ hsel select people.csv --id id --select sig --covariates age
> b
> c
> d
> age
! note: people: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 4 of 5 features selected
$ hsel select people.csv --id id --select top:k=1 --covariates age,d
> c
> d
> age
! note: people: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 3 of 5 features selected
$ hsel rank people.csv --id id --p-values --covariates age,d
> feature      auc  rank    p  q
> c        0.83333     1  0.4  1
> b        0.66667     2    1  1
> d        0.66667     3    –  –
> age      0.66667     4    –  –
> a            0.5     5    1  1
! note: 2 covariates are not tested
! note: people: the positive class is yes, 3 of 6 instances (50.0 %)
$ hsel rank -q people.csv --id id --p-values --ignore age,d
> feature      auc  rank    p  q
> c        0.83333     1  0.4  1
> b        0.66667     2    1  1
> a            0.5     3    1  1
$ hsel rank -q people.csv --id id --p-values --covariates age --test chi2 --permutations 99 --adjust max-t
> feature      auc  rank     p     q
> c        0.83333     1  0.36  0.79
> b        0.66667     2     1     1
> d        0.66667     3     1     1
> age      0.66667     4     –     –
> a            0.5     5     1     1
$ hsel rank -q people.csv --id id --p-values --ignore age --test chi2 --permutations 99 --adjust max-t
> feature      auc  rank     p     q
> c        0.83333     1  0.36  0.79
> b        0.66667     2     1     1
> d        0.66667     3     1     1
> a            0.5     4     1     1
$ hsel convert people.csv --id id --covariates age,d -o people/
$ hsel info people/ --json | grep covariates
>   "covariates": 2,
$ hsel convert people/ -o people.hsel
$ hsel info people.hsel --json | grep covariates
>   "covariates": 2,
$ hsel convert people.hsel -o back.csv
! note: back.csv does not record which features are covariates; a pack or a folder does
$ hsel train people.hsel --select top:k=1 --classify forest:trees=3 -o c.model
! note: forest: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 6 instances and 5 features; hsel predict uses the model
$ hsel predict c.model people.hsel --selected | head -2
> instance	predicted	P(no)	P(yes)	selected	features…
> r1	yes	0.38888888888888884	0.611111111111111	3	c=1	d=0	age=30
$ hsel eval people.hsel --select top:k=1 --classify knn --folds 2 --csv | cut -d, -f1-3,10
> dataset,selector,classifier,selected_pct
> people,top:k=1,knn,60.000000
! note: people: the positive class is yes, 3 of 6 instances (50.0 %); by chance AUPRC is 50.0
$ hsel eval people.csv --id id --covariates d --ignore age --select all-pos --classify knn
! hsel: all-pos selects features for each instance separately and cannot keep the covariates of people; use an eager selector such as shsel
= 1
file h.edges
| d	a
$ hsel info people.csv --id id --covariates d --hierarchy h.edges --hierarchy-format edges
! hsel: people.csv: d is a term of the hierarchy, but covariates must be outside it
= 2
$ hsel info people.csv --id id --covariates nothing
! hsel: people.csv: there is no column nothing to use as a covariate
= 2
$ hsel predict c.model people.hsel --covariates age
! hsel: --covariates cannot be combined with MODEL: the features are those of the model
= 2

# The table of features selected counts folds for a target, too. Every other column is a feature, which a note says; not of covariates.
file pressure.csv
| id,age,sex,bp
| p1,40,f,120.5
| p2,50,m,131
| p3,61,f,140.2
| p4,45,m,118
| p5,39,f,119
| p6,70,m,151
$ hsel select pressure.csv --id id --target bp --select top:by=spearman,k=1 --table --folds 3
> feature    score  direction   folds
> age      0.82857          –  3 of 3
! note: pressure: the target is bp, and all other columns are features, the last of them sex; --ignore leaves columns out
! note: 1 of 2 features selected
$ hsel select pressure.csv --id id --target bp --select top:by=spearman,k=1 --table --covariates sex
> feature    score  direction
> age      0.82857          –
> sex            0          –
! note: 2 of 2 features selected
! note: too few instances with a class or target to count in how many folds features are selected
$ hsel select pressure.csv --id id --target bp --select top:by=spearman,k=1 --table --folds 7
! note: pressure: the target is bp, and all other columns are features, the last of them sex; --ignore leaves columns out
! note: 1 of 2 features selected
! hsel: 7 folds are more than the 6 instances with a target of pressure
= 2

# What the features add to a number; with what is predicted for the others they add up to it.
$ hsel explain pressure.csv --id id --target bp --instance p3 --classify knn:k=2 -q
> instance   p3, number 3 of pressure
> target     bp = 140.2
> predicted  119.75, which is 20.45 too low
> methods    none, knn:k=2
> selected   2 of 2 features
> effects    on bp: Owen values along the hierarchy, against 5 other instances; with the mean
>            predicted for these they add up to what is predicted
> neighbours the 2 nearest
>   p1                   120.5                distance 0.4589, weight 1
>   p5                   119                  distance 0.5036, weight 1
>
>    125.9                     (those others)
>   -8.408  ██████        f    sex
>   +2.258        █▋      61   age
>   119.75  predicted bp
$ hsel explain pressure.csv --id id --target bp --instance p3 --classify knn:k=2 --json -q | python3 -c "import json, sys; e = json.load(sys.stdin); print(e['target'], e['observed'], e['predicted'], e['effect_by'], round(e['prior'] + e['absent'] + sum(f['effect'] for f in e['features']) - e['predicted'], 9), [n['target'] for n in e['neighbours']])"
> bp 140.2 119.75 owen 0.0 [120.5, 119]
$ printf 'sex\tage\n' >up.tsv; hsel explain pressure.csv --id id --target bp --hierarchy up.tsv --instance p3 --classify forest:trees=5 --dot - -q | grep -o "p3: bp predicted as [0-9]*\|numbers are effects on bp: [^;]*"
> p3: bp predicted as 134
> numbers are effects on bp: blue raises it, orange lowers it

# Targets whose squares are beyond any number, and one that is the same everywhere.
$ printf 'id,a,y\nr1,1,1e308\nr2,2,-1e308\nr3,3,0\n' > large.csv
$ hsel eval large.csv --id id --target y --classify knn --folds 3
! hsel: large.csv: y cannot be the target: it is beyond 1e+150 in instance 1
= 2
$ printf 'id,a,y\nr1,1,5\nr2,2,5\nr3,3,5\n' > same.csv
$ hsel rank same.csv --id id --target y --by pearson,spearman
> feature  pearson  rank  spearman  rank
> a              –     1         –     1

# One of two numbers in a pack: the note names the option that takes the other one.
$ printf 'id,a,b,y\nr1,1,4,5\nr2,2,6,7\nr3,3,5,9\n' > two.csv
$ hsel convert two.csv --id id --target y -o y.hsel
$ hsel convert y.hsel --target b -o b.hsel
$ hsel info b.hsel --target y
> two
>   instances              3
>   features               1
>     0 binary, 1 numeric, 0 nominal
>   numeric target         y, 5 to 9, mean 7, sd 2
>   other columns          b
! note: two: the target is y; --target chooses another: b
