# Provenance: what build knows of its sources, shown by info, and one step more by convert.

file go.obo
| format-version: 1.2
| data-version: releases/2014-06-13
| date: 13:06:2014 08:04
|
| [Term]
| id: GO:1
|
| [Term]
| id: GO:2
| is_a: GO:1
|
| [Term]
| id: GO:3
| is_a: GO:1
| relationship: part_of GO:2

file genes.tsv
| g1	GO:2
| g2	GO:3
| g3	GO:3

file labels.tsv
| gene	class
| g1	yes
| g2	no
| g3	yes

$ mkdir in && mv go.obo genes.tsv labels.tsv in/
$ hsel build -q --hierarchy in/go.obo --annotations ./in/genes.tsv --labels=in/labels.tsv --relations is_a,part_of --min-support 1 -o out/
$ hsel info -q out | sed -n '/provenance/,/hierarchy$/p'
> provenance
>   hierarchy              go.obo, 177 bytes, xxh3 bcf54cd1008f04c4
>   annotations            genes.tsv, 24 bytes, xxh3 04cb42c9da379d7e
>   labels                 labels.tsv, 31 bytes, xxh3 ef512d77ecc04ee8
>   ontology               releases/2014-06-13, 13:06:2014 08:04
>   relations              is_a, part_of
>   build                  --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --relations is_a,part_of --min-support 1 --output out/
> hierarchy
$ hsel convert -q out --branch GO:2 -o ./in/less/
$ hsel info -q in/less --json | sed -n '/"provenance"/,$p'
>   "provenance": {"program":"hsel @VERSION@","sources":[{"part":"hierarchy","file":"go.obo","format":"obo","bytes":177,"xxh3":"bcf54cd1008f04c4"},{"part":"annotations","file":"genes.tsv","format":"pairs","bytes":24,"xxh3":"04cb42c9da379d7e"},{"part":"labels","file":"labels.tsv","bytes":31,"xxh3":"ef512d77ecc04ee8"}],"ontology":{"version":"releases/2014-06-13","date":"13:06:2014 08:04"},"relations":["is_a","part_of"],"namespaces":[],"evidence":[],"no_evidence":[],"until":null,"since":null,"left_out":{"evidence":{},"later":{},"undated":0},"branch":[],"exclude_branch":[],"min_support":1,"propagated":true,"steps":[{"command":"build","arguments":["--hierarchy","go.obo","--annotations","genes.tsv","--labels","labels.tsv","--relations","is_a,part_of","--min-support","1","--output","out/"],"program":"hsel @VERSION@"},{"command":"convert","arguments":["out","--branch","GO:2","--output","less/"],"program":"hsel @VERSION@"}]}
> }
$ hsel info -q in/less | grep -A1 ' build'
>   build                  --hierarchy go.obo --annotations genes.tsv --labels labels.tsv --relations is_a,part_of --min-support 1 --output out/
>   convert                out --branch GO:2 --output less/

# The same input gives the same text, wherever it is.
$ cp -r in elsewhere && cd elsewhere && hsel build -q --hierarchy go.obo --annotations genes.tsv --labels=labels.tsv --relations is_a,part_of --min-support 1 -o out/
$ cmp out/meta.json elsewhere/out/meta.json

# Data that were not built have none, and do not gain any.
$ hsel convert -q out -o plain.csv && hsel convert -q plain.csv -o plain/ && ! grep provenance plain/meta.json

# A report carries it.
file study.yaml
| name: study
| datasets:
|   - path: packed.hsel
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}

$ awk 'BEGIN { for (i = 1; i <= 8; i++) print "g" i "\tGO:" (i % 2 ? 2 : 1) }' > many.tsv; awk 'BEGIN { for (i = 1; i <= 8; i++) print "g" i "\t" (i > 4 ? "a" : "b") }' > classes.tsv
$ hsel build -q --hierarchy in/go.obo --annotations many.tsv --labels classes.tsv --min-support 1 -o packed.hsel && hsel run -q study.yaml --store study.db > /dev/null && hsel report -q study.db -o study.html && grep -o 'Where the data come from\|many.tsv' study.html | sort -u
> Where the data come from
> many.tsv
