# Labels beside identifiers in every output, of data that have them; --names off; asking by label.

file genes/data.csv
| gene,GO:1,GO:2,GO:3,GO:4,class
| 11,1,1,1,0,pro
| 12,1,1,0,0,pro
| 13,1,0,0,1,anti
| 14,1,0,0,1,anti
| 15,1,1,1,0,pro
| 16,1,0,0,0,anti
file genes/hierarchy.tsv
| GO:2	GO:1
| GO:3	GO:2
| GO:4	GO:1
file genes/features.tsv
| id	label	namespace
| GO:1	biological process	P
| GO:2	regulation of cell cycle	P
| GO:3	a term whose label is much too long for a table that people read on a terminal	P
file genes/instances.tsv
| id	label
| 11	aak-2
| 12	daf-16
| 13	daf-2
| 14	Twin
| 15	twin
$ cp -r genes plain && rm plain/features.tsv plain/instances.tsv

# Selections: a column of its own; the whole label, also where nothing is known.
$ hsel select -q genes --class class --id gene --select shsel --drop-roots | tr '\t' '|'
> GO:2|regulation of cell cycle
> GO:4|
$ hsel select -q genes --class class --id gene --select gtd --scores
> GO:2	regulation of cell cycle	1
> GO:4		0.5
$ hsel select -q genes --class class --id gene --select gtd --json
> {
>   "dataset": "genes",
>   "features": 4,
>   "positive_class": "pro",
>   "positive_share": 0.5,
>   "selected": [
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "relevance": 1
>     },
>     {
>       "feature": "GO:4",
>       "label": null,
>       "relevance": 0.5
>     }
>   ]
> }
$ hsel select -q genes --class class --id gene --select hip | head -3
> instance	label	selected	features…
> 11	aak-2	2	GO:3=1 a term whose label is much too long for a table that people read on a terminal	GO:4=0
> 12	daf-16	3	GO:2=1 regulation of cell cycle	GO:3=0 a term whose label is much too long for a table that people read on a terminal	GO:4=0
$ hsel select -q genes --class class --id gene --select hip --json | head -1
> {"instance": 1, "id": "11", "label": "aak-2", "selected": 2, "features": {"GO:3": 1, "GO:4": 0}, "labels": {"GO:3": "a term whose label is much too long for a table that people read on a terminal", "GO:4": null}}

# The table.
$ hsel select genes --class class --id gene --select gtd --table
> feature  label                     namespace  depth        anti          pro  score  direction
> GO:2     regulation of cell cycle  P              1   0 (0.0 %)  3 (100.0 %)      1        pro
> GO:4                                              1  2 (66.7 %)    0 (0.0 %)    0.5       anti
! note: genes: the positive class is pro, the second of two of the same size, 3 of 6 instances (50.0 %); --positive CLASS changes it
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: 2 of 4 features selected
! note: too few instances with a class or target to count in how many folds features are selected
$ hsel select -q genes --class class --id gene --select gtd --table --folds 3
> feature  label                     namespace  depth        anti          pro  score  direction   folds
> GO:2     regulation of cell cycle  P              1   0 (0.0 %)  3 (100.0 %)      1        pro  3 of 3
> GO:4                                              1  2 (66.7 %)    0 (0.0 %)    0.5       anti  3 of 3
$ hsel select -q genes --class class --id gene --select gtd --table --folds 3 --csv
> feature,label,namespace,depth,count(anti),share(anti),count(pro),share(pro),score,direction,selected_folds,folds
> GO:2,regulation of cell cycle,P,1,0,0,3,1,1,pro,3,3
> GO:4,,,1,2,0.6666666666666666,0,0,0.5,anti,3,3
$ hsel select -q genes --class class --id gene --select gtd --table --folds 3 --json | head -40
> {
>   "dataset": "genes",
>   "features": 4,
>   "positive_class": "pro",
>   "positive_share": 0.5,
>   "folds": 3,
>   "selected": [
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "namespace": "P",
>       "depth": 1,
>       "support": {
>         "anti": {
>           "count": 0,
>           "share": 0
>         },
>         "pro": {
>           "count": 3,
>           "share": 1
>         }
>       },
>       "score": 1,
>       "direction": "pro",
>       "selected_in": 3
>     },
>     {
>       "feature": "GO:4",
>       "label": null,
>       "namespace": null,
>       "depth": 1,
>       "support": {
>         "anti": {
>           "count": 2,
>           "share": 0.6666666666666666
>         },
>         "pro": {
>           "count": 0,
>           "share": 0
>         }
$ hsel select genes --class class --id gene --select hip --table
> feature  label                                                         namespace  depth         anti          pro    score  direction  instances
> GO:2     regulation of cell cycle                                      P              1    0 (0.0 %)  3 (100.0 %)        1        pro     4 of 6
> GO:3     a term whose label is much too long for a table that people…  P              2    0 (0.0 %)   2 (66.7 %)  0.83333        pro     3 of 6
> GO:4                                                                                  1   2 (66.7 %)    0 (0.0 %)  0.83333       anti     6 of 6
> GO:1     biological process                                            P              0  3 (100.0 %)  3 (100.0 %)        –          –     1 of 6
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: hip has no scores of features: auc is shown, as in hsel rank
$ hsel select -q genes --class class --id gene --select hip --table --csv --names off -o table.csv
$ cat table.csv
> feature,depth,count(anti),share(anti),count(pro),share(pro),score,direction,selected_instances,instances
> GO:2,1,0,0,3,1,1,pro,4,6
> GO:3,2,0,0,2,0.6666666666666666,0.8333333333333334,pro,3,6
> GO:4,1,2,0.6666666666666666,0,0,0.8333333333333334,anti,6,6
> GO:1,0,3,1,3,1,,,1,6
$ hsel select -q plain --class class --id gene --select none --no-hierarchy --table
> feature         anti          pro    score  direction
> GO:2       0 (0.0 %)  3 (100.0 %)        1        pro
> GO:3       0 (0.0 %)   2 (66.7 %)  0.83333        pro
> GO:4      2 (66.7 %)    0 (0.0 %)  0.83333       anti
> GO:1     3 (100.0 %)  3 (100.0 %)        –          –
$ hsel select plain --no-class --id gene --select none --ignore class --no-hierarchy --table
> feature  score  direction
> GO:1         –          –
> GO:2         –          –
> GO:3         –          –
> GO:4         –          –
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --ignore NAME leaves out features
! note: 4 of 4 features selected
! note: too few instances with a class or target to count in how many folds features are selected
! note: none has no scores of features, and there are no classes to rank them by
$ hsel select genes --class class --id gene --select gtd --csv
! hsel: --csv requires --table
= 2
$ hsel select genes --class class --id gene --select gtd --folds 3
! hsel: --folds requires --table
= 2
$ hsel select genes --class class --id gene --select gtd --table --folds 7
! note: genes: the positive class is pro, the second of two of the same size, 3 of 6 instances (50.0 %); --positive CLASS changes it
! note: 1 feature is positive in every instance, e.g. GO:1, and carries no information, but mr and others may still prefer it: --drop-roots leaves out roots
! note: 2 of 4 features selected
! hsel: 7 folds are more than the 6 instances with a class of genes
= 2
$ hsel select genes --class class --id gene --select hip --table --folds 3
! hsel: --folds is for eager selectors; for hip the table counts instances
= 2
$ hsel select genes --class class --id gene --select gtd --table --scores
! hsel: --scores cannot be combined with --table: the table has the scores
= 2
$ hsel select genes --class class --id gene --select gtd --table --csv --json
! hsel: --json cannot be combined with --csv
= 2
$ hsel select genes --class class --id gene --select gtd --table -o t.csv --to csv
! hsel: --to cannot be combined with --table: -o then writes the table, not a data set
= 2
# What a feature that is not binary is positive in is not asked; three classes; a share of none.
file mixed.csv
| age,a,b,c,class
| 1,1,1,0,x
| 2,0,1,0,y
| 3,0,1,1,z
| 5,0,1,1,z
$ hsel select -q mixed.csv --select none --table
> feature            x            y            z    score  direction
> c          0 (0.0 %)    0 (0.0 %)  2 (100.0 %)  0.91667          z
> age           mean 1       mean 2       mean 4  0.91667          z
> a        1 (100.0 %)    0 (0.0 %)    0 (0.0 %)  0.79167          x
> b        1 (100.0 %)  1 (100.0 %)  2 (100.0 %)        –          –

# Rankings.
$ hsel rank -q genes --class class --id gene
> feature  label                                                             auc  rank
> GO:2     regulation of cell cycle                                            1     1
> GO:3     a term whose label is much too long for a table that people…  0.83333     2
> GO:4                                                                   0.83333     3
> GO:1     biological process                                                  –     4
$ hsel rank -q genes --class class --id gene --csv
> feature,label,auc,rank
> GO:2,regulation of cell cycle,1,1
> GO:3,a term whose label is much too long for a table that people read on a terminal,0.8333333333333334,2
> GO:4,,0.8333333333333334,3
> GO:1,biological process,,4
$ hsel rank -q genes --class class --id gene --json --top 1
> {
>   "dataset": "genes",
>   "features": 4,
>   "positive_class": "pro",
>   "positive_share": 0.5,
>   "rankers": [
>     "auc"
>   ],
>   "ranking": [
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "values": [
>         1
>       ],
>       "ranks": [
>         1
>       ]
>     }
>   ]
> }

# Explanations.
$ hsel explain -q genes --class class --id gene --instance AAK-2 --select hip
> instance   aak-2 11, number 1 of genes
> class      pro
> predicted  pro, P = 0.7785 (anti 0.2215)
> methods    hip, nb
> selected   2 of 4 features
> log-odds   for pro, nb's own; with the prior they add up to those of the prediction
>
>   -0.288      ▐█               (prior)
>   +0.916        ██████  has    a term whose label is much too long for a table that people… GO:3
>                                ‹ regulation of cell cycle ‹ biological process
>                                in 1 of 2 pro, 0 of 3 anti
>   +0.629        ████▏   lacks  GO:4 ‹ biological process
>                                in 0 of 2 pro, 2 of 3 anti
>   +1.257  log-odds for pro, with the prior
$ hsel explain -q genes --class class --id gene --instance 11 --select hip --json
> {
>   "dataset": "genes",
>   "instance": 1,
>   "id": "11",
>   "label": "aak-2",
>   "selector": "hip",
>   "classifier": "nb",
>   "class": "pro",
>   "predicted": "pro",
>   "positive_class": "pro",
>   "probabilities": {
>     "anti": 0.22145328719723179,
>     "pro": 0.7785467128027682
>   },
>   "selected": 2,
>   "sorted_by": "log_odds",
>   "log_odds_by": "terms",
>   "prior": -0.2876820724517809,
>   "rest": 0,
>   "features": [
>     {
>       "feature": "GO:3",
>       "label": "a term whose label is much too long for a table that people read on a terminal",
>       "value": 1,
>       "relevance": null,
>       "log_odds": 0.916290731874155
>     },
>     {
>       "feature": "GO:4",
>       "label": null,
>       "value": 0,
>       "relevance": null,
>       "log_odds": 0.6286086594223741
>     }
>   ],
>   "why": [
>     {
>       "feature": "GO:1",
>       "label": "biological process",
>       "kept": false,
>       "rule": "follows_from_descendant",
>       "by": "GO:2",
>       "score": null,
>       "other": null
>     },
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "kept": false,
>       "rule": "follows_from_descendant",
>       "by": "GO:3",
>       "score": null,
>       "other": null
>     },
>     {
>       "feature": "GO:3",
>       "label": "a term whose label is much too long for a table that people read on a terminal",
>       "kept": true,
>       "rule": "lowest",
>       "by": null,
>       "score": null,
>       "other": null
>     }
>   ],
>   "hierarchy": [
>     {
>       "feature": "GO:1",
>       "label": "biological process",
>       "value": 1,
>       "selected": false,
>       "parents": []
>     },
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "value": 1,
>       "selected": false,
>       "parents": [
>         "GO:1"
>       ]
>     },
>     {
>       "feature": "GO:4",
>       "label": null,
>       "value": 0,
>       "selected": true,
>       "parents": [
>         "GO:1"
>       ]
>     },
>     {
>       "feature": "GO:3",
>       "label": "a term whose label is much too long for a table that people read on a terminal",
>       "value": 1,
>       "selected": true,
>       "parents": [
>         "GO:2"
>       ]
>     }
>   ]
> }
$ hsel explain -q genes --class class --id gene --instance 11 --select hip --dot - | grep label=
>   label=<<FONT POINT-SIZE="15">aak-2 (11): pro, P = 0.779</FONT><BR/>numbers are log-odds for pro: blue is evidence for it, orange against it; dashed: the instance lacks the term<BR/>>;
>   n0 [label=<biological process<BR/><FONT POINT-SIZE="8">GO:1</FONT>>, tooltip="biological process GO:1", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", color="#969696"];
>   n1 [label=<regulation of cell cycle<BR/><FONT POINT-SIZE="8">GO:2</FONT>>, tooltip="regulation of cell cycle GO:2", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", color="#969696"];
>   n2 [label=<a term whose label<BR/>is much too long for<BR/>a table that people<BR/>read on a terminal<BR/><FONT POINT-SIZE="8">GO:3</FONT><BR/><B>+0.916</B>>, tooltip="a term whose label is much too long for a table that people read on a terminal GO:3", fillcolor="#0072b2", fontcolor="#ffffff", style="filled", penwidth=1.8];
>   n3 [label=<GO:4<BR/><B>+0.629</B>>, tooltip="GO:4", fillcolor="#4a9bc8", fontcolor="#000000", style="filled,dashed", penwidth=1.8];
$ hsel explain -q genes --class class --id gene --instance aak-2 --select hip --names off | head -12
> instance   11, number 1 of genes
> class      pro
> predicted  pro, P = 0.7785 (anti 0.2215)
> methods    hip, nb
> selected   2 of 4 features
> log-odds   for pro, nb's own; with the prior they add up to those of the prediction
>
>   -0.288      ▐█               (prior)
>   +0.916        ██████  has    GO:3 ‹ GO:2 ‹ GO:1
>                                in 1 of 2 pro, 0 of 3 anti
>   +0.629        ████▏   lacks  GO:4 ‹ GO:1
>                                in 0 of 2 pro, 2 of 3 anti

# Asking: the identifier wins, then a label in any case; else candidates.
$ hsel explain -q genes --class class --id gene --instance aak-2 --classify knn | grep -A 1 ^neighbours
> neighbours the 3 nearest, with the features that both have
>   twin 15              pro                  distance 0, weight 1, shares 3 (0 only here, 0 only there)
$ hsel explain -q genes --class class --id gene --instance aak-2 --classify knn --names off | grep -A 1 ^neighbours
> neighbours the 3 nearest, with the features that both have
>   15                   pro                  distance 0, weight 1, shares 3 (0 only here, 0 only there)
$ hsel explain -q genes --class class --id gene --instance twin
! hsel: 2 instances are called 'twin': 14 Twin, 15 twin; give an identifier
= 2
$ hsel explain -q genes --class class --id gene --instance daf
! hsel: there is no instance 'daf' in genes; did you mean 12 daf-16, 13 daf-2?
= 2
$ hsel explain -q genes --class class --id gene --instance aak2
! hsel: there is no instance 'aak2' in genes; did you mean 11 aak-2?
= 2
$ hsel explain -q genes --class class --id gene --instance xyzzy
! hsel: there is no instance 'xyzzy' in genes: give an identifier, a label, or a number from #1 to #6
= 2
$ hsel explain -q genes --class class --id gene --instance '#7'
! hsel: there is no instance '#7' in genes: give an identifier, a label, or a number from #1 to #6
= 2
$ printf 'id\tlabel\n12\t11\n11\tother\n' >crossed.tsv
$ hsel explain -q genes --class class --id gene --metadata crossed.tsv --instance 11 | head -1
> instance   other 11, number 1 of genes

# Models as a whole.
$ hsel train -q genes --class class --id gene --classify tree:min=1 --show
> methods          none, tree:min=1
> trained on       6 instances of genes
> features         4, 4 selected
> GO:2 regulation of cell cycle = 0: anti (3)
> GO:2 regulation of cell cycle = 1: pro (3)
>
> leaves: 2, nodes: 3
$ hsel train -q genes --class class --id gene --classify tree:min=1 --show --dot - | grep label=
>   label=<<FONT POINT-SIZE="15">none, tree:min=1: trained on 6 instances of genes</FONT><BR/>blue: pro, orange: anti; instances, and the share of the class<BR/>>;
>   n0 [label=<regulation of cell cycle<BR/><FONT POINT-SIZE="8">GO:2</FONT>>, tooltip="regulation of cell cycle GO:2", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", penwidth=1.8];
>   n1 [label=<anti<BR/><B>3 (100.0 %)</B>>, tooltip="anti", fillcolor="#e68a00", fontcolor="#000000", style="filled,rounded", penwidth=1.8];
>   n2 [label=<pro<BR/><B>3 (100.0 %)</B>>, tooltip="pro", fillcolor="#0072b2", fontcolor="#ffffff", style="filled,rounded", penwidth=1.8];
>   n0 -> n1 [label=" no "];
>   n0 -> n2 [label=" yes "];
$ hsel train -q genes --class class --id gene --classify tree:min=1 --show --json | head -9
> {
>   "leaves": 2,
>   "nodes": [
>     {
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
>       "kind": "binary",
>       "children": [
>         1,
$ hsel train -q genes --class class --id gene --classify forest:trees=5 --show | tail -4
> importance  feature (3 of 4 are used)
>    0.76364  GO:2 regulation of cell cycle
>    0.19091  GO:3 a term whose label is much too long for a table that people…
>    0.04545  GO:4
$ hsel train -q genes --class class --id gene --classify forest:trees=5 --show --json | grep -A 1 feature\"
>       "feature": "GO:2",
>       "label": "regulation of cell cycle",
> --
>       "feature": "GO:3",
>       "label": "a term whose label is much too long for a table that people read on a terminal",
> --
>       "feature": "GO:4",
>       "label": null,
$ hsel train -q genes --class class --id gene --classify svm --show | tail -4
>      -1.1134  GO:2 regulation of cell cycle
>      +0.3912  GO:4
>      -0.3180  GO:3 a term whose label is much too long for a table that people…
>      +0.2555  GO:1 biological process
$ hsel train -q genes --class class --id gene --classify svm:solver=libsvm --show --json | grep -A 12 weights
>       "weights": {
>         "GO:2": -1.3333333333333333,
>         "GO:3": -0.3333333333333333,
>         "GO:4": 0.3333333333333333,
>         "GO:1": -5.551115123125783e-17
>       },
>       "labels": {
>         "GO:2": "regulation of cell cycle",
>         "GO:3": "a term whose label is much too long for a table that people read on a terminal",
>         "GO:4": null,
>         "GO:1": "biological process"
>       }
>     }
$ hsel train -q genes --class class --id gene --classify proximal-graph:lambda=0.05 --show | tail -2
>     +0.882559  GO:3 a term whose label is much too long for a table that people…
>     -0.882559  GO:4
$ hsel train -q genes --class class --id gene --classify proximal-graph --show --json | grep -A 1 feature\"
>           "feature": "GO:2",
>           "label": "regulation of cell cycle",
> --
>           "feature": "GO:3",
>           "label": "a term whose label is much too long for a table that people read on a terminal",
> --
>           "feature": "GO:4",
>           "label": null,
$ hsel train -q genes --class class --id gene --classify svm --show --names off | tail -4
>      -1.1134  GO:2
>      +0.3912  GO:4
>      -0.3180  GO:3
>      +0.2555  GO:1

# Predictions and frequencies.
$ hsel train -q genes --class class --id gene --select hip -o m.model
$ hsel predict -q m.model genes --selected | head -2
> instance	label	predicted	P(anti)	P(pro)	selected	features…
> 11	aak-2	pro	0.14285714285714288	0.8571428571428571	2	GO:3=1 a term whose label is much too long for a table that people read on a terminal	GO:4=0
$ hsel predict -q m.model genes --selected --json | head -1
> {"instance": 1, "id": "11", "label": "aak-2", "predicted": "pro", "probabilities": {"anti": 0.14285714285714288, "pro": 0.8571428571428571}, "selected": 2, "features": {"GO:3": 1, "GO:4": 0}, "labels": {"GO:3": "a term whose label is much too long for a table that people read on a terminal", "GO:4": null}}
$ hsel predict -q m.model genes --names off | head -2
> instance	predicted	P(anti)	P(pro)	selected
> 11	pro	0.14285714285714288	0.8571428571428571	2
$ hsel eval -q genes --class class --id gene --folds 3 --select gtd --frequencies f.csv --predictions p.csv >table.txt
$ head -3 f.csv
> dataset,selector,repeat,feature,label,selected,share
> genes,gtd,1,GO:1,biological process,0,0
> genes,gtd,1,GO:2,regulation of cell cycle,6,1
$ head -2 p.csv | cut -d , -f 1-11
> dataset,selector,classifier,repeat,fold,instance,id,label,class,predicted,selected
> genes,gtd,nb,1,2,1,11,aak-2,pro,pro,2
$ hsel eval plain genes --class class --id gene --folds 3 --frequencies g.csv 2>&1 >table.txt | grep labels
> note: g.csv has no labels: the first data set has none
$ head -1 g.csv
> dataset,selector,repeat,feature,selected,share
$ hsel eval genes plain -q --class class --id gene --folds 3 --frequencies g.csv >table.txt
$ sed -n '1p;2p;6p' g.csv
> dataset,selector,repeat,feature,label,selected,share
> genes,none,1,GO:1,biological process,6,1
> plain,none,1,GO:1,,6,1

# Violations of the true-path rule.
file broken.csv
| gene,GO:1,GO:2,class
| 11,1,1,pro
| 12,0,1,anti
$ hsel check -q broken.csv --id gene --hierarchy genes/hierarchy.tsv --labels genes/features.tsv --metadata genes/instances.tsv | grep instance
> ok       structure: 2 instances, 2 features, 1 edge without a cycle
> problem  the true-path rule is violated 1 time, in 1 instance, at 1 edge
>   instance 2 (12 daf-16): GO:2 regulation of cell cycle is positive, its parent GO:1 biological process is not
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   2 classes with fewer than two instances
! hsel: broken.csv: the true-path rule is violated 1 time; --propagate repairs it
$ hsel check -q broken.csv --id gene --hierarchy genes/hierarchy.tsv --labels genes/features.tsv --metadata genes/instances.tsv --json | grep -A 9 violations\"
>   "violations": [
>     {
>       "instance": 2,
>       "id": "12",
>       "label": "daf-16",
>       "positive": "GO:2",
>       "positive_label": "regulation of cell cycle",
>       "negative_parent": "GO:1",
>       "negative_parent_label": "biological process"
>     }
! hsel: broken.csv: the true-path rule is violated 1 time; --propagate repairs it
$ hsel check -q broken.csv --id gene --hierarchy genes/hierarchy.tsv --labels genes/features.tsv --metadata genes/instances.tsv --names off | grep instance
> ok       structure: 2 instances, 2 features, 1 edge without a cycle
> problem  the true-path rule is violated 1 time, in 1 instance, at 1 edge
>   instance 2 (12): GO:2 is positive, its parent GO:1 is not
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   2 classes with fewer than two instances
! hsel: broken.csv: the true-path rule is violated 1 time; --propagate repairs it

# With --names off data with labels are shown as data without.
$ for c in "select --select gtd --scores" "select --select gtd --json" "select --select hip" "select --select hip --json" \
$ "select --select gtd --table --folds 3 --csv" "rank" "rank --csv" "rank --json" "explain --instance 11 --select hip" \
$ "explain --instance 11 --json" "explain --instance 11 --dot -" "train --classify tree:min=1 --show" "train --classify svm --show --json" \
$ "check" "check --json"; do set -- $c; for d in genes plain; do cp -r $d same; n=; test $d = genes && n="--names off"; \
$ hsel $1 same -q --class class --id gene $n $(echo $c | cut -s -d ' ' -f 2-) >$d.txt; rm -r same; done; cmp genes.txt plain.txt; done

# Where nothing is shown, it would have no effect.
$ hsel train genes --class class --id gene -o m.model --names off
! hsel: --names requires --show
= 2
$ hsel eval genes --class class --id gene --names off
! hsel: --names requires --predictions or --frequencies: the table has no labels
= 2
$ hsel rank genes --class class --id gene --compare --names off
! hsel: --names cannot be combined with --compare: features are not shown
= 2

# Hostile labels: tabs, quotes, HTML, line ends, escapes, invalid UTF-8, formulas, 100 kB. Lines and columns stay what they are.
file hostile.py
| big = b"x" * 100000
| labels = [b'"tab\there"', b'"line\nend"', b"<script>alert(1)</script>", b'"say ""hi"" \\"', b"\x1b[31mred \xff\xfe", b"=cmd()", big, "é".encode() * 70]
| with open("h.csv", "wb") as out:
|     names = ",".join("f%d" % i for i in range(len(labels)))
|     out.write(("id," + names + ",class\n").encode())
|     for i in range(12):
|         bits = ",".join(str(int((i * 7 + f * 3) % (f + 2) < (f + 2) / 2)) for f in range(len(labels)))
|         out.write(("i%d,%s,%s\n" % (i, bits, "ab"[i % 2])).encode())
| with open("features.csv", "wb") as out:
|     out.write(b"id,label,namespace\n")
|     for i, label in enumerate(labels):
|         out.write(b"f%d,%s,%s\n" % (i, label, label))
| with open("instances.csv", "wb") as out:
|     out.write(b"id,label\n")
|     for i in range(12):
|         out.write(b"i%d,%s\n" % (i, labels[i % len(labels)]))
$ /usr/bin/python3 hostile.py
$ hsel rank -q h.csv --id id --labels features.csv --top 0
> feature  label                                                             auc  rank
> f0       tab\x09here                                                         1     1
> f4       \x1b[31mred \xff\xfe                                          0.66667     2
> f3       say "hi" \                                                    0.58333     3
> f6       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  0.58333     4
> f7       ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…  0.58333     5
> f1       line\x0aend                                                       0.5     6
> f2       <script>alert(1)</script>                                         0.5     7
> f5       =cmd()                                                              –     8
$ hsel select -q h.csv --id id --labels features.csv --select none --table --folds 2
> feature  label                                                         namespace                                                               a            b    score  direction   folds
> f0       tab\x09here                                                   tab\x09here                                                   6 (100.0 %)    0 (0.0 %)        1          a  2 of 2
> f4       \x1b[31mred \xff\xfe                                          \x1b[31mred \xff\xfe                                           4 (66.7 %)   2 (33.3 %)  0.66667          a  2 of 2
> f3       say "hi" \                                                    say "hi" \                                                     3 (50.0 %)   4 (66.7 %)  0.58333          b  2 of 2
> f6       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…   4 (66.7 %)   3 (50.0 %)  0.58333          a  2 of 2
> f7       ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…  ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…   4 (66.7 %)   3 (50.0 %)  0.58333          a  2 of 2
> f1       line\x0aend                                                   line\x0aend                                                    4 (66.7 %)   4 (66.7 %)      0.5          –  2 of 2
> f2       <script>alert(1)</script>                                     <script>alert(1)</script>                                      3 (50.0 %)   3 (50.0 %)      0.5          –  2 of 2
> f5       =cmd()                                                        =cmd()                                                        6 (100.0 %)  6 (100.0 %)        –          –  2 of 2
file h.tsv
| f0	f5
| f1	f5
| f2	f5
| f3	f5
| f4	f5
| f6	f5
| f7	f5
file strict.py
| import csv, json, subprocess, xml.etree.ElementTree as xml
| csv.field_size_limit(10**6)
| common = "-q h.csv --id id --hierarchy h.tsv --labels features.csv --metadata instances.csv".split()
| def run(command, *options):
|     done = subprocess.run(["hsel", command, *common, *options], capture_output=True)
|     assert done.returncode == 0, (command, options, done.stderr)
|     return done.stdout
| def people(text, most):
|     assert all(c >= 0x20 or c == 0x0a for c in text), text
|     assert max(map(len, text.decode().split("\n"))) <= most, text   # valid UTF-8
| people(run("rank"), 100)
| people(run("select", "--select", "none", "--table"), 220)
| people(run("explain", "--instance", "i6"), 120)
| people(run("explain", "--instance", "i4"), 120)
| for classifier in "tree:min=1", "forest:trees=3", "svm", "proximal-graph":
|     people(run("train", "--classify", classifier, "--show"), 140)
|     json.loads(run("train", "--classify", classifier, "--show", "--json"))
| for command in ["train", "--classify", "tree:min=1", "--show"], ["explain", "--instance", "i6"], ["select", "--select", "none"]:
|     drawing = run(*command, "--dot", "-")
|     people(drawing, 2500)   # texts are cut at 160 columns, those of tooltips at 1000
|     svg, graph = (xml.fromstring(run(*command, form, "-")) for form in ("--svg", "--graphml"))
|     assert svg.tag.endswith("svg") and not [e for e in svg.iter() if "script" in e.tag], command
|     labels = [e.text for e in graph.iter() if e.get("key") == "label"]
|     assert command[0] == "train" or "<script>alert(1)</script>" in labels and max(map(len, labels)) == 100000, command
| drawing = run("explain", "--instance", "i6", "--dot", "-")
| assert all(line.replace(b'\\\\', b"").replace(b'\\"', b"").count(b'"') % 2 == 0 for line in drawing.split(b"\n")), drawing
| def lines(text, separator, columns):
|     rows = list(csv.reader(text.decode("utf-8", "replace").splitlines(True), delimiter=separator)) if separator == "," else \
|         [line.split("\t") for line in text.decode("utf-8", "replace").rstrip("\n").split("\n")]
|     assert {len(row) for row in rows} == {columns}, [len(row) for row in rows]
|     return rows
| rows = lines(run("rank", "--csv", "--top", "0"), ",", 4)
| assert {row[0]: row[1] for row in rows}["f1"] == "line\nend" and max(len(row[1]) for row in rows) == 100000
| lines(run("select", "--select", "none", "--table", "--csv"), ",", 12)
| lines(run("select", "--select", "none"), "\t", 2)
| for row in json.loads(run("select", "--select", "none", "--json"))["selected"]:
|     assert row["feature"] != "f0" or row["label"] == "tab\there"
| json.loads(run("rank", "--json"))
| json.loads(run("explain", "--instance", "i6", "--json"))
| json.loads(run("select", "--select", "none", "--table", "--json"))
| lazy = run("select", "--select", "all-pos")
| assert len(lazy.rstrip(b"\n").split(b"\n")) == 13
| for line in lazy.decode("utf-8", "replace").rstrip("\n").split("\n")[1:]:
|     cells = line.split("\t")
|     assert len(cells) == 3 + int(cells[2]), cells
| for line in run("select", "--select", "all-pos", "--json").splitlines():
|     assert set(json.loads(line)["features"]) == set(json.loads(line)["labels"])
| run("eval", "--folds", "3", "--frequencies", "f.csv", "--predictions", "p.csv")
| lines(open("f.csv", "rb").read(), ",", 7)
| lines(open("p.csv", "rb").read(), ",", 15)
| run("train", "-o", "h.model")
| common[1:2] = ["h.model", "h.csv"]
| for gone in "--labels", "--hierarchy":
|     common[common.index(gone):common.index(gone) + 2] = []
| lines(run("predict"), "\t", 6)
| [json.loads(line) for line in run("predict", "--json").splitlines()]
$ /usr/bin/python3 strict.py
$ hsel rank -q h.csv --id id --labels features.csv --csv --csv-safe | grep -c "'=cmd"
> 1
