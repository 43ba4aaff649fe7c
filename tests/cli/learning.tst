# hsel select, train, predict, explain and eval on a data set that can be worked out by hand: a is above b and c, b above d, e alone.
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

# ---- select: an eager selector keeps a list, or the reduced data set ----
$ hsel select genes.csv --id id --hierarchy terms.tsv --select gtd
> a
> b
> e
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
! note: 3 of 5 features selected
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd --scores
> a	0.25374246365004394
> b	1
> e	0.574995168878684
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd --json
> {
>   "dataset": "genes",
>   "features": 5,
>   "positive_class": "yes",
>   "positive_share": 0.5,
>   "selected": [
>     {
>       "feature": "a",
>       "relevance": 0.25374246365004394
>     },
>     {
>       "feature": "b",
>       "relevance": 1
>     },
>     {
>       "feature": "e",
>       "relevance": 0.574995168878684
>     }
>   ]
> }
$ hsel select genes.csv --id id --hierarchy terms.tsv --select gtd -o reduced.hsel
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
! note: 3 of 5 features selected
$ hsel convert -q reduced.hsel -o -
> @relation genes
>
> @attribute id string
> @attribute a {0,1}
> @attribute b {0,1}
> @attribute e {0,1}
> @attribute class {no,yes}
> % positive class: yes
>
> @data
> g1,1,1,0,yes
> g2,1,1,0,yes
> g3,1,1,0,yes
> g4,1,0,1,no
> g5,1,0,0,no
> g6,0,0,1,no
> g7,1,1,0,yes
> g8,1,0,1,no
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd -o folder && ls folder
> data.arff.gz
> hierarchy.tsv.gz
> meta.json
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd -o - --to csv
> id,a,b,e,class
> g1,1,1,0,yes
> g2,1,1,0,yes
> g3,1,1,0,yes
> g4,1,0,1,no
> g5,1,0,0,no
> g6,0,0,1,no
> g7,1,1,0,yes
> g8,1,0,1,no
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd -o x.csv --json
! hsel: --json is for the list of features, but -o writes the reduced data set instead
= 2
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select gtd --for genes.csv
! hsel: --for is for lazy selectors, but gtd selects once for all instances
= 2

# A lazy one has a line for each instance.
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip
> instance	selected	features…
> g1	3	d=1	c=0	e=0
> g2	3	d=1	c=0	e=0
> g3	4	b=1	c=1	d=0	e=0
> g4	3	c=1	e=1	b=0
> g5	3	c=1	b=0	e=0
> g6	2	e=1	a=0
> g7	4	b=1	c=0	d=0	e=0
> g8	3	c=1	e=1	b=0
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
$ hsel select genes.csv --ignore id --hierarchy terms.tsv --select all-pos
> instance	selected	features…
> 1	3	a=1	b=1	d=1
> 2	3	a=1	b=1	d=1
> 3	3	a=1	b=1	c=1
> 4	3	a=1	c=1	e=1
> 5	2	a=1	c=1
> 6	1	e=1
> 7	2	a=1	b=1
> 8	3	a=1	c=1	e=1
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
$ hsel select genes.csv --id id --hierarchy terms.tsv --select rpv --json -o lines.jsonl && head -n 1 lines.jsonl
> {"instance": 1, "id": "g1", "selected": 2, "features": {"b": 1, "d": 1}}
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --scores
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! hsel: --scores is for eager selectors; hsel explain shows the relevance that hip uses
= 2

# For other instances: features by name, in any order; the hierarchy is that of DATA.
file new.csv
| c,b,a,e,d,id
| 0,1,1,0,1,n1
| 1,0,1,1,0,n2
file other.csv
| a,b,c,d,z,id
| 1,0,1,0,1,n1
file broken.csv
| a,b,c,d,e,id
| 0,1,0,0,0,n1
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --for new.csv
> instance	selected	features…
> n1	3	d=1	c=0	e=0
> n2	3	c=1	e=1	b=0
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --for other.csv
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! hsel: feature z of other is not among those of the training data, genes; --features intersect leaves such features out
= 1
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --for other.csv --features intersect
> instance	selected	features…
> n1	3	c=1	b=0	e=0
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: 1 feature not among those of the training data was left out
! note: 1 feature of the training data is missing and taken as negative
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --for broken.csv
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! hsel: hip needs data that satisfy the true-path rule: in instance 1 of broken, b is positive and its parent a is not (1 such case); repair with --propagate
= 1
$ hsel select genes.csv --id id --hierarchy terms.tsv --select hip --for broken.csv --propagate
> instance	selected	features…
> n1	4	b=1	c=0	d=0	e=0
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: propagation changed nothing: all ancestors of positive features are already positive
! note: broken was prepared as the training data: propagate=true

# ---- train and predict ----
$ hsel train genes.csv --id id --hierarchy terms.tsv --select hip --classify nb -o nb.model
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 5 features; hsel predict uses the model
$ hsel predict nb.model new.csv
> instance	predicted	P(no)	P(yes)	selected
> n1	yes	0.06249999999999997	0.9375	3
> n2	no	0.9756097560975611	0.02439024390243902	3
$ hsel predict nb.model new.csv --selected --json
> {"instance": 1, "id": "n1", "predicted": "yes", "probabilities": {"no": 0.06249999999999997, "yes": 0.9375}, "selected": 3, "features": {"d": 1, "c": 0, "e": 0}}
> {"instance": 2, "id": "n2", "predicted": "no", "probabilities": {"no": 0.9756097560975611, "yes": 0.02439024390243902}, "selected": 3, "features": {"c": 1, "e": 1, "b": 0}}
$ cat new.csv | hsel predict nb.model - --selected
> instance	predicted	P(no)	P(yes)	selected	features…
> n1	yes	0.06249999999999997	0.9375	3	d=1	c=0	e=0
> n2	no	0.9756097560975611	0.02439024390243902	3	c=1	e=1	b=0
$ hsel predict nb.model genes.csv -o answers.tsv && head -n 3 answers.tsv
> instance	predicted	P(no)	P(yes)	selected
> g1	yes	0.06249999999999997	0.9375	3
> g2	yes	0.06249999999999997	0.9375	3
$ hsel predict nb.model other.csv
! hsel: feature z of other is not among those of the training data, genes; --features intersect leaves such features out
= 1
$ hsel predict nb.model other.csv --features intersect
> instance	predicted	P(no)	P(yes)	selected
> n1	no	0.8	0.20000000000000004	3
! note: 1 feature not among those of the training data was left out
! note: 1 feature of the training data is missing and taken as negative
$ hsel predict nb.model broken.csv
! hsel: hip needs data that satisfy the true-path rule: in instance 1 of broken, b is positive and its parent a is not (1 such case); repair with --propagate
= 1
$ hsel predict nb.model broken.csv --propagate
> instance	predicted	P(no)	P(yes)	selected
> n1	yes	0.0625	0.9375	4
! note: 1 value was made positive by propagation
$ hsel train -q genes.csv --id id --hierarchy terms.tsv --select gtd --classify knn:k=3 -o knn.model.gz
$ hsel predict knn.model.gz new.csv --selected
> instance	predicted	P(no)	P(yes)	selected	features…
> n1	yes	0.16666666666666666	0.8333333333333334	3	a=1	b=1	e=0
> n2	no	0.8333333333333334	0.16666666666666666	3	a=1	e=1	b=0
# An eager selector does not look at the hierarchy of what is predicted.
$ hsel predict knn.model.gz broken.csv
> instance	predicted	P(no)	P(yes)	selected
> n1	yes	0.16666666666666666	0.8333333333333334	3

# ---- explain ----
$ hsel explain genes.csv --id id --hierarchy terms.tsv --instance g3 --select hip
> instance   g3, number 3 of genes
> class      yes
> predicted  yes, P = 0.5703 (no 0.4297)
> methods    hip, nb
> selected   4 of 5 features
> log-odds   for yes, nb's own; with the prior they add up to those of the prediction
>
>   -0.223       ▐               (prior)
>   +1.569        ██████  has    b ‹ a
>                                in 3 of 3 yes, 0 of 4 no
>   -1.204   ▐████        has    c ‹ a
>                                in 0 of 3 yes, 3 of 4 no
>   +0.875        ███▍    lacks  e
>                                in 0 of 3 yes, 3 of 4 no
>   -0.734     ▐██        lacks  d ‹ b ‹ a
>                                in 2 of 3 yes, 0 of 4 no
>   +0.283  log-odds for yes, with the prior
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel explain genes.csv --id id --hierarchy terms.tsv --instance '#3' --select rpv:measure=ig --top 1
> instance   g3, number 3 of genes
> class      yes
> predicted  yes, P = 0.5353 (no 0.4647)
> methods    rpv:measure=ig, nb
> selected   2 of 5 features
> log-odds   for yes, nb's own; with the prior they add up to those of the prediction
>
>   -0.223       ▐             (prior)
>   +1.569        ██████  has  b ‹ a
>                              in 3 of 3 yes, 0 of 4 no; relevance ...
> and 1 more, -1.204 in all
>   +0.141  log-odds for yes, with the prior
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. e
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel explain new.csv --model nb.model --instance n2 --json
> {
>   "dataset": "new",
>   "instance": 2,
>   "id": "n2",
>   "selector": "hip",
>   "classifier": "nb",
>   "class": null,
>   "predicted": "no",
>   "positive_class": "yes",
>   "probabilities": {
>     "no": 0.9756097560975611,
>     "yes": 0.02439024390243902
>   },
>   "selected": 3,
>   "sorted_by": "log_odds",
>   "log_odds_by": "terms",
>   "prior": 0,
>   "rest": 0,
>   "features": [
>     {
>       "feature": "b",
>       "value": 0,
>       "relevance": null,
>       "log_odds": 1.6094379124341003
>     },
>     {
>       "feature": "e",
>       "value": 1,
>       "relevance": null,
>       "log_odds": 1.3862943611198906
>     },
>     {
>       "feature": "c",
>       "value": 1,
>       "relevance": null,
>       "log_odds": 0.6931471805599454
>     }
>   ],
>   "why": [
>     {
>       "feature": "a",
>       "kept": false,
>       "rule": "follows_from_descendant",
>       "by": "c",
>       "score": null,
>       "other": null
>     },
>     {
>       "feature": "c",
>       "kept": true,
>       "rule": "lowest",
>       "by": null,
>       "score": null,
>       "other": null
>     },
>     {
>       "feature": "e",
>       "kept": true,
>       "rule": "lowest",
>       "by": null,
>       "score": null,
>       "other": null
>     }
>   ],
>   "hierarchy": [
>     {
>       "feature": "a",
>       "value": 1,
>       "selected": false,
>       "parents": []
>     },
>     {
>       "feature": "e",
>       "value": 1,
>       "selected": true,
>       "parents": []
>     },
>     {
>       "feature": "b",
>       "value": 0,
>       "selected": true,
>       "parents": [
>         "a"
>       ]
>     },
>     {
>       "feature": "c",
>       "value": 1,
>       "selected": true,
>       "parents": [
>         "a"
>       ]
>     }
>   ]
> }
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel explain new.csv --model nb.model --instance '#1' --dot why.dot > text && head -n 4 text && cat why.dot
> instance   n1, number 1 of new
> predicted  yes, P = 0.9375 (no 0.0625)
> methods    hip, nb
> selected   3 of 5 features
> digraph drawing {
>   bgcolor="#ffffff"; labelloc=t; fontname="Helvetica"; fontsize=12; nodesep=0.18; ranksep=0.35;
>   node [shape=box, fontname="Helvetica", fontsize=10, margin="0.1,0.06", color="#333333"];
>   edge [fontname="Helvetica", fontsize=9, arrowsize=0.6, color="#636363", dir=back];
>   label=<<FONT POINT-SIZE="15">n1: yes, P = 0.938</FONT><BR/>numbers are log-odds for yes: blue is evidence for it, orange against it; dashed: the instance lacks the term<BR/>>;
>   n0 [label=<a>, tooltip="a", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", color="#969696"];
>   n1 [label=<b>, tooltip="b", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", color="#969696"];
>   n2 [label=<c<BR/><B>+0.693</B>>, tooltip="c", fillcolor="#57a2cc", fontcolor="#000000", style="filled,dashed", penwidth=1.8];
>   n3 [label=<d<BR/><B>+1.099</B>>, tooltip="d", fillcolor="#0072b2", fontcolor="#ffffff", style="filled", penwidth=1.8];
>   n4 [label=<e<BR/><B>+0.916</B>>, tooltip="e", fillcolor="#2788be", fontcolor="#000000", style="filled,dashed", penwidth=1.8];
>   n0 -> n1;
>   n0 -> n2;
>   n1 -> n3;
> }
! note: genes: the positive class is yes, 4 of 8 instances (50.0 %)
$ hsel explain genes.csv --id id --instance g3 --select all-pos --classify knn
> instance   g3, number 3 of genes
> class      yes
> predicted  no, P = 0.5139 (yes 0.4861)
> methods    all-pos, knn
> selected   3 of 5 features
> log-odds   for no: Owen values along the hierarchy, against 7 other instances; with theirs they add
>            up to those of the prediction
> neighbours the 6 nearest, with the features that both have
>   g1                   yes                  distance 1, weight 1, shares 2 (1 only here, 0 only there)
>   g2                   yes                  distance 1, weight 1, shares 2 (1 only here, 0 only there)
>   g4                   no                   distance 1, weight 1, shares 2 (1 only here, 0 only there)
>   g5                   no                   distance 1, weight 1, shares 2 (1 only here, 0 only there)
>   g7                   yes                  distance 1, weight 1, shares 2 (1 only here, 0 only there)
>   and 1 more
>
>   +0.158        █▏           (those others)
>   +0.000                     (all that it lacks)
>   -0.816  ██████        has  b
>                              in 0 of 4 no, 3 of 3 yes
>   +0.744        █████▌  has  c
>                              in 3 of 4 no, 0 of 3 yes
>   -0.031                has  a
>                              in 3 of 4 no, 3 of 3 yes
>   +0.056  log-odds for no, in all
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel explain genes.csv --id id --instance g3 --samples 5
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! hsel: --samples is for Owen values, but nb has its own log-odds
= 2
$ hsel explain genes.csv --id id --instance g9
! hsel: there is no instance 'g9' in genes: give an identifier, or a number from #1 to #8
= 2
# A number is not taken for a row where instances have identifiers.
$ hsel explain genes.csv --id id --instance 3
! hsel: there is no instance '3' in genes: give an identifier, or a number from #1 to #8
= 2
$ hsel explain genes.csv --id id --instance '#9'
! hsel: there is no instance '#9' in genes: give an identifier, or a number from #1 to #8
= 2
$ hsel explain genes.csv --ignore id --instance 3 > by_number; hsel explain genes.csv --ignore id --instance '#3' | cmp - by_number
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
$ hsel explain genes.csv --ignore id --instance 9
! hsel: there is no instance '9' in genes: give a number from 1 to 8
= 2
$ hsel explain genes.csv
! hsel: missing --instance ID or '#NUMBER' (without DATA, --model is shown as a whole)
= 2
$ hsel explain new.csv --model nb.model --instance 1 --select rpv
! hsel: --model cannot be combined with --select: the model has its own selector and classifier
= 2
$ hsel explain genes.csv --id id --instance g1 --dot x.dot
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: genes: the positive class is yes, 3 of 7 instances (42.9 %)
! hsel: genes has no hierarchy to draw: give --hierarchy FILE
= 2

# ---- roots that were dropped for training are dropped for prediction, too ----
$ hsel train -q genes.csv --id id --hierarchy terms.tsv --drop-roots -o rootless.model
$ hsel predict rootless.model genes.csv --id id | cut -f 1,2,5
> instance	predicted	selected
> g1	yes	4
> g2	yes	4
> g3	yes	4
> g4	no	4
> g5	no	4
> g6	no	4
> g7	yes	4
> g8	no	4
! note: genes was prepared as the training data: drop-roots=true
$ hsel predict -q rootless.model genes.csv --id id --drop-roots | md5sum >with.txt; hsel predict -q rootless.model genes.csv --id id | md5sum | diff - with.txt
$ hsel predict -q rootless.model genes.csv --id id --propagate
! hsel: --propagate contradicts the training data, which were prepared by drop-roots=true: omit it, because these data are prepared in the same way
= 2

# ---- equal information gain is equal: both gains are H(3/7) - 6/7, from different counts ----
file tie.csv
| p,c,class
| 1,0,a
| 1,0,a
| 0,0,a
| 1,1,b
| 0,0,b
| 0,0,b
| 0,0,b
file tie.tsv
| c	p
$ hsel select -q tie.csv --hierarchy tie.tsv --select rpv:measure=ig | grep ^4
> 4	2	p=1	c=1
$ hsel rank -q tie.csv --by ig,mi --csv
> feature,ig,rank_1,mi,rank_2
> p,0.12808527889139432,1,0.12808527889139432,1
> c,0.12808527889139432,2,0.12808527889139432,2

# ---- rnb selects the same for every instance, so it goes with classifiers that lazy selectors do not go with ----
$ hsel select -q genes.csv --id id --hierarchy terms.tsv --select rnb:k=2
> b
> e
$ hsel eval -q genes.csv --id id --select rnb:k=2 --classify tree --folds 2 --metrics accuracy --csv | cut -d, -f1-3
> dataset,selector,classifier
> genes,rnb:k=2,tree
