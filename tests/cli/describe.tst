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
> learned from     4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                1
>
> no (+) or yes (-): 4 support vectors, rho -0.3019, P(+) = 1 / (1 + exp(-1.7125 f - 0.0646))
>      -1.2830  b
>      +0.3019  a
! note: 1 feature is positive in every instance, e.g. a, and tells nothing; mr and others may keep it in place of features that do: --ignore NAME leaves out features
! note: learned from 4 instances and 2 features; hsel predict uses the model
$ hsel explain --model svm.model
> methods          none, svm:tolerance=1e-06
> learned from     4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                1
>
> no (+) or yes (-): 4 support vectors, rho -0.3019, P(+) = 1 / (1 + exp(-1.7125 f - 0.0646))
>      -1.2830  b
>      +0.3019  a
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
> learned from     4 instances of genes
> features         2
> nb has nothing to show as a whole; hsel explain DATA --model MODEL --instance ID explains single predictions
$ hsel explain --model nb.model --json
> {
>   "classifier": "nb",
>   "description": null
> }

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
> learned from     4 instances of genes
> features         2, 2 selected
> kernel           linear
> C                1
>
> no (+) or yes (-): 2 support vectors, rho -0.5, P(+) = 1 / (1 + exp(-2.1972 f + 0.0000))
>   stopped before it converged; lower c or raise max-steps
>      -1.0000  b
! note: svm: 1 of 1 machines stopped after 1 step without converging; lower c or raise max-steps
! note: 1 feature is positive in every instance, e.g. a, and tells nothing; mr and others may keep it in place of features that do: --ignore NAME leaves out features
! note: learned from 4 instances and 2 features; hsel predict uses the model
$ hsel explain --model early.model --json | grep converged
>       "converged": false,
$ hsel explain hard.csv --classify svm:solver=libsvm,max-steps=1 --instance 1 > x.txt
! note: svm: 1 of 1 machines stopped after 1 step without converging; lower c or raise max-steps
! note: hard: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel eval hard.csv --classify svm:solver=libsvm,max-steps=1 --classify svm:solver=libsvm,max-steps=2,calibrate=2 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
! note: svm: 5 of 12 machines stopped after 2 steps without converging; lower c or raise max-steps
$ hsel eval hard.csv --classify svm:solver=libsvm,max-steps=1,grid=rpv,grid-folds=3 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 76 of 84 machines of the grid search stopped after 1 step without converging; raise max-steps
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
$ hsel eval hard.csv --classify svm:max-steps=1 --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
$ hsel eval hard.csv --classify svm --folds 4 > x.txt
! note: hard: the positive class is yes, 4 of 8 instances (50.0 %); by chance AUPRC is 50.0
$ hsel eval -q hard.csv --classify svm:solver=libsvm,max-steps=1 --folds 4 > x.txt
$ hsel run hard.yaml > x.txt
! note: svm: 4 of 4 machines stopped after 1 step without converging; lower c or raise max-steps
$ rm -f hard.db* x.txt

# A lazy selection is another one for each instance, and a machine has its features for good.
$ hsel eval -q genes.csv --id id --hierarchy terms.tsv --select hip --classify svm --folds 2
! hsel: hip selects features anew for each instance, and svm cannot predict on a part of its features; nb and knn can, and selectors such as shsel select once
= 1

# ---- wrong usage ----
$ hsel explain --model nb.model --dot x.dot
! hsel: nb has nothing to draw
= 1
$ hsel explain --model svm.model --dot -
! hsel: svm has nothing to draw
= 1
$ hsel explain
! hsel: missing DATA and --instance, or --model
= 2
$ hsel explain --model svm.model --instance 3
! hsel: missing DATA with the instance 3
= 2
$ hsel explain genes.csv --model svm.model
! hsel: missing --instance ID or '#NUMBER', or leave out DATA to see the model as a whole
= 2
$ hsel train genes.csv
! hsel: missing -o MODEL or --show
= 2
$ hsel train genes.csv -o x.model --json
! hsel: --json is for --show
= 2
$ hsel train genes.csv --show --json --dot -
! hsel: --json and --dot - contradict each other
= 2
$ hsel train genes.csv --show -o -
! hsel: -o - and --show would both go to standard output
= 2
$ hsel train -q genes.csv --id id --classify svm:calibrate=1 -o x.model
! hsel: svm: calibrate=1 leaves nothing to learn from: 0, or 2 and more
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
>   "leaking_features": 0,
>   "leaks": []
> }
$ hsel info always.csv | grep constant
>   constant features      2, positive everywhere or nowhere
$ hsel eval always.csv --hierarchy always.tsv --select mr --folds 2 --metrics auprc
> data set  selector  classifier  AUPRC  selected %  seconds
> always    mr        nb          100.0       70.00   ...
! note: always: the positive class is yes, 2 of 5 instances (40.0 %); by chance AUPRC is 40.0
! note: 1 feature is positive in every instance, e.g. root, and tells nothing; mr and others may keep it in place of features that do: --drop-roots leaves out roots
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
