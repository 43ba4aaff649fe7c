# What edges of a hierarchy are: kept in packs, folders, models, edge lists and OBO, counted by info.

file genes.csv
| id,a,b,c,class
| g1,1,1,0,yes
| g2,1,1,0,yes
| g3,1,0,1,no
| g4,1,0,0,no
file terms.tsv
| child	parent	relation
| b	a	is_a
| c	b	part_of
| c	a	regulates
$ hsel convert -q genes.csv --id id --hierarchy terms.tsv -o genes.hsel && hsel info -q genes.hsel | sed -n '/^hierarchy/,/regulates/p'
> hierarchy
>   edges                  3
>     is_a                 1
>     part_of              1
>     regulates            1
$ hsel info -q genes.hsel --json | jq -c .relations
> {"is_a":1,"part_of":1,"regulates":1}
$ hsel convert -q genes.hsel -o folder/ && gunzip < folder/hierarchy.tsv.gz
> child	parent	relation
> b	a	is_a
> c	a	regulates
> c	b	part_of
$ hsel convert -q folder -o again.hsel && hsel convert -q again.hsel -o - --hierarchy-output again.tsv > x.txt && gunzip < folder/hierarchy.tsv.gz | cmp - again.tsv
$ hsel convert -q genes.hsel --hierarchy-output - -o x.arff --hierarchy-to obo | grep -A 3 "id: c"
> id: c
> relationship: regulates a
> relationship: part_of b
>
$ hsel convert -q genes.hsel --edges reduce -o - --hierarchy-output less.tsv > x.txt && cat less.tsv
> child	parent	relation
> b	a	is_a
> c	b	part_of
$ hsel convert -q genes.hsel --ignore b -o - --hierarchy-output less.tsv > x.txt && cat less.tsv
> child	parent	relation
> c	a	part_of
$ hsel convert -q genes.hsel --ignore c -o - --hierarchy-output less.tsv > x.txt && cat less.tsv
> b	a

# All is_a is as if nothing were known: the same bytes.
file isa.tsv
| child	parent	relation
| b	a	is_a
| c	b	is_a
file plain.tsv
| b	a
| c	b
$ hsel convert -q genes.csv --id id --hierarchy isa.tsv -o 1.hsel && hsel convert -q genes.csv --id id --hierarchy plain.tsv -o 2.hsel && cmp 1.hsel 2.hsel && hsel info -q 1.hsel | grep -c is_a
> 0
= 1

# ---- wrong ----
file short.tsv
| child	parent	relation
| b	a	is_a
| c	b
$ hsel info short.tsv --format edges
! hsel: short.tsv:3: expected three names with a tab between, found 2
= 1
file empty.tsv
| child	parent	relation
| b	a	
$ hsel info empty.tsv
! hsel: empty.tsv:2: the third name is empty
= 1
$ hsel info terms.tsv --direction parent-child
! hsel: terms.tsv:1: the header puts child before parent, but the other direction was given
= 2
$ hsel info terms.tsv --relations is_a
! hsel: terms.tsv: the format edges has no relations to choose from (is_a was given)
= 2
