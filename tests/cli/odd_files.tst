# Files as other programs leave them: line ends, several terms in a cell, headers of spreadsheets. What is read is the same, or is refused.

file tree.tsv
| GO:2	GO:1
| GO:3	GO:1
| GO:4	GO:2

file labels.csv
| id,class
| g1,yes
| g2,no
| g3,yes

file one.tsv
| g1	GO:2
| g1	GO:3
| g2	GO:4
| g2	GO:3
| g3	GO:3

file semicolons.csv
| gene,go_terms
| g1,GO:2; GO:3
| g2,GO:4;GO:3
| g3,GO:3

file bars.csv
| g1,GO:2|GO:3
| g2,GO:4|GO:3
| g3,GO:3

file quoted.csv
| "g1","GO:2, GO:3"
| "g2","GO:4,GO:3"
| "g3","GO:3"

file quoted.tsv
| g1	"GO:2, GO:3"
| g2	GO:4,GO:3
| g3	GO:3

file european.csv
| g1;GO:2,GO:3
| g2;GO:4,GO:3
| g3;GO:3

file blanks.txt
| g1 GO:2,GO:3
| g2 GO:4;GO:3
| g3 GO:3

file slashes.csv
| g1,GO:2/GO:3
| g2,GO:4/GO:3
| g3,GO:3

$ hsel build --hierarchy tree.tsv --annotations one.tsv --labels labels.csv --min-support 1 -q -o one.hsel
$ hsel convert -q one.hsel -o - --to csv
> id,GO:1,GO:2,GO:3,GO:4,class
> g1,1,1,1,0,yes
> g2,1,1,1,1,no
> g3,1,0,1,0,yes
$ hsel convert -q one.hsel -o one.csv
$ for f in semicolons.csv bars.csv quoted.csv quoted.tsv european.csv blanks.txt; do hsel build --hierarchy tree.tsv --annotations $f --labels labels.csv --min-support 1 -q -o some.csv && cmp one.csv some.csv || echo $f; done
$ hsel build --hierarchy tree.tsv --annotations slashes.csv --labels labels.csv --term-separators / --min-support 1 -q -o some.csv && cmp one.csv some.csv
$ printf 'g1,GO:2,GO:3\n' >bare.csv
$ hsel build --hierarchy tree.tsv --annotations bare.csv --annotations-format pairs --labels labels.csv -o new.hsel
! hsel: bare.csv:1: 3 columns where 2 are expected: object and term; put several terms of an object into quotes, or separate them by another character than the columns
= 1

# CR alone, CRLF and a mixture end lines as LF does, in every text format.
$ for e in csv tsv arff svm mtx; do hsel convert -q one.csv -o as.$e; done; for e in obo nt ttl; do hsel convert -q tree.tsv --to $([ $e = obo ] && echo obo || echo rdf) -o as.$e; done; hsel convert -q tree.tsv --to ancestors -o as.anc; cp tree.tsv as.edges; ls as.*
> ...
$ rm *.json; for f in as.*; do e=${f#as.}; tr '\n' '\r' <$f >cr.$e; sed 's/$/\r/' $f >crlf.$e; sed '2s/$/\r/' $f | tr '\n' '\r' | sed 's/\r\r/\r\n/' >mixed.$e; for k in cr crlf mixed; do hsel info --json $f | sed 1,3d >right; hsel info --json $k.$e | sed 1,3d | cmp right - || echo $k.$e; done; done
$ tr '\n' '\r' <labels.csv >cr.labels.csv; tr '\n' '\r' <quoted.csv >cr.quoted.csv
$ hsel build --hierarchy cr.edges --annotations cr.quoted.csv --labels cr.labels.csv --min-support 1 -q -o some.csv && cmp one.csv some.csv

# The same identifier in other spellings: a CURIE, with an underscore, an address of OBO, BioPortal's addresses.
file tree.nt
| <http://purl.obolibrary.org/obo/GO_2> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://purl.obolibrary.org/obo/GO_1> .
| <http://purl.obolibrary.org/obo/GO_3> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://purl.obolibrary.org/obo/GO_1> .
| <http://purl.obolibrary.org/obo/GO_4> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://purl.obolibrary.org/obo/GO_2> .

$ hsel build --hierarchy tree.nt --annotations one.tsv --labels labels.csv --min-support 1 -o some.csv 2>/dev/null | grep spelling
>   renamed: another spelling                          5  (3 terms: GO:2 -> http://purl.obolibrary.org/obo/GO_2, GO:3 -> http://purl.obolibrary.org/obo/GO_3, GO:4 -> http://purl.obolibrary.org/obo/GO_4)
$ sed 's,http://purl.obolibrary.org/obo/GO_,GO:,g' some.csv | cmp one.csv -
$ sed 's,GO:,http://purl.obolibrary.org/obo/GO_,' one.tsv >iri.tsv; sed 's,GO:,go_,' one.tsv >low.tsv
$ for f in iri.tsv low.tsv; do hsel build --hierarchy tree.tsv --annotations $f --labels labels.csv --min-support 1 -q -o some.csv && cmp one.csv some.csv; done
$ hsel info one.csv --hierarchy tree.nt | grep ' edges '
>   edges                  3
$ hsel select -q one.csv --hierarchy tree.nt --branch GO:2 --select none | grep -c GO
> 2
file icd.nt
| <http://purl.bioontology.org/ontology/ICD10CM/A00.0> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://purl.bioontology.org/ontology/ICD10CM/A00> .
| <http://purl.bioontology.org/ontology/ICD10CM/A00.1> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://purl.bioontology.org/ontology/ICD10CM/A00> .

file codes.csv
| A00,A00.0,ICD10CM:A00.1,x1,class
| 1,1,0,1,yes
| 1,0,1,0,no

$ hsel info codes.csv --hierarchy icd.nt | grep ' edges '
! note: 1 feature is not in the hierarchy and stands alone, e.g. x1
>   edges                  2

# Nearly all objects in another case: the report is shown, the cause comes first, and an option helps.
$ tr g G <labels.csv >capitals.csv
$ hsel build --hierarchy tree.tsv --annotations one.tsv --labels capitals.csv -o new.hsel | grep case
>   annotated in another case: --ignore-case           3  (G1 -> g1, G2 -> g2, G3 -> g3)
! hsel: 3 of 3 labelled objects are not annotated, such as G1; the annotations have names such as g1: --ignore-case finds most of them
$ hsel build --hierarchy tree.tsv --annotations one.tsv --labels capitals.csv --ignore-case --min-support 1 -q -o some.csv && cmp one.csv some.csv
