# hsel tune: the scenario that it writes, and what it refuses. tests/study/tune.py runs irace itself.
file good.yaml
| name: good
| datasets:
|   - {name: a, generate: "ontology:instances=80,features=40", seed: 1}
|   - {name: b, generate: "ontology:instances=80,features=40", seed: 2}
|   - {name: gone, path: nowhere.arff}
| selectors: "shsel:prune=strict"
| classifiers: "knn:k=3"
| folds: {scheme: weka, count: 3, repeats: 2, seed: 7}
| metrics: [accuracy, gm]
| tune: {budget: 50, seed: 5, metric: gm, parameters: {threshold: 0.5..1/0.01, similarity: bounds, mean: [all, survivors]}}

$ hsel tune good.yaml --dry-run
! note: gone does not exist and is left out
! note: good.tune has the scenario with 4 instances
$ cat good.tune/parameters.txt
> threshold "threshold=" r (0.5, 1)
> similarity "similarity=" c (...)
> mean "mean=" c ("all", "survivors")
$ cat good.tune/scenario.txt
> parameterFile = "parameters.txt"
> trainInstancesFile = "instances.txt"
> trainInstancesDir = ""
> targetRunner = "./target-runner"
> logFile = "irace.Rdata"
> execDir = "./"
> deterministic = 1
> maxExperiments = 50
> seed = 5
> digits = 2
> parallel = ...
> firstTest = 4
$ cat good.tune/instances.txt
> 1
> 2
> 3
> 4
# What irace does for one setting and instance: the metric with its sign turned.
$ cd good.tune && ./target-runner 1 3 99 3 threshold=0.75 similarity=ig mean=all
> -...
# Options that do not go together are as bad as can be; anything else is a failure.
$ cd good.tune && ./target-runner 1 3 99 3 threshold=7 2>/dev/null
> Inf
$ cd good.tune && ./target-runner 1 9 99 9 threshold=0.75 2>/dev/null; echo $?
> 1
$ hsel tune good.yaml --rscript ./no-such-program
! note: gone does not exist and is left out
! hsel: R is not installed: install R with the package irace (Debian: apt-get install r-cran-irace)
= 1

# A fold file is copied beside the data, where the runs find it.
file deep/folded.yaml
| name: folded
| datasets: [flat.csv]
| selectors: "top:by=ig"
| classifiers: nb
| folds: {scheme: "file:folds.tsv", repeats: 2}
| tune: {metric: accuracy, parameters: {k: 1..2}}
file deep/flat.csv
| a,b,class
| 1,0,yes
| 0,1,no
| 1,1,yes
| 0,0,no
file deep/folds.tsv
| number	fold
| 1	1
| 2	1
| 3	2
| 4	2
$ hsel tune deep/folded.yaml --dry-run
! note: folded.tune has the scenario with 2 instances
$ cd folded.tune && ./target-runner 1 1 99 1 k=1
> -...

# Mistakes.
file none.yaml
| datasets: [{name: a, generate: ontology, seed: 1}]
| selectors: shsel
| classifiers: nb
$ hsel tune none.yaml --dry-run
! hsel: none.yaml has no key 'tune' with options and their values; see docs/studies.md
= 2
file one.yaml
| datasets: [{name: a, generate: ontology, seed: 1}]
| selectors: shsel
| classifiers: nb
| tune: {parameters: {threshold: bounds}}
$ hsel tune one.yaml --dry-run
! hsel: tuning needs two instances or more, but one.yaml has 1 existing data set x 1 repeat
= 2
file two.yaml
| datasets: [{name: a, generate: ontology, seed: 1}]
| selectors: [shsel, gtd]
| classifiers: nb
| tune: {parameters: {threshold: bounds}}
$ hsel tune two.yaml
! hsel: two.yaml:4: tune is for one selector and one classifier, but the study has 2 and 1
= 2
file bad.yaml
| datasets: [{name: a, generate: ontology, seed: 1}]
| selectors: shsel
| classifiers: nb
| tune:
|   parameters:
|     treshold: 0.5..1
$ hsel tune bad.yaml
! hsel: bad.yaml:6: shsel has no option 'treshold'; did you mean 'threshold'?
= 2
$ sed -i 's/treshold: .*/threshold: 0.5..3/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: option threshold takes a number from -1 to 1, not '3'
= 2
$ sed -i 's/threshold: .*/threshold: 0.9..0.5/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: a range goes from a lower to a higher number, not '0.9..0.5'
= 2
$ sed -i 's/threshold: .*/threshold: 0.9/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: values of threshold are a range (0.9..1/0.01), choices ([a, b]), or bounds
= 2
$ sed -i 's/threshold: .*/similarity: [ig, "a; rm"]/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: 'a; rm' cannot be a choice of similarity: give plain words
= 2
$ sed -i 's/similarity: .*/similarity: [ig, a|b]/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: 'a|b' cannot be a choice of similarity: give plain words
= 2
$ sed -i 's/similarity: .*/similarity: [ig, igg]/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:6: option similarity takes ...
= 2
$ sed -i 's/similarity: .*/{}/' bad.yaml; hsel tune bad.yaml
! hsel: bad.yaml:5: tune needs parameters: options of the selector with their values
= 2
