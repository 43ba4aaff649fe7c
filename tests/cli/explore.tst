# hsel explore --json and hsel explain --why: what they say, and what they refuse. explore.py looks into the JSON.

file genes.csv
| id,a,b,c,d,class
| g1,1,1,1,0,yes
| g2,1,1,0,0,yes
| g3,1,1,1,0,yes
| g4,1,0,0,1,no
| g5,1,0,0,0,no
| g6,1,1,0,1,no
| g7,1,1,1,0,?
file terms.tsv
| b	a
| c	b
| d	a
file labels.tsv
| id	label
| a	everything
| b	growth & <division>
| c	cell growth
$ hsel explore genes.csv --id id --hierarchy terms.tsv --folds 2 --select rpv,sig:threshold=9 --json -o genes.json
! note: genes: 1 of 7 instances has no class and is left out
! note: genes: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: nb: 6 of 6 fits had too few instances of a class to calibrate probabilities
! note: 12 of 12 predictions have details: in each run the 20 most certain, doubtful and wrong ones
! note: the JSON is in genes.json
$ hsel explore genes.csv --id id --hierarchy terms.tsv --folds 2 --terms 1 --details 0 --names off --json | cut -c 1-20
> {"format":1,"hsel":"
! note: genes: 1 of 7 instances has no class and is left out
! note: genes: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: nb: 3 of 3 fits had too few instances of a class to calibrate probabilities
! note: 3 of 4 terms are shown: those selected, those in details and models, and all their ancestors
! note: not shown: 1 selected term after the first 1, by frequency, then score; --terms N shows more
! note: no prediction has details: --details N gives them
$ hsel explore genes.csv --id id --hierarchy terms.tsv --folds 2 --json --progress json 2>&1 >/dev/null | grep -c '"done"' | sed 's/^[1-9][0-9]*$/some/'
> some

# why a term was kept or dropped
$ hsel explain -q genes.csv --id id --hierarchy terms.tsv --labels labels.tsv --instance g1 --select rpv --why b --why everything
> b growth & <division> is dropped: below it c cell growth has the higher score, 0.05556 against 0.02
> c cell growth is kept: nothing that would take its place has a higher score than 0.05556
> a everything is dropped: below it c cell growth has the higher score, 0.05556 against 0.0102
> c cell growth is kept: nothing that would take its place has a higher score than 0.05556
$ hsel explain -q genes.csv --id id --hierarchy terms.tsv --labels labels.tsv --instance g1 --select hip --why "cell growth" --why d --json
> [
>   {
>     "feature": "c",
>     "label": "cell growth",
>     "kept": true,
>     "rule": "lowest",
>     "by": null,
>     "score": null,
>     "other": null
>   },
>   {
>     "feature": "d",
>     "label": null,
>     "kept": true,
>     "rule": "topmost",
>     "by": null,
>     "score": null,
>     "other": null
>   }
> ]
$ hsel explain -q genes.csv --id id --hierarchy terms.tsv --instance g1 --select shsel --why c
> c is kept: its score, 0.3219, stands out on its paths
$ hsel explain -q genes.csv --id id --instance g1 --select top:k=1 --why d
> d is dropped: it is not among the best, of which b is the last, with 0.8333 against 0.8333
> b is kept: it is among the best by its score, 0.8333
$ hsel explain genes.csv --id id --instance g1 --why nothing
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! hsel: there is no feature 'nothing' in genes
= 2
$ hsel explain genes.csv --id id --instance g1 --why a --whole
! hsel: --why cannot be combined with --whole
= 2
$ hsel train -q genes.csv --id id --select top:k=1 -o top.model
$ hsel explain -q genes.csv --id id --instance g1 --model top.model --why d
> d is dropped
$ hsel explain -q genes.csv --id id --hierarchy terms.tsv --instance g1 --select rpv --json | grep -c '"rule"'
> 3

# refused at once
$ hsel explore genes.csv --id id
! hsel: missing -o FILE, the page to write
= 2
$ hsel explore --json
! hsel: missing DATA
= 2
$ hsel explore genes.csv --id id --json --select nosuch
! hsel: there is no selector 'nosuch'; there are: none, all-pos, all-neg, rpv, hip, hip-plus, mr, hip-mr, hnb, hnb-s, shsel, tsel, gtd, hfe, hill-climbing, taxahfe, level, fdr, rnb, sig, sc, cfs, relieff, top, mrmr, jmi, cmim, ga, stability, ensemble, boruta
= 2
$ hsel explore genes.csv --id id --json --select rpv
! note: genes: 1 of 7 instances has no class and is left out
! hsel: rpv needs a hierarchy, but genes has none: give --hierarchy FILE
= 2
$ hsel explore genes.csv --id id --json --folds 2 --instance g9
! note: genes: 1 of 7 instances has no class and is left out
! note: genes: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! hsel: there is no instance 'g9' in genes: give an identifier, or a number from #1 to #6
= 2
$ hsel explore genes.csv --id id --json --model top.model --select rpv
! hsel: --model cannot be combined with --select: the model has its own selector and classifier
= 2
$ hsel explore genes.csv --id id --json --model top.model --seed 3
! hsel: --seed cannot be combined with --model: a model is not cross-validated
= 2
$ hsel explore genes.csv --id id --json --features intersect
! hsel: --features requires --model
= 2
$ hsel explore genes.csv --json --study one
! hsel: --study requires --store
= 2
$ hsel explore genes.csv --json --store missing.db
! hsel: missing.db: cannot open: No such file or directory
= 1
$ hsel explore genes.csv --json --store genes.csv --model top.model
! hsel: --model cannot be combined with --store
= 2
$ hsel explore genes.csv --id id --json -o genes.csv
! hsel: genes.csv would be overwritten, but it is also read: give the output another name
= 2

# a study
file small.yaml
| name: small
| datasets: [{name: one, path: genes.csv, prepare: "id=id", hierarchy: terms.tsv}]
| selectors: [none, rpv]
| classifiers: [nb]
| folds: {count: 2}
$ hsel run -q small.yaml
> small in small.db
>   done now               4  in ... per second, ...
>   done before            0
$ hsel explore --store small.db --json -o stored.json
! note: the store has no values of features: there is no support, and no prediction has details; give DATA to have them
! note: the JSON is in stored.json
$ python3 -c "import json; a = json.load(open('stored.json')); print(dict(zip(a['terms']['id'], a['terms']['parents'])))"
> {'a': [], 'b': [0], 'c': [1], 'd': [0]}
$ hsel explore --store small.db genes.csv --id id --hierarchy terms.tsv --json -o again.json
! note: genes: 1 of 7 instances has no class and is left out
! note: genes: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 1 feature is positive in every instance, e.g. a, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: nb: 6 of 6 fits had too few instances of a class to calibrate probabilities
! note: 12 of 12 predictions have details: in each run the 20 most certain, doubtful and wrong ones
! note: the JSON is in again.json
$ hsel explore --store small.db genes.csv --id id --json
! note: genes: 1 of 7 instances has no class and is left out
! hsel: genes.csv is not a data set of small.db: give the same data, read with the same options
= 2
$ hsel explore --store small.db --json --dataset two
! hsel: small.db has no data set 'two', but one
= 2
$ hsel explore --store small.db --json --select hip
! hsel: small.db has no complete result of hip with nb on one
= 2
$ hsel explore --store small.db --json --instance g1
! hsel: --instance requires DATA
= 2
$ hsel explore --store small.db --json --folds 3
! hsel: --folds cannot be combined with --store: that of the study is used
= 2
$ hsel generate "ontology:instances=60,features=80,positives=12" --seed 1 -o made >made.log && mkdir broken && printf '#!/bin/sh\necho half\n' >broken/dot && chmod +x broken/dot
! note: ontology:instances=60,features=80,positives=12, seed 1: 60 instances, 80 features, 134 edges, 776 positive values
$ PATH=broken:$PATH hsel explore made --select none --json -o made.json 2>&1 | grep 'at once'
> note: the page does not draw all selected terms at once: Graphviz's program dot failed: what it wrote is not plain
$ hsel explore -q made --select none --json -o made.json && jq -c '.terms.layout | [length, (map(select(. == null)) | length)]' made.json
> [80,0]
$ hsel generate "ontology:instances=60,features=1500,positives=60" --seed 1 -o wide >wide.log && hsel explore wide --select none --terms 1500 --json -o wide.json 2>&1 | grep 'at once'; jq '.terms | has("layout")' wide.json
> note: the page does not draw all selected terms at once: with their ancestors they are 1,500, and 1,000 are the most; --terms N takes fewer
> false
! note: ontology:instances=60,features=1500,positives=60, seed 1: 60 instances, 1500 features, 2548 edges, 3874 positive values
# A pair that does not go together is left out and named.
$ hsel explore genes.csv --id id --hierarchy terms.tsv --folds 2 --select rpv,top:k=1 --classify tree,nb --details 0 --json -o pairs.json
! note: genes: 1 of 7 instances has no class and is left out
! note: left out: rpv with tree: rpv selects features for each instance separately, but tree cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
! note: genes: the positive class is yes, 3 of 6 instances (50.0 %)
! note: 1 feature is positive in every instance, ...
! note: nb: 6 of 6 fits had too few instances of a class to calibrate probabilities
! note: tree: 3 of 3 fits had too few instances of a class to calibrate probabilities
! note: no prediction has details: --details N gives them
! note: the JSON is in pairs.json
$ grep -o '"selector":"[^"]*","classifier":"[^"]*"' pairs.json
> "selector":"rpv","classifier":"nb"
> "selector":"top:k=1","classifier":"tree"
> "selector":"top:k=1","classifier":"nb"

# Instances without class are not cross-validated; the page lists them after the others.
$ printf 'id,a,class\n1,1,x\n2,0,y\n3,1,x\n4,0,y\n5,1,\n6,0,?\n' > some.csv; hsel explore some.csv --id id --folds 2 --json 2>/dev/null | jq -c '.dataset.instances, .instances, .runs[0].instances.predicted'
> 4
> {"id":["1","2","3","4","5","6"],"label":[null,null,null,null,null,null],"class":[0,1,0,1,null,null]}
> [0,1,0,1]
$ hsel explore -q some.csv --id id --folds 2 --instance 5 --json
! hsel: instance '5' has no class, so only a trained model can predict it: use hsel train, then --model
= 2
$ cut -d, -f2- some.csv > rows.csv; hsel explore rows.csv --folds 2 --json 2>/dev/null | jq -c '.instances'
> {"id":[null,null,null,null,null,null],"label":[null,null,null,null,"row 5","row 6"],"class":[0,1,0,1,null,null]}

# a model that has a weight for each value of a nominal feature, so more weights than features; what is said of the feature is the mean
# over the predictions with details of other values than the first
file colours.csv
| id,size,colour,a,b,c
| x1,10,red,1,0,0
| x2,12,red,0,1,1
| x3,20,green,1,0,1
| x4,23,green,0,1,0
| x5,31,blue,1,1,1
| x6,33,blue,0,0,1
| x7,45,white,0,1,1
| x8,41,white,1,0,0
| x9,52,black,0,1,0
| x10,55,black,1,0,1
file effect.py
| import json
| page = json.load(open("colours.json"))
| at, run = page["terms"]["id"].index("colour"), page["runs"][0]
| terms = [t for d in run["details"].values() for t in d["terms"] if t[0] == at and t[1] != "red"]
| print(len(run["model"]["weights"]), "%.2f" % abs(run["terms"]["effect"][at] - sum(t[2] for t in terms) / len(terms)))
$ hsel explore -q colours.csv --id id --target size --classify proximal-graph:lambda=0.01 --folds 2 --json -o colours.json && python3 effect.py
> 8 0.00
