# Numeric and nominal features from the shell: cross-validation, models, predictions, explanations, studies.

file flowers.csv
| id,length,width,colour,tall,kind
| f1,5.1,3.5,white,0,a
| f2,4.9,?,white,0,a
| f3,4.7,3.2,red,1,a
| f4,5.0,3.6,white,0,a
| f5,7.0,3.2,blue,1,b
| f6,6.4,3.2,blue,1,b
| f7,6.9,3.1,?,1,b
| f8,5.5,2.3,red,1,b
# other order of columns, an unknown colour, missing values
file new.csv
| id,colour,length,tall,width
| n1,white,4.8,0,3.4
| n2,green,6.7,1,?
| n3,?,?,1,1

$ hsel eval flowers.csv --id id --classify nb,nb:numeric=kernel,nb:tails=exact,knn:k=3 --folds 4
> data set  selector  classifier            GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> flowers   none      nb                  61.2  100.0  100.0      62.5         75.0         50.0      100.00   ...
> flowers   none      nb:numeric=kernel   75.0   75.0   87.5      75.0         75.0         75.0      100.00   ...
> flowers   none      nb:tails=exact      61.2   75.0   87.5      62.5         75.0         50.0      100.00   ...
> flowers   none      knn                 86.6  100.0  100.0      87.5        100.0         75.0      100.00   ...
! note: flowers: the positive class is b, the second of two of the same size, 4 of 8 instances (50.0 %); --positive CLASS changes it; by chance AUPRC is 50.0
$ hsel eval flowers.csv --id id --select none,top:by=auc,k=2 --classify nb --folds 4
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> flowers   none      nb           61.2  100.0  100.0      62.5         75.0         50.0      100.00   ...
> flowers   top:k=2   nb           61.2  100.0  100.0      62.5         75.0         50.0       50.00   ...
! note: flowers: the positive class is b, the second of two of the same size, 4 of 8 instances (50.0 %); --positive CLASS changes it; by chance AUPRC is 50.0
$ hsel select flowers.csv --id id --select top:by=auc,k=2
> length
> width
! note: flowers: the positive class is b, the second of two of the same size, 4 of 8 instances (50.0 %); --positive CLASS changes it
! note: 2 of 4 features selected
$ hsel train flowers.csv --id id --select none --classify nb -o nb.model
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 4 features; hsel predict uses the model
$ hsel predict nb.model new.csv --id id
> instance	predicted	P(a)	P(b)	selected
> n1	a	0.999330055...	0.000669944...	4
> n2	b	1.734120861...e-10	0.999999999...	4
> n3	b	1.444884299...e-47	1	4
$ hsel train flowers.csv --id id --select top:by=auc,k=2 --classify knn:k=3 -o knn.model
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 4 features; hsel predict uses the model
$ hsel predict knn.model new.csv --id id
> instance	predicted	P(a)	P(b)	selected
> n1	a	0.8	0.2	2
> n2	b	0.2	0.8	2
> n3	b	0.2	0.8	2
$ hsel train flowers.csv --id id --select none --classify nb:numeric=kernel,tails=exact -o kernel.model
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 4 features; hsel predict uses the model
$ hsel predict kernel.model new.csv --id id
> instance	predicted	P(a)	P(b)	selected
> n1	a	0.996906771...	0.003093228...	4
> n2	b	3.464153172...e-05	0.999965358...	4
> n3	b	2.610461681...e-27	1	4
$ hsel explain new.csv --id id --model nb.model --instance n2
> instance   n2, number 2 of new
> predicted  b, P = 1.0000 (a 0.0000)
> methods    none, nb
> selected   4 of 4 features
> log-odds   for b, nb's own; with the prior they add up to those of the prediction
>
>   +0.000                     (prior)
>  +21.559  ████████████  6.7  length
>   +0.916  ▌             has  tall
>                              in 4 of 4 b, 1 of 4 a
>   +0.000                ?    width
>   +0.000                ?    colour
>  +22.475  log-odds for b, with the prior
! note: flowers: the positive class is b, 4 of 8 instances (50.0 %)
$ hsel explain flowers.csv --id id --select none --classify nb --instance f3 --json
> {
>   "dataset": "flowers",
>   "instance": 3,
>   "id": "f3",
>   "selector": "none",
>   "classifier": "nb",
>   "class": "a",
>   "predicted": "b",
>   "positive_class": "b",
>   "probabilities": {
>     "a": 0.01688301306163391,
>     "b": 0.9831169869383661
>   },
>   "selected": 4,
>   "sorted_by": "log_odds",
>   "log_odds_by": "terms",
>   "prior": 0.22314355131420982,
>   "rest": 0,
>   "features": [
>     {
>       "feature": "width",
>       "value": 3.2,
>       "relevance": null,
>       "log_odds": 5.244104573938021
>     },
>     {
>       "feature": "length",
>       "value": 4.7,
>       "relevance": null,
>       "log_odds": -3.5230915104267932
>     },
>     {
>       "feature": "tall",
>       "value": 1,
>       "relevance": null,
>       "log_odds": 1.4271163556401456
>     },
>     {
>       "feature": "colour",
>       "value": "red",
>       "relevance": null,
>       "log_odds": 0.6931471805599452
>     }
>   ],
>   "why": [
>     {
>       "feature": "tall",
>       "kept": true,
>       "rule": "every_feature",
>       "by": null,
>       "score": null,
>       "other": null
>     }
>   ],
>   "hierarchy": null
> }
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: flowers: the positive class is b, 4 of 7 instances (57.1 %)
$ hsel explain flowers.csv --id id --select none --classify knn --instance f2
> instance   f2, number 2 of flowers
> class      a
> predicted  a, P = 0.7778 (b 0.2222)
> methods    none, knn
> selected   4 of 4 features
> log-odds   for a: Owen values along the hierarchy, against 7 other instances; with theirs they add
>            up to those of the prediction
> neighbours the 3 nearest, with the features that both have
>   f1                   a                    distance 0.8596, weight 1, shares 0 (0 only here, 0 only there)
>   f4                   a                    distance 1.002, weight 1, shares 0 (0 only here, 0 only there)
>   f3                   a                    distance 2.487, weight 1, shares 0 (0 only here, 1 only there)
>
>   -0.441    ████               (those others)
>   +0.602        █████▊         (all that it lacks)
>   +0.627        ██████  4.9    length
>   +0.464        ████▌   white  colour
>   +1.253  log-odds for a, in all
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: flowers: the positive class is b, 4 of 7 instances (57.1 %)

# ---- what does not fit ----

file wrong.csv
| id,colour,length,tall,width
| n1,white,high,0,3
| n2,red,low,1,2
file less.csv
| id,colour,length
| n1,white,4.8
| n2,red,6

$ hsel predict nb.model wrong.csv --id id
! hsel: feature length of wrong is nominal, but that of the training data is numeric
= 1
$ hsel predict nb.model less.csv --id id
! hsel: feature width of the training data, flowers, is not in less; --features intersect takes it as missing
= 1
$ hsel predict nb.model less.csv --id id --features intersect
> instance	predicted	P(a)	P(b)	selected
> n1	a	0.999069794...	0.000930205...	4
> n2	b	0.004351064...	0.995648935...	4
! note: 2 features of the training data are missing and taken as negative (numeric and nominal ones as unknown)
$ hsel eval flowers.csv --id id --select hip --classify nb
! hsel: hip needs a hierarchy, but flowers has none: give --hierarchy FILE
= 2
$ hsel eval flowers.csv --id id --select rnb --classify nb
! hsel: rnb needs binary features, but feature length of flowers is numeric: --ignore leaves features out
= 1
$ hsel eval flowers.csv --id id --classify aode
! hsel: aode needs binary features, but feature length of flowers is numeric: --ignore leaves features out
= 1

file infinite.csv
| a,b,class
| 1.5,inf,x
| 2,3,y
file nothing.csv
| a,b,class
| ?,1,x
| ?,0,y
| ?,1,x
| ?,0,y
| ?,1,x
| ?,0,y

$ hsel eval infinite.csv --classify nb
! hsel: infinite.csv:2: the value inf of column b is not finite
= 1
$ hsel eval nothing.csv --classify nb,knn --folds 2 --select none,top:by=auc,k=9
> data set  selector  classifier     GM  AUROC  AUPRC  Accuracy  Sensitivity  Specificity  selected %  seconds
> nothing   none      nb          100.0  100.0  100.0     100.0        100.0        100.0      100.00   ...
> nothing   none      knn          50.0   50.0   50.0      33.3         50.0         50.0      100.00   ...
> nothing   top:k=9   nb          100.0  100.0  100.0     100.0        100.0        100.0      100.00   ...
> nothing   top:k=9   knn          50.0   50.0   50.0      33.3         50.0         50.0      100.00   ...
! note: nothing: the positive class is y, the second of two of the same size, 3 of 6 instances (50.0 %); --positive CLASS changes it; by chance AUPRC is 50.0

# ---- a study ----

file study.yaml
| datasets: [{path: flowers.csv, prepare: "id=id"}]
| selectors: [none, "top:by={auc,ig},k=2"]
| classifiers: [nb, "knn:k=3"]
| folds: {count: 4}

$ hsel run -q study.yaml
> study in study.db
>   done now              24  in ...
>   done before            0
$ hsel report study.db --format csv --metric auroc | grep -c ,ok,
> 6

# A hierarchy of numbers: means by class, the class with the higher one, a parent that says the same.
file sums.csv
| id,all,x,y,kind
| s1,5,5,0,a
| s2,6,5,1,a
| s3,7,7,0,a
| s4,2,0,2,b
| s5,1,0,1,b
| s6,3,1,2,b
file sums.tsv
| x	all
| y	all
$ hsel select -q sums.csv --id id --hierarchy sums.tsv --select shsel:prune=none,similarity=correlation,threshold=0.9 --table
> feature  depth            a           b  score  direction
> all          0       mean 6      mean 2      1          a
> y            1  mean 0.3333  mean 1.667      0          b

# The table of features selected has the means of numbers, and they speak for a class as binary ones do; also in the drawing.
file lived.csv
| id,all,low,high,kind,new,class
| a,9,1,8,x,1,old
| b,7,?,7,y,1,old
| c,6,5,1,x,0,young
| d,8,6,2,y,0,young
| e,5,5,0,x,1,
file above.tsv
| low	all
| high	all
$ hsel select -q lived.csv --id id --hierarchy above.tsv --select none --table
> feature  depth          old      young  score  direction
> low          1       mean 1   mean 5.5      1      young
> high         1     mean 7.5   mean 1.5      1        old
> new          0  2 (100.0 %)  0 (0.0 %)      1        old
> all          0       mean 8     mean 7   0.75        old
> kind         0            –          –    0.5          –
$ hsel select -q lived.csv --id id --hierarchy above.tsv --select none --table --csv
> feature,depth,count(old),share(old),mean(old),count(young),share(young),mean(young),score,direction
> low,1,,,1,,,5.5,1,young
> high,1,,,7.5,,,1.5,1,old
> new,0,2,1,,0,0,,1,old
> all,0,,,8,,,7,0.75,old
> kind,0,,,,,,,0.5,
$ hsel select -q lived.csv --id id --hierarchy above.tsv --select none --ignore kind --table --json | jq -c '.selected[] | [.feature, .means, .support, .direction]'
> ["low",{"old":1,"young":5.5},null,"young"]
> ["high",{"old":7.5,"young":1.5},null,"old"]
> ["new",null,{"old":{"count":2,"share":1},"young":{"count":0,"share":0}},"old"]
> ["all",{"old":8,"young":7},null,"old"]
$ hsel select -q lived.csv --id id --hierarchy above.tsv --select none --ignore kind --dot - | grep -o 'label=.*fillcolor="[^"]*"'
> label=<all<BR/><B>0.75</B>>, tooltip="all", fillcolor="#fbebd3"
> label=<low<BR/><B>1</B>>, tooltip="low", fillcolor="#0072b2"
> label=<high<BR/><B>1</B>>, tooltip="high", fillcolor="#e68a00"
> label=<new<BR/><B>1</B>>, tooltip="new", fillcolor="#e68a00"

# A model of numbers has no weights of terms that are present or absent, and says where to look.
$ hsel train -q lived.csv --id id --ignore kind,new --classify nb --show | tail -n 2
>   no binary feature separates the classes
>   features that are not binary are not shown here; hsel explain shows what they add for an instance

# ---- means of numbers whose sum is beyond any number ----

file large.csv
| a,b,class
| 1e308,0,x
| 1.5e308,1,x
| 1.6e308,1,y
| 1.7e308,0,y
$ hsel select -q large.csv --select none --table | sed -n 2p
> a        mean 1.25e+308  mean 1.65e+308  ...  y
