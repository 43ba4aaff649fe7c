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
$ rm *.json; for f in as.*; do e=${f#as.}; tr '\n' '\r' <$f >cr.$e; sed 's/$/\r/' $f >crlf.$e; sed '2s/$/\r/' $f | tr '\n' '\r' | sed 's/\r\r/\r\n/' >mixed.$e; for k in cr crlf mixed; do hsel info -q --json $f | sed 1,3d >right; hsel info -q --json $k.$e | sed 1,3d | cmp right - || echo $k.$e; done; done
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
>   edges                  2
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. x1

# Nearly all objects in another case: the report is shown, the cause comes first, and an option helps.
$ tr g G <labels.csv >capitals.csv
$ hsel build --hierarchy tree.tsv --annotations one.tsv --labels capitals.csv -o new.hsel | grep case
>   annotated in another case: --ignore-case           3  (G1 -> g1, G2 -> g2, G3 -> g3)
! hsel: 3 of 3 labelled objects are not annotated, such as G1; the annotations have names such as g1: --ignore-case finds most of them
$ hsel build --hierarchy tree.tsv --annotations one.tsv --labels capitals.csv --ignore-case --min-support 1 -q -o some.csv && cmp one.csv some.csv

# Files that are not data, and data that are not what they seem.
$ printf '!gaf-version: 2.2\nX\tA\tS\tinvolved_in\tGO:2\tP\tIEA\t\tP\tn\ts\tprotein\ttaxon:9606\t2020\tX\t\t\n' >x.gaf; hsel info x.gaf
! hsel: x.gaf: this looks like GO annotation file (gaf), which hsel build takes as annotations; --format NAME reads it as another format
= 1
$ printf '#tax_id\tGeneID\tGO_ID\tEvidence\tQualifier\tGO_term\tPubMed\tCategory\n9606\t1\tGO:1\tIDA\t-\tx\t-\tFunction\n' >gene2go; hsel info gene2go
! hsel: gene2go: this looks like NCBI gene2go table (gene2go), which hsel build takes as annotations; --format NAME reads it as another format
= 1
$ printf 'TP53\nBRCA1\nEGFR\n' >genes.txt; hsel info genes.txt 2>&1 | grep note
> note: genes has no features; a list of objects is for hsel build --labels
$ (echo a,y; for i in 1 2 3 4 5 6 7 8 9 10 11; do echo 1,$i.5; done) >numbers.csv; hsel info numbers.csv 2>&1 | grep note
> note: numbers: 11 numbers are taken as classes; --target y predicts the number
$ hsel eval numbers.csv --classify nb; hsel train numbers.csv --classify nb -o x.model
! hsel: numbers.csv: the classes are 11 numbers: --target y predicts the number, --class y takes them as classes
! hsel: numbers.csv: the classes are 11 numbers: --target y predicts the number, --class y takes them as classes
= 2
$ (echo a,y; for i in 1 2 3 4 5 6 7 8 9 10 11; do echo 1,$i.5; echo 0,$i.5; done) >twice.csv; hsel eval -q twice.csv --class y --folds 2 --classify nb --metrics accuracy | wc -l
> 2
$ printf 'id\thospital\tsex\ng1\tA\tm\ng2\tA\tf\ng3\tB\tf\n' >strata.tsv
$ hsel rank one.csv --by chi2 --p-values --strata strata.tsv
! hsel: strata.tsv: --strata: there are 2 columns besides the identifiers; choose one: strata.tsv:COLUMN
= 2
$ cut -f1,3 strata.tsv >sexes.tsv; for s in strata.tsv:sex strata.tsv:3 sexes.tsv; do hsel convert -q one.csv --strata $s -o - --to csv --id id | md5sum; done | uniq | wc -l
> 1
$ sed 's/f$/NA/' strata.tsv >unknown.tsv; hsel convert one.csv --strata unknown.tsv:sex -o x.hsel 2>&1 | grep strat
> note: 1 stratum; 2 of 3 instances have none
$ hsel rank one.csv --by chi2 --p-values --strata strata.tsv:hospitals
! hsel: strata.tsv: there is no column hospitals; did you mean hospital?
= 2
$ hsel rank one.csv --by chi2 --p-values --strata strata.tsv:id
! hsel: strata.tsv: id is the column of identifiers
= 2

# A first line of spreadsheets that names the delimiter, and their word for what is missing.
$ printf 'sep=;\r\na;b;class\r\n1;1,5;yes\r\n0;#N/A;no\r\n0;n/a;NULL\r\n' >sheet.csv; hsel convert -q sheet.csv -o - --to csv
> a,b,class
> 1,1.5,yes
> 0,NA,no
> 0,NA,NA
