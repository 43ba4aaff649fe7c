# Labels of features and instances, and the provenance, are kept by packs, folders, models and hierarchies, or it is said.

file data.csv
| id,a,b,c,class
| x1,1,1,0,yes
| x2,1,0,1,no
| x3,1,0,0,yes
| x4,0,0,1,no

file l.tsv
| id	label	namespace
| a	"tab	and ""quotes"""	P
| b	<b>&</b>	F

file i.tsv
| x1	aak-2

file up.obo
| format-version: 1.2
|
| [Term]
| id: a
| name: first
| namespace: P
|
| [Term]
| id: b
| name: a \{second\} one\W
| is_a: a
|
| [Term]
| id: c
| name: third
| namespace: F
| relationship: part_of a

# Folders: two tables, in the manifest, and the same again from a pack.
$ hsel convert -q data.csv --labels l.tsv --metadata i.tsv -o f/ && ls f && hsel info f | grep labelled
> data.arff.gz
> features.tsv.gz
> instances.tsv.gz
> meta.json
>   labelled features      2
>   labelled instances     1
$ hsel convert -q f -o p.hsel && hsel convert -q p.hsel -o g/ && cmp f/features.tsv.gz g/features.tsv.gz && cmp f/instances.tsv.gz g/instances.tsv.gz
$ zcat g/features.tsv.gz
> id	label	namespace
> a	"tab	and ""quotes"""	P
> b	<b>&</b>	F
> c		
$ hsel info p.hsel | grep labelled
>   labelled features      2
>   labelled instances     1
$ echo >>g/instances.tsv.gz; hsel info g
! hsel: g/instances.tsv.gz: does not belong to g/meta.json: writing was interrupted, or files were mixed or changed; write all of them again, or remove "parts" from it to accept them
= 1
$ rm g/instances.tsv.gz; hsel info g
! hsel: g/meta.json: its instances.tsv.gz is missing
= 1
$ hsel convert -q data.csv -o f/ && ls f
> data.arff.gz
> meta.json
$ cp l.tsv f/features.tsv && hsel convert -q data.csv -o f/
! hsel: the folder f/ contains features.tsv, which would be read as part of the output: remove it, or give another folder
= 2
$ hsel info f
! hsel: f/features.tsv: is not among the files of f/meta.json; remove the wrong one
= 1
$ hsel convert -q p.hsel -o g/ && hsel convert g -o g/
! hsel: g/data.arff.gz would be overwritten by the output g/, but it is also read: give the output another name
= 2
$ hsel convert -q data.csv --metadata g/instances.tsv.gz -o g/
! hsel: g/instances.tsv.gz would be overwritten by the output g/, but it is also read: give the output another name
= 2

# The provenance of a folder.
$ printf '{"provenance": {"command": "hsel build <x>", "sizes": [1, -2.5, null, true]}}' >f/meta.json; rm f/features.tsv; hsel convert -q f -o q.hsel && hsel convert -q q.hsel -o r/ && hsel convert -q r -o s.hsel && hsel convert -q s.hsel -o v/ && grep '"provenance"' v/meta.json
>   "provenance": {"command":"hsel build <x>","sizes":[1,-2.5,null,true],"steps":[{"command":"convert","arguments":["f","--output","q.hsel"],"program":"hsel @VERSION@"},{"command":"convert","arguments":["q.hsel","--output","r/"],"program":"hsel @VERSION@"},{"command":"convert","arguments":["r","--output","s.hsel"],"program":"hsel @VERSION@"},{"command":"convert","arguments":["s.hsel","--output","v/"],"program":"hsel @VERSION@"}]},
$ printf '{"provenance": "by hand"}' >f/meta.json; hsel convert -q f -o q.hsel && hsel convert -q q.hsel -o r/ && grep '"provenance"' r/meta.json
>   "provenance": {"given":"by hand","steps":[{"command":"convert","arguments":["f","--output","q.hsel"],"program":"hsel @VERSION@"},{"command":"convert","arguments":["q.hsel","--output","r/"],"program":"hsel @VERSION@"}]},

# Parts keep them; other formats say that they do not.
$ hsel select -q p.hsel --select top:by=ig,k=2 -o t.hsel && hsel info t.hsel | grep labelled
>   labelled features      1
>   labelled instances     1
$ hsel convert p.hsel -o p.csv
! note: p.csv has no labels; a pack or a folder has

# Hierarchies: OBO to OBO, and from a pack; RDF has labels only.
$ hsel convert up.obo --relations is_a,part_of -o 1.obo && hsel convert 1.obo --relations is_a,part_of -o 2.obo && cmp 1.obo 2.obo && grep -A3 'id: [bc]' 2.obo
> id: b
> name: a \{second} one\W
> is_a: a
> 
> --
> id: c
> name: third
> namespace: F
> relationship: part_of a
$ hsel convert -q up.obo -o u.hsel && hsel convert u.hsel -o 3.obo && grep -c name 3.obo
> 5
! note: the data have no relations: every edge is written as is_a
$ hsel convert up.obo -o u.nt && grep label u.nt && hsel convert -q u.nt -o 4.obo && grep name: 4.obo
> <urn:hsel:a> <http://www.w3.org/2000/01/rdf-schema#label> "first" .
> <urn:hsel:b> <http://www.w3.org/2000/01/rdf-schema#label> "a {second} one " .
> <urn:hsel:c> <http://www.w3.org/2000/01/rdf-schema#label> "third" .
> name: first
> name: a \{second} one\W
> name: third
! note: namespaces of terms are not written: the format rdf cannot hold them, but obo can

# Models: the labels are those of the model.
$ hsel train -q p.hsel --select none -o m.model && grep -c '<b>&</b>' m.model
> 1
$ hsel predict m.model data.csv --labels l.tsv
! hsel: --labels cannot be combined with MODEL: the features are those of the model
= 2
