# hsel build: annotations in several files and formats, and objects that labels call by other names.

file tree.obo
| format-version: 1.2
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

file genes.gpad
| !gpad-version: 2.0
| MGI:MGI:1		RO:1	GO:2	PMID:1	ECO:0000314			2020-01-01	MGI		
| MGI:MGI:2		RO:1	GO:3	PMID:1	ECO:0007651			2020-01-01	MGI		
| MGI:MGI:2	NOT	RO:1	GO:2	PMID:1	ECO:0000501			2020-01-01	MGI		
| MGI:MGI:3		RO:1	GO:3	PMID:1	ECO:0000501			2020-01-01	MGI		

file genes.gpi
| !gpi-version: 2.0
| MGI:MGI:1	Abc	abc gene	Old	SO:1	NCBITaxon:10090				UniProtKB:Q1	
| MGI:MGI:2	Def	def gene	Old	SO:1	NCBITaxon:10090				ENSEMBL:ENSMUSG2	
| MGI:MGI:3	Ghi	ghi gene		SO:1	NCBITaxon:10090					

file labels.tsv
| gene	class
| Abc	yes
| ENSMUSG2.4	no
| MGI:3	no
| Old	no
| Zzz	yes

file clash.tsv
| gene	class
| Abc	yes
| Q1	no
| MGI:3	no

file pairs.tsv
| MGI:1	GO:3
| MGI:9	GO:2

file bad.gpi
| !gpi-version: 2.0
| Abc	abc gene

$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping genes.gpi --labels labels.tsv --min-support 1 -o out.csv | sed -n '/^annotations/,/^values/p'
> annotations: genes.gpad (gpad)
>   read                                               4
>   left out: NOT                                      1
>   left out: term not in the hierarchy                0
>   left out: obsolete term, not replaced              0
>   used                                               3
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
>   ECO class without a GO evidence code               1  (1 term: ECO:0007651)
> objects: labels.tsv
>   annotated                                          3
>   annotated, but without label                       0
>   labelled                                           5
>   found by identifier                                1
>   found by symbol                                    1  (Abc -> MGI:1)
>   found by Ensembl identifier                        1  (ENSMUSG2.4 -> MGI:2)
>   left out: ambiguous                                1  (Old -> MGI:1 or MGI:2)
>   labelled, but not annotated                        1  (Zzz)
>   labelled, but no annotation left                   0
> values
! note: 1 labelled object is left out for lack of a feature; --empty keep keeps it
! note: out: the positive class is yes, 1 of 3 instances (33.3 %)
! note: out.csv has no labels; a pack or a folder has
! note: out.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ cat out.csv
> gene,GO:1,GO:2,GO:3,class
> MGI:1,1,1,0,yes
> MGI:2,1,0,1,no
> MGI:3,1,0,1,no
# GO codes and groups choose among ECO classes; a class without a code is named as it is.
$ hsel build -q --hierarchy tree.obo --annotations genes.gpad --mapping genes.gpi --labels labels.tsv --evidence experimental,ECO:0007651 --min-support 1 -o out.csv
$ cat out.csv
> gene,GO:1,GO:2,GO:3,class
> MGI:1,1,1,0,yes
> MGI:2,1,0,1,no
$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping genes.gpi --labels labels.tsv --ambiguous error -o new.csv
! hsel: labels.tsv:5: Old may be MGI:1 or MGI:2
= 1
$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping genes.gpi --labels clash.tsv -o new.csv
! hsel: clash.tsv:3: Q1 is the same object (MGI:1) as Abc on line 2, but has class no here and class yes there
= 1
$ hsel build -q --hierarchy tree.obo --annotations genes.gpad --mapping genes.gpi --labels clash.tsv --conflicts first --min-support 1 -o out.csv
$ cat out.csv
> gene,GO:1,GO:2,GO:3,class
> MGI:1,1,1,0,yes
> MGI:3,1,0,1,no
# Several files, one by one or in a list; of the same object too.
$ hsel build --hierarchy tree.obo --annotations genes.gpad --annotations pairs.tsv --mapping genes.gpi --labels clash.tsv --conflicts first --min-support 1 -o out.csv | grep ^annotations
> annotations: genes.gpad and 1 more (gpad)
! note: out: the positive class is yes, 1 of 2 instances (50.0 %)
! note: out.csv has no labels; a pack or a folder has
! note: out.csv does not contain the hierarchy; --hierarchy-output FILE writes it
$ cat out.csv
> gene,GO:1,GO:2,GO:3,class
> MGI:1,1,1,1,yes
> MGI:3,1,0,1,no
$ hsel build --hierarchy tree.obo --annotations genes.gpad,none.tsv --labels labels.tsv -o new.csv
! hsel: none.tsv: cannot open: No such file or directory
= 1
# What cannot be had is refused.
$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping bad.gpi --labels labels.tsv -o new.csv
! hsel: bad.gpi:2: 2 columns where GPI 2 has 6 to 11
= 1
$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping pairs.tsv --labels labels.tsv -o new.csv
! hsel: pairs.tsv: unknown format of names of objects; known formats: gaf, org.db, gpi
= 1
$ hsel build --hierarchy tree.obo --annotations genes.gpi --labels labels.tsv -o new.csv
! hsel: genes.gpi: this looks like GO gene product information (gpi), which hsel build takes as a mapping
= 1
$ hsel build --hierarchy tree.obo --annotations genes.gpad --taxon 9606 --labels labels.tsv -o new.csv
! hsel: genes.gpad: the format gpad has no species to choose from (9606 was given)
= 2
$ hsel build --hierarchy tree.obo --annotations pairs.tsv --object symbol --labels labels.tsv -o new.csv
! hsel: pairs.tsv: the format pairs has no symbols: name objects by their identifiers
= 2
$ hsel build --hierarchy tree.obo --annotations genes.gpad --mapping none --labels clash.tsv --min-support 1 -q -o out.csv
$ cat out.csv
> gene,GO:1,GO:3,class
> MGI:3,1,1,no
