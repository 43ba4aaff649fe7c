# Leakage: a feature that (nearly) equals the class, in hsel check.

file data.csv
| id,top,age,cell,other,rare,class
| i1,1,1,1,1,0,old
| i2,1,1,1,0,0,old
| i3,1,1,1,1,0,old
| i4,1,1,0,0,1,old
| i5,1,0,0,1,0,young
| i6,1,0,0,0,0,young
| i7,1,0,0,1,0,young
| i8,1,0,0,0,0,young
| i9,1,0,0,0,0,?

file tree.tsv
| age	top
| cell	age
| other	top

file names.tsv
| id	label
| age	ageing
| cell	cell ageing, a label of more than sixty letters that does not fit into one line

$ hsel check -q data.csv --hierarchy tree.tsv
> ok       structure: 9 instances, 5 features, 3 edges without a cycle
> ok       the true-path rule holds
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 instance without class
> remark   1 feature with neither parent nor child
> remark   1 feature that (nearly) equals a class: --exclude-branch age leaves it out
>   age: old 4 of 4, young 0 of 4

# The highest term above it that still does so; by the share asked for.
$ hsel check -q data.csv --hierarchy tree.tsv --labels names.tsv --leak 0.75
> ok       structure: 9 instances, 5 features, 3 edges without a cycle
> ok       the true-path rule holds
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 instance without class
> remark   1 feature with neither parent nor child
> remark   2 features that (nearly) equal a class: --exclude-branch age leaves them out
>   age ageing: old 4 of 4, young 0 of 4
>   cell cell ageing, a label of more than sixty letters that does no…: old 3 of 4, young 0 of 4; so does age ageing above it
$ hsel check -q data.csv --hierarchy tree.tsv --labels names.tsv --leak 0.75 --show 1
> ok       structure: 9 instances, 5 features, 3 edges without a cycle
> ok       the true-path rule holds
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 instance without class
> remark   1 feature with neither parent nor child
> remark   2 features that (nearly) equal a class: --exclude-branch age leaves them out
>   age ageing: old 4 of 4, young 0 of 4
>   and 1 more (--show N)
$ hsel check -q data.csv --leak 0.75
> ok       structure: 9 instances, 5 features
> ok       no hierarchy, so no true-path rule to check
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 instance without class
> remark   2 features that (nearly) equal a class: --ignore age,cell leaves them out
>   age: old 4 of 4, young 0 of 4
>   cell: old 3 of 4, young 0 of 4
$ hsel check -q data.csv --hierarchy tree.tsv --labels names.tsv --leak 0.75 --show 1 --json
> {
>   "name": "data",
>   "ok": true,
>   "violating_cells": 0,
>   "violating_edges": 0,
>   "violating_instances": 0,
>   "violations": [],
>   "repeated_ids": 0,
>   "always_positive": 1,
>   "never_positive": 0,
>   "unlabelled": 1,
>   "small_classes": 0,
>   "isolated_features": 1,
>   "without_time": 0,
>   "untested_classes": 0,
>   "leaking_features": 2,
>   "leaks": [
>     {
>       "feature": "age",
>       "label": "ageing",
>       "class": "old",
>       "precision": 1,
>       "recall": 1,
>       "support": [
>         {
>           "class": "old",
>           "positive": 4,
>           "instances": 4
>         },
>         {
>           "class": "young",
>           "positive": 0,
>           "instances": 4
>         }
>       ],
>       "highest": "age"
>     }
>   ]
> }

# Leaving it out.
$ hsel check -q data.csv --hierarchy tree.tsv --exclude-branch age
> ok       structure: 9 instances, 3 features, 1 edge without a cycle
> ok       the true-path rule holds
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 instance without class
> remark   1 feature with neither parent nor child

# A feature that is positive everywhere does not leak the most frequent class.
$ awk -F, -v OFS=, 'NR == 1 || NR == 2 { print } { for (i = 0; NR > 5 && NR < 10 && i < 30; i++) { $1 = "j" NR "_" i; print } }' data.csv > many.csv
$ hsel check -q many.csv --ignore age,cell,other,rare
> ok       structure: 121 instances, 1 feature
> ok       no hierarchy, so no true-path rule to check
> remark   1 feature positive in every instance: --drop-roots leaves out roots, --ignore NAME others
> remark   1 class with fewer than two instances

$ hsel check -q data.csv --leak 0.2
! hsel: option leak takes a number from 0.5 to 1, not '0.2'
= 2
$ hsel check -q data.csv --leak 1.2
! hsel: option leak takes a number from 0.5 to 1, not '1.2'
= 2
