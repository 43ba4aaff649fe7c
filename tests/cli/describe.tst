# What a model learned as a whole: hsel train --show, and hsel explain --model without DATA. Only b tells the classes apart.
file genes.csv
| id,a,b,class
| g1,1,1,yes
| g2,1,1,yes
| g3,1,0,no
| g4,1,0,no
file terms.tsv
| b	a

$ hsel train genes.csv --id id --classify svm:tolerance=1e-6 -o svm.model --show
> methods          none, svm:tolerance=1e-06
> trained on       4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                4
>
> no (+) or yes (-): 4 support vectors, rho -0.4317, P(+) = 1 / (1 + exp(-1.4268 f - 0.0319))
>      -1.7538  b
>      +0.4317  a
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! note: trained on 4 instances and 2 features; hsel predict uses the model
$ hsel explain --model svm.model
> methods          none, svm:tolerance=1e-06
> trained on       4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                4
>
> no (+) or yes (-): 4 support vectors, rho -0.4317, P(+) = 1 / (1 + exp(-1.4268 f - 0.0319))
>      -1.7538  b
>      +0.4317  a
$ hsel predict svm.model genes.csv | cut -f 1,2
> instance	predicted
> g1	yes
> g2	yes
> g3	no
> g4	no
$ hsel train -q genes.csv --id id --classify svm:kernel=rbf,gamma=0.5,probability=votes,c=0.5 --show --json
> {
>   "kernel": "rbf",
>   "c": 0.5,
>   "gamma": 0.5,
>   "machines": [
>     {
>       "positive": "no",
>       "negative": "yes",
>       "support_vectors": 4,
>       "rho": 0
>     }
>   ]
> }
$ hsel train -q genes.csv --id id --hierarchy terms.tsv --select hip --classify nb -o nb.model --show
> methods          hip, nb
> trained on       4 instances of genes
> features         2
>
> What features add to the log-odds of yes, present and absent, and the instances that have them:
>    +1.0986  -1.0986  b: 0 of 2 no, 2 of 2 yes
$ hsel explain --model nb.model --json | jq -c .
> {"classifier":"nb","classes":["no","yes"],"instances":[2,2],"terms":[{"feature":"b","class":"yes","present":1.0986122886681096,"absent":-1.0986122886681096,"instances":[0,2]}]}
$ hsel train -q genes.csv --id id --classify knn -o knn.model --show | tail -n 2
> knn has no weights for single features. What features alone would add to the log-odds of yes, present and absent, and the instances that have them:
>    +1.0986  -1.0986  b: 0 of 2 no, 2 of 2 yes

# Networks: what depends on what. In tan each feature but the first depends on one other, in ban on its parents; the trees of hre-tan are made for an instance.
file net.csv
| id,a,b,c,d,class
| g1,1,1,0,0,yes
| g2,1,1,1,0,yes
| g3,1,0,1,1,no
| g4,1,0,1,1,no
| g5,0,0,0,0,no
| g6,1,1,0,0,maybe
| g7,1,0,1,0,maybe
file net.tsv
| b	a
| c	a
| d	c
$ hsel train -q net.csv --id id --hierarchy net.tsv --classify ban -o ban.model --show | tail -n +4
> network          3 edges: each feature depends on the class and on those it has an edge to
>
> bits  feature <- feature it depends on, by mutual information given the class
>   0.3936  c <- a
>   0.3936  d <- c
>   0.0000  b <- a
>
> ban has no weights for single features. What features alone would add to the log-odds of a class against the rest, present and absent, and the instances that have them:
>    +1.2809  -0.7340  no: d: 0 of 2 maybe, 2 of 3 no, 0 of 2 yes
>    +0.9651  -1.0498  yes: b: 1 of 2 maybe, 0 of 3 no, 2 of 2 yes
>    +0.1823  -0.2231  no: c: 1 of 2 maybe, 2 of 3 no, 1 of 2 yes
>    +0.0488  -0.1335  maybe: a: 2 of 2 maybe, 2 of 3 no, 2 of 2 yes
$ hsel train -q net.csv --id id --hierarchy net.tsv --classify tan -o tan.model --show | grep ' <- [a-z]$'
>   0.3936  c <- a
>   0.3936  d <- a
>   0.0000  b <- a
$ hsel explain --model ban.model --json | jq -c '.network, (.terms | length)'
> [{"feature":"c","depends_on":"a","bits":0.39355535745192405},{"feature":"d","depends_on":"c","bits":0.39355535745192405},{"feature":"b","depends_on":"a","bits":0}]
> 4
$ hsel train -q net.csv --id id --hierarchy net.tsv --classify hre-tan -o hre.model --show | sed -n '4,9p'
> network          built for each instance from pairs of dependent features
>
> bits  feature, feature: for each feature the pair with the most mutual information given the class
>   0.1097  a, d
>   0.0682  c, a
>   0.0512  b, a
$ hsel explain --model hre.model --json | jq -c '.pairs[0].with, .network'
> "d"
> null
$ hsel explain --model ban.model --dot - | sed -n '/^  label/s/.*FONT><BR.>//p; / -> /p; s/ \[label=<\(.*\)>, tooltip.*/ \1/p'
> arrows point to the dependent feature; bits on lines: mutual information given the class; in boxes log-odds of the class named<BR/>>;
>   n0 a<BR/><B>+0.049 for maybe</B>
>   n1 c<BR/><B>+0.182 for no</B>
>   n2 d<BR/><B>+1.281 for no</B>
>   n3 b<BR/><B>+0.965 for yes</B>
>   n0 -> n1 [label=" 0.394 "];
>   n1 -> n2 [label=" 0.394 "];
>   n0 -> n3 [label=" 0.000 "];
$ hsel explain --model hre.model --dot - --nodes 2 | sed -n 's/.*FONT><BR.>//p; / -> /p'
> pairs that the network of an instance is made from; bits on lines: mutual information given the class; in boxes log-odds of the class named<BR/>2 of 4 nodes<BR/>>;
>   n0 -> n1 [label=" 0.110 "];
! note: the picture has 2 of 4 nodes; --nodes 0 draws all
$ hsel explain --model tan.model --graphml - | grep -c '<edge'
> 3

# A solver that gives up before it converged is said: in the model, and when it is trained, explained, evaluated or in a study.
file hard.csv
| a,b,c,class
| 1,1,0,yes
| 1,0,0,yes
| 0,1,1,yes
| 1,1,1,yes
| 1,0,1,no
| 0,0,1,no
| 1,1,0,no
| 0,1,0,no
file hard.yaml
| name: hard
| datasets: [{path: hard.csv}]
| selectors: [none]
| classifiers: ["svm:solver=libsvm,max-steps=1"]
| folds: {count: 4}
$ hsel train genes.csv --id id --classify svm:solver=libsvm,max-steps=1 -o early.model --show
> methods          none, svm:solver=libsvm,max-steps=1
> trained on       4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                1
>
> no (+) or yes (-): 2 support vectors, rho -0.5, P(+) = 1 / (1 + exp(0.0000 f + 0.0000))
>   stopped before it converged; lower c or raise max-steps
>      -1.0000  b
! note: svm: 1 of 1 machines stopped after 1 step without converging; lower c or raise max-steps
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! note: trained on 4 instances and 2 features; hsel predict uses the model
$ hsel explain --model early.model --json | grep converged
>       "converged": false,
$ hsel explain hard.csv --classify svm:solver=libsvm,max-steps=1 --instance 1 > x.txt
! note: svm: 5 of 5 machines of the grid search stopped after 1 step without converging; raise max-steps
! note: svm: 1 of 1 machines stopped after 1 step without converging; lower c or raise max-steps
! note: hard: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel eval hard.csv --classify svm:solver=libsvm,max-steps=1 --classify svm:solver=libsvm,max-steps=2,calibration=platt,inner-folds=2 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 20 of 20 machines of the grid search stopped after 1 step without converging; raise max-steps
! note: svm: 10 of 44 machines of the grid search stopped after 2 steps without converging; raise max-steps
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
! note: svm: 5 of 12 machines stopped after 2 steps without converging; lower c or raise max-steps
! note: hard: none with svm:calibration=platt,inner-folds=2,solver=libsvm,max-steps=2 never predicts yes correctly; for rare classes see weights=balanced and threshold=gm
$ hsel eval hard.csv --classify svm:solver=libsvm,max-steps=1,grid=rpv,grid-folds=3 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 88 of 96 machines of the grid search stopped after 1 step without converging; raise max-steps
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
$ hsel eval hard.csv --classify svm:max-steps=1 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 97 of 180 machines of the grid search stopped after 1 step without converging; raise max-steps
$ hsel eval hard.csv --classify svm --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
$ hsel eval -q hard.csv --classify svm:solver=libsvm,max-steps=1 --folds 4 > x.txt
$ hsel run hard.yaml > x.txt
! note: svm: 20 of 20 machines of the grid search stopped after 1 step without converging; raise max-steps
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
$ rm -f hard.db* x.txt

# A lazy selection is another one for each instance, and a machine has its features for good.
$ hsel eval -q genes.csv --id id --hierarchy terms.tsv --select hip --classify svm --folds 2
! hsel: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
= 1

# ---- wrong usage ----
$ hsel explain --model knn.model --dot x.dot
! hsel: knn has nothing to draw
= 1
$ hsel explain --model svm.model --dot -
! hsel: svm has nothing to draw
= 1
$ hsel explain
! hsel: missing DATA and --instance, or --model
= 2
$ hsel explain --model svm.model --instance 3
! hsel: --instance requires DATA
= 2
$ hsel explain genes.csv --model svm.model
! hsel: missing --instance ID or '#NUMBER' (without DATA, --model is shown as a whole)
= 2
$ hsel train genes.csv
! hsel: missing -o MODEL or --show
= 2
$ hsel train genes.csv -o x.model --json
! hsel: --json requires --show
= 2
$ hsel train genes.csv --show --json --dot -
! hsel: --json cannot be combined with --dot -: both would go to standard output
= 2
$ hsel train genes.csv --show -o -
! hsel: --output - cannot be combined with --show: both would go to standard output
= 2
$ hsel train -q genes.csv --id id --classify svm:kernel=sigmoid -o x.model
! hsel: option kernel takes linear|polynomial|rbf, not 'sigmoid'
= 2

# ---- features that are the same everywhere ----
file always.csv
| root,a,b,never,class
| 1,1,0,0,no
| 1,0,1,0,yes
| 1,1,1,0,yes
| 1,0,0,0,no
| 1,1,0,0,no
file always.tsv
| a	root
| b	root
| never	a
$ hsel check always.csv --hierarchy always.tsv
> ok       structure: 5 instances, 4 features, 3 edges without a cycle
> ok       the true-path rule holds
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 feature positive in no instance: --min-support 1 leaves them out
$ hsel check always.csv --hierarchy always.tsv --json
> {
>   "name": "always",
>   "ok": true,
>   "violating_cells": 0,
>   "violating_edges": 0,
>   "violating_instances": 0,
>   "violations": [],
>   "repeated_ids": 0,
>   "always_positive": 1,
>   "never_positive": 1,
>   "unlabelled": 0,
>   "small_classes": 0,
>   "isolated_features": 0,
>   "without_time": 0,
>   "untested_classes": 0,
>   "leaking_features": 0,
>   "leaks": []
> }
$ hsel info always.csv | grep constant
>   constant features      2, positive everywhere or nowhere
$ hsel eval always.csv --hierarchy always.tsv --select mr --folds 2 --metrics auprc
> data set  selector  classifier  AUPRC  selected %  seconds
> always    mr        nb          100.0       70.00   ...
! note: always: the positive class is yes, 2 of 5 instances (40.0 %); by chance AUPRC is 40.0
! note: 1 feature is positive in every instance, e.g. root, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
$ hsel eval always.csv --hierarchy always.tsv --select mr --folds 2 --metrics gm --drop-roots
> data set  selector  classifier     GM  selected %  seconds
> always    mr        nb          100.0       86.67   ...
! note: 1 root dropped: root
! note: always: the positive class is yes, 2 of 5 instances (40.0 %)
$ hsel eval always.csv --hierarchy always.tsv --select mr --folds 2 --metrics gm --drop-roots --positive no
> data set  selector  classifier     GM  selected %  seconds
> always    mr        nb          100.0       86.67   ...
! note: 1 root dropped: root
! note: always: the positive class is no, 3 of 5 instances (60.0 %)
