# hsel build --abundance: tables of amounts, lineages, metadata; what is wrong in them is named.

file metaphlan.tsv
| #mpa_v30_CHOCOPhlAn_201901
| clade_name	NCBI_tax_id	S1	S2	S3	S9
| k__Bacteria	2	90	20	100	0
| k__Bacteria|p__Firmicutes	1239	60	0	70.25	0
| k__Bacteria|p__Firmicutes|g__Blautia	1	40	0	70.25	1
| k__Bacteria|p__Firmicutes|g__Blautia|s__Blautia_wexlerae	2	30	0	70.25	1
| k__Bacteria|p__Bacteroidetes|c__X|g__Prevotella|s__Prevotella_copri	3	30	20	29.75	0
| UNKNOWN	-1	10	80	0	0

file meta.tsv
| sample	group	age	site
| S3	sick	50	A
| S1	well	41.5	B
| S2	sick		A
| S4	well	30	B

$ hsel build --abundance metaphlan.tsv --metadata meta.tsv --class group --covariates age,site -o m.hsel
> abundances: metaphlan.tsv (abundance)
>   features in the table                              6
>   samples in the table                               4
>   values that are not 0                             16
>   left out: columns that are not samples             1  (NCBI_tax_id)
> lineages
>   inner features made                                3  (p__Bacteroidetes, c__X, g__Prevotella)
>   inner features: totals in the table                3
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             2
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the table, but not in the metadata              1  (S9)
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                          11
>   of them covariates                                 2
>   edges                                              7
>   classes                                            2
>   values that are not 0                             26
! note: m: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q m.hsel -o - --to csv
> sample,UNKNOWN,k__Bacteria,p__Bacteroidetes,c__X,g__Prevotella,s__Prevotella_copri,p__Firmicutes,g__Blautia,s__Blautia_wexlerae,age,site,group
> S3,0,100,29.75,29.75,29.75,29.75,70.25,70.25,70.25,50,A,sick
> S1,10,90,30,30,30,30,60,40,30,41.5,B,well
> S2,80,20,20,20,20,20,0,0,0,NA,A,sick
$ hsel check m.hsel
> ok       structure: 3 instances, 11 features, 7 edges without a cycle
> ok       the true-path rule holds
> ok       the totals of 6 features add up, with 2 values of their own
> remark   1 class with fewer than two instances
> remark   3 features with neither parent nor child
$ hsel info m.hsel --json
> {
>   "name": "m",
>   "instances": 3,
>   "features": 11,
>   "binary": 0,
>   "numeric": 10,
>   "nominal": 1,
>   "positives": 0,
>   "missing": 1,
>   "unlabelled": 0,
>   "min_support": 0,
>   "max_support": 0,
>   "constant": 0,
>   "aode_edges": 0,
>   "covariates": 2,
>   "feature_labels": 8,
>   "instance_labels": 0,
>   "positive_share": 0,
>   "classes": [
>     {
>       "label": "sick",
>       "instances": 2,
>       "share": 0.6666666666666666,
>       "positive": false
>     },
>     {
>       "label": "well",
>       "instances": 1,
>       "share": 0.3333333333333333,
>       "positive": true
>     }
>   ],
>   "positive_by": "named",
>   "edges": 7,
>   "ancestors": 16,
>   "hie_aode_edges": 0,
>   "hie_aode_lite_edges": 0,
>   "depth": 4,
>   "roots": 4,
>   "leaves": 5,
>   "isolated": 3,
>   "max_parents": 1,
>   "max_children": 2,
>   "paths": 5,
>   "bytes": 5992,
>   "provenance": {"program":"hsel @VERSION@","sources":[{"part":"abundances","file":"metaphlan.tsv","format":"abundance","bytes":361,"xxh3":"b925041cb0ef7e53"},{"part":"metadata","file":"meta.tsv","bytes":74,"xxh3":"c18140f676c6424f"}],"covariates":["age","site"],"values":{"kind":"amounts","inner":"totals","aggregate":"sum"},"steps":[{"command":"build","arguments":["--abundance","metaphlan.tsv","--metadata","meta.tsv","--class","group","--covariates","age,site","--output","m.hsel"],"program":"hsel @VERSION@"}]}
> }
$ hsel convert -q m.hsel -o all.csv --hierarchy-output h.tsv
$ hsel convert all.csv --hierarchy h.tsv --id sample --aggregate max -o max.hsel
! note: 3 features are not in the hierarchy and have no parents or children, e.g. UNKNOWN
$ hsel rank m.hsel --by f --top 2
> feature           label          f  rank
> p__Bacteroidetes  Bacteroidetes  1     1
> c__X              X              1     2
! note: m: the positive class is well, 1 of 3 instances (33.3 %)
! note: the best 2 of 11 features; --top 0 shows all

# Nothing to be classified: every sample is an instance.
$ hsel build --abundance metaphlan.tsv -q -o all.hsel
$ hsel info all.hsel
> all
>   instances              4
>   features               9
>     0 binary, 9 numeric, 0 nominal
>   labelled features      8
> provenance
>   abundances             metaphlan.tsv, 361 bytes, xxh3 b925041cb0ef7e53
>   build                  --abundance metaphlan.tsv --output all.hsel
> hierarchy
>   edges                  7
>   ancestors in total     16
>   depth                  4
>   roots                  2
>   leaves                 3
>   isolated               1
>   most parents           1
>   most children          2
>   root-leaf paths        3

# Lineages beside identifiers; empty ranks; the same name under two parents; an epithet alone.
file otu.tsv
| # Constructed from biom file
| #OTU ID	S1	S2	S3	taxonomy
| o1	5	0	1	k__Bacteria; p__Firmicutes; g__Prevotella; s__copri
| o2	3	1.0	0	k__Bacteria; p__Firmicutes; g__; s__
| o3	0	7	0	k__Bacteria; p__Bacteroidetes; g__Prevotella; s__copri
| o4	1	1	1	Unassigned

$ hsel build --abundance otu.tsv --metadata meta.tsv --class group -o otu/
> abundances: otu.tsv (abundance)
>   features in the table                              4
>   samples in the table                               3
>   values that are not 0                              8
> lineages
>   inner features made                                8  (Unassigned, k__Bacteria, p__Bacteroidetes, p__Bacteroidetes;g__Prevotella, p__Bacteroidetes;g__Prevotella;s__copri, …)
>   with empty ranks, which are left out               1  (k__Bacteria; p__Firmicutes; g__; s__)
>   named with their parents: same name                4  (p__Bacteroidetes;g__Prevotella, p__Bacteroidetes;g__Prevotella;s__copri, p__Firmicutes;g__Prevotella, p__Firmicutes;g__Prevotella;s__copri)
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                          12
>   edges                                             10
>   classes                                            2
>   values that are not 0                             24
! note: otu: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q otu -o - --to csv
> sample,Unassigned,o4,k__Bacteria,p__Bacteroidetes,"p__Bacteroidetes;g__Prevotella","p__Bacteroidetes;g__Prevotella;s__copri",o3,p__Firmicutes,"p__Firmicutes;g__Prevotella","p__Firmicutes;g__Prevotella;s__copri",o1,o2,group
> S3,1,1,1,0,0,0,0,1,1,1,1,0,sick
> S1,1,1,8,0,0,0,0,8,5,5,5,3,well
> S2,1,1,8,7,7,7,7,1,0,0,0,1,sick
$ gunzip -c otu/features.tsv.gz
> id	label	rank	lineage
> Unassigned			Unassigned
> o4			"Unassigned;o4"
> k__Bacteria	Bacteria	kingdom	k__Bacteria
> p__Bacteroidetes	Bacteroidetes	phylum	"k__Bacteria;p__Bacteroidetes"
> "p__Bacteroidetes;g__Prevotella"	Prevotella (Bacteroidetes)	genus	"k__Bacteria;p__Bacteroidetes;g__Prevotella"
> "p__Bacteroidetes;g__Prevotella;s__copri"	Prevotella copri (Bacteroidetes)	species	"k__Bacteria;p__Bacteroidetes;g__Prevotella;s__copri"
> o3			"k__Bacteria;p__Bacteroidetes;g__Prevotella;s__copri;o3"
> p__Firmicutes	Firmicutes	phylum	"k__Bacteria;p__Firmicutes"
> "p__Firmicutes;g__Prevotella"	Prevotella (Firmicutes)	genus	"k__Bacteria;p__Firmicutes;g__Prevotella"
> "p__Firmicutes;g__Prevotella;s__copri"	Prevotella copri (Firmicutes)	species	"k__Bacteria;p__Firmicutes;g__Prevotella;s__copri"
> o1			"k__Bacteria;p__Firmicutes;g__Prevotella;s__copri;o1"
> o2			"k__Bacteria;p__Firmicutes;o2"

# Rows are samples; the taxonomy is a file of its own, as mothur has it.
file x.shared
| label	Group	numOtus	Otu1	Otu2	Otu3
| 0.03	S1	3	5	0	1
| 0.03	S2	3	0	3	2

file x.taxonomy
| OTU	Size	Taxonomy
| Otu1	5	Bacteria(100);Firmicutes(99);Blautia(51);
| Otu2	3	Bacteria(100);Bacteroidetes(100);unclassified(100);
| Otu9	3	Bacteria(100);

$ hsel build --abundance x.shared --taxonomy x.taxonomy --metadata meta.tsv --class group -o x.hsel
> abundances: x.shared (abundance)
>   features in the table                              3
>   samples in the table                               2
>   values that are not 0                              4
>   left out: columns that are not samples             2  (label, numOtus)
> lineages: x.taxonomy
>   inner features made                                5  (Bacteria, Bacteroidetes, unclassified, Firmicutes, Blautia)
>   features without a place                           1  (Otu3)
>   of features that are not in the table              1
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            2
>   in the metadata, but not in the table              2  (S3, S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          2
>   features                                           8
>   edges                                              6
>   classes                                            2
>   values that are not 0                             10
! note: x: the positive class is well, the second of two of the same size, 1 of 2 instances (50.0 %); --positive CLASS changes it
$ hsel convert -q x.hsel -o - --to csv
> sample,Bacteria,Bacteroidetes,unclassified,Otu2,Firmicutes,Blautia,Otu1,Otu3,group
> S1,5,0,0,0,5,5,5,1,well
> S2,3,3,3,3,0,0,0,2,sick

# A long table whose second column could be lineages beside the features of one sample: it is long if a name has several.
file melted.tsv
| sample	taxon	count
| 1	k__Bacteria|p__Firmicutes	3
| 2	k__Bacteria|p__Firmicutes	2
| 1	k__Bacteria|p__Bacteroidetes	5
file numbered.tsv
| sample	group
| 1	well
| 2	sick
$ hsel build -q --abundance melted.tsv --metadata numbered.tsv --class group -o melted.hsel
$ hsel convert -q melted.hsel -o - --to csv
> sample,k__Bacteria,p__Bacteroidetes,p__Firmicutes,group
> 1,8,5,3,well
> 2,2,0,2,sick
$ for name in taxonomy lineage clade_name 'Consensus Lineage' species Feature label NCBI_tax_id; do \
$ sed "1s/taxon/$name/" melted.tsv > named.tsv; \
$ hsel build -q --abundance named.tsv --metadata numbered.tsv --class group -o named.hsel && \
$ hsel convert -q named.hsel -o - --to csv | tail -n 1; rm -f named.hsel; done
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
> 2,2,0,2,sick
file pairs.tsv
| sample	taxon	count
| 1	k__Bacteria|p__Firmicutes	3
| 2	k__Bacteria|p__Firmicutes	2
| 1	k__Bacteria|p__Bacteroidetes	5
| 2	k__Bacteria|p__Firmicutes	2
$ hsel build -q --abundance pairs.tsv --metadata numbered.tsv --class group -o x.hsel
! hsel: pairs.tsv: there are two values of 2 and k__Bacteria|p__Firmicutes; --sum-repeated adds such values up
= 1
$ sed '3s/k__.*p__Firmicutes//' pairs.tsv > gap.tsv
$ hsel build -q --abundance gap.tsv --metadata numbered.tsv --class group -o x.hsel
! hsel: gap.tsv:3: the second field is empty
= 1
$ sed 's/$/	0/;1s/0$/confidence/' melted.tsv > four.tsv
$ hsel build -q --abundance four.tsv --metadata numbered.tsv --class group -o x.hsel
! hsel: four.tsv:4: 1 is already on line 2; --sum-repeated adds such rows up, and a table with a row for each value has only sample, feature and value
= 1

# One row for each sample may be either.
file single.tsv
| sample	taxon	count
| 1	k__Bacteria|p__Firmicutes	3
| 2	k__Bacteria|p__Bacteroidetes	2
$ hsel build -q --abundance single.tsv --metadata numbered.tsv --class group -o x.hsel
! hsel: single.tsv: no sample of the table is in the metadata: the table has columns such as count and rows such as 1, the metadata samples such as 1; --layout long if each row is a sample, a feature and a value
= 1
$ hsel build -q --abundance single.tsv --layout long --metadata numbered.tsv --class group -o single.hsel
$ hsel convert -q single.hsel -o - --to csv
> sample,k__Bacteria,p__Bacteroidetes,p__Firmicutes,group
> 1,3,0,3,well
> 2,2,2,0,sick

# One sample beside lineages, of which one is empty, or beside numbers of MetaPhlAn; repeated rows.
file one.tsv
| #OTU ID	taxonomy	2
| o1	k__Bacteria; p__Firmicutes	3
| o2		1
| o3	k__Bacteria; p__Firmicutes	2
$ hsel build -q --abundance one.tsv --metadata numbered.tsv --class group -o one.hsel
$ hsel convert -q one.hsel -o - --to csv
> sample,k__Bacteria,p__Firmicutes,o1,o3,o2,group
> 2,5,5,3,2,1,sick
file clades.tsv
| #clade_name	NCBI_tax_id	1
| k__Bacteria|p__Firmicutes	2|1239	60
| k__Bacteria|p__Bacteroidetes	2|976	40
$ hsel build -q --abundance clades.tsv --metadata numbered.tsv --class group -o clades.hsel
$ hsel convert -q clades.hsel -o - --to csv
> sample,k__Bacteria,p__Bacteroidetes,p__Firmicutes,group
> 1,100,40,60,well
$ sed '4s/o3/o1/' one.tsv > twice.tsv
$ hsel build -q --abundance twice.tsv --metadata numbered.tsv --class group -o x.hsel
! hsel: twice.tsv:4: o1 is already on line 2; --sum-repeated adds such rows up
= 1
$ hsel build --abundance twice.tsv --metadata numbered.tsv --class group --sum-repeated -o x.hsel | grep "added up"
>   added up: said before                              1  (o1)
$ hsel convert -q x.hsel -o - --to csv
> sample,k__Bacteria,p__Firmicutes,o1,o2,group
> 2,5,5,5,1,sick
$ rm x.hsel

# Long tables, other separators, codes of ICD-10, own values of inner features.
file long.csv
| sample,code,count
| S1,I21.0,2
| S1,I21,1
| S2,I21.4,3
| S2,C50.9,1
| S3,J45,4
| S3,unknown,4

$ hsel build --abundance long.csv --metadata meta.tsv --class group --lineage-separator icd10 -o icd.hsel
> abundances: long.csv (abundance)
>   features in the table                              6
>   samples in the table                               3
>   values that are not 0                              6
> lineages
>   inner features made                                4  (chapter II, C50, chapter IX, chapter X)
>   features without a place                           1  (unknown)
>   inner features: own values in the table            1
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                          10
>   edges                                              6
>   classes                                            2
>   values that are not 0                             12
! note: icd: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q icd.hsel -o - --to csv
> sample,chapter II,C50,C50.9,chapter IX,I21,I21.0,I21.4,chapter X,J45,unknown,group
> S3,0,0,0,0,0,0,0,4,4,4,sick
> S1,0,0,0,3,3,2,0,0,0,0,well
> S2,1,1,1,3,3,0,3,0,0,0,sick

file food.csv
| food,S1,S2,S3
| plant/fruit/apple,1,2,0
| plant/fruit/pear,1,0,0
| plant/nut,0,5,0
| plant,1,1,1

$ hsel build --abundance food.csv --metadata meta.tsv --class group --lineage-separator / -o food.hsel
> abundances: food.csv (abundance)
>   features in the table                              4
>   samples in the table                               3
>   values that are not 0                              7
> lineages
>   inner features made                                1  (fruit)
>   inner features: own values in the table            1
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                           5
>   edges                                              4
>   classes                                            2
>   values that are not 0                              9
! note: food: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q food.hsel -o - --to csv
> sample,plant,fruit,apple,pear,nut,group
> S3,1,0,0,0,0,sick
> S1,3,2,1,1,0,well
> S2,8,2,2,0,5,sick
$ hsel build --abundance food.csv --metadata meta.tsv --class group --lineage-separator / --inner totals -o food.hsel
> abundances: food.csv (abundance)
>   features in the table                              4
>   samples in the table                               3
>   values that are not 0                              7
> lineages
>   inner features made                                1  (fruit)
>   inner features: totals in the table                1
>   totals raised: less than the sum below             2  (plant in S1: 1, but 2 below it, …)
>   totals above the sum below: own values             1
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                           5
>   edges                                              4
>   classes                                            2
>   values that are not 0                              9
! note: food: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q food.hsel -o - --to csv
> sample,plant,fruit,apple,pear,nut,group
> S3,1,0,0,0,0,sick
> S1,2,2,1,1,0,well
> S2,7,2,2,0,5,sick
$ hsel build --abundance food.csv --metadata meta.tsv --class group --lineage-separator / --aggregate none -q -o raw.hsel
$ hsel check raw.hsel
> ok       structure: 3 instances, 4 features, 3 edges without a cycle
> ok       the true-path rule holds
> problem  2 totals of 1 feature are less than what is below them
>   the first: plant in instance 2 is 1, and what is below it 2
> remark   1 class with fewer than two instances
! hsel: raw.hsel: numbers do not add up 2 times; --aggregate sum repairs it
= 1
$ hsel convert raw.hsel --aggregate sum -o - --to csv
> sample,plant,apple,pear,nut,group
> S3,1,0,0,0,sick
> S1,2,1,1,0,well
> S2,7,2,0,5,sick
! note: 2 values were changed by aggregation
$ hsel convert raw.hsel --aggregate max -o - --to csv
> sample,plant,apple,pear,nut,group
> S3,1,0,0,0,sick
> S1,1,1,1,0,well
> S2,5,2,0,5,sick
! note: 1 value was changed by aggregation
$ hsel convert raw.hsel --aggregate mean -o - --to csv
> sample,plant,apple,pear,nut,group
> S3,0,0,0,0,sick
> S1,0.6666666666666666,1,1,0,well
> S2,2.3333333333333335,2,0,5,sick
! note: 3 values were changed by aggregation

# Transformations, filters, levels.
$ hsel convert m.hsel --transform relative -o - --to csv
> sample,UNKNOWN,k__Bacteria,p__Bacteroidetes,c__X,g__Prevotella,s__Prevotella_copri,p__Firmicutes,g__Blautia,s__Blautia_wexlerae,age,site,group
> S3,0,1,0.2975,0.2975,0.2975,0.2975,0.7025,0.7025,0.7025,50,A,sick
> S1,0.1,0.9,0.3,0.3,0.3,0.3,0.6,0.4,0.3,41.5,B,well
> S2,0.8,0.2,0.2,0.2,0.2,0.2,0,0,0,NA,A,sick
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --transform presence:40 -o - --to csv
> sample,UNKNOWN,k__Bacteria,p__Bacteroidetes,c__X,g__Prevotella,s__Prevotella_copri,p__Firmicutes,g__Blautia,s__Blautia_wexlerae,age,site,group
> S3,0,1,0,0,0,0,1,1,1,50,A,sick
> S1,0,1,0,0,0,0,1,0,0,41.5,B,well
> S2,1,0,0,0,0,0,0,0,0,NA,A,sick
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --transform clr --level phylum -o - --to csv
> sample,p__Bacteroidetes,p__Firmicutes,age,site,group
> S3,-0.3863181658090922,0.38631816580909195,50,A,sick
> S1,-0.30951960420311164,0.3095196042031114,41.5,B,well
> S2,0.8047189562170503,-0.80471895621705,NA,A,sick
! note: 7 features were dropped: of other levels
! note: clr added 5 to each abundance
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --aggregate sum --transform presence --transform-order before -o - --to csv
> sample,UNKNOWN,k__Bacteria,p__Bacteroidetes,c__X,g__Prevotella,s__Prevotella_copri,p__Firmicutes,g__Blautia,s__Blautia_wexlerae,age,site,group
> S3,0,2,1,1,1,1,1,1,1,50,A,sick
> S1,1,4,1,1,1,1,3,2,1,41.5,B,well
> S2,1,1,1,1,1,1,0,0,0,NA,A,sick
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --min-prevalence 0.9 -o - --to csv
> sample,k__Bacteria,p__Bacteroidetes,c__X,g__Prevotella,s__Prevotella_copri,age,site,group
> S3,100,29.75,29.75,29.75,29.75,50,A,sick
> S1,90,30,30,30,30,41.5,B,well
> S2,20,20,20,20,20,NA,A,sick
! note: 4 features were dropped: too rare or too small
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --min-abundance 30 --level tips -o - --to csv
> sample,UNKNOWN,s__Blautia_wexlerae,age,site,group
> S3,0,70.25,50,A,sick
> S1,10,30,41.5,B,well
> S2,80,0,NA,A,sick
! note: 4 features were dropped: too rare or too small
! note: 3 features were dropped: of other levels
! note: - does not record which features are covariates; a pack or a folder does
$ hsel convert m.hsel --level order -o - --to csv
! hsel: no feature is of level order; there are the ranks kingdom, phylum, class, genus, species
= 2
$ hsel convert m.hsel --transform relative -o share.hsel -q
$ hsel check share.hsel
> ok       structure: 3 instances, 11 features, 7 edges without a cycle
> ok       the true-path rule holds
> ok       the totals of 6 features add up, with 2 values of their own
> remark   1 class with fewer than two instances
> remark   3 features with neither parent nor child
$ hsel convert share.hsel --transform clr,relative -o -
! hsel: --transform clr must be the last one
= 2
$ hsel build --abundance metaphlan.tsv --metadata meta.tsv --class group --transform relative,log1p --level species -q -o - --to csv
> sample,s__Prevotella_copri,s__Blautia_wexlerae,group
> S3,0.26043933605790665,0.5320977590415303,sick
> S1,0.26236426446749106,0.26236426446749106,well
> S2,0.18232155679395462,0,sick

# Zeros among numbers are numbers.
file zeros.csv
| id,a,b,c,class
| 1,2,0,3,x
| 2,5,0,4,y

$ hsel info zeros.csv
> zeros
>   instances              2
>   features               3
>     0 binary, 3 numeric, 0 nominal
>   classes                2
>     x                    1 (50.0 %)
>     y                    1 (50.0 %), positive: the second of two of the same size; --positive CLASS changes it

# What is wrong is named and counted.
file negative.tsv
| taxon	S1	S2
| a|b	1	-2
| a|c	-1	3

$ hsel build --abundance negative.tsv --metadata meta.tsv -o new.hsel
! hsel: negative.tsv:2: the value of a|b in S2 is negative; there are 2 of this kind
= 1
file missing.tsv
| taxon	S1	S2
| a|b	1	NA
| a|c		nan

$ hsel build --abundance missing.tsv --metadata meta.tsv --class group -o new.hsel
! hsel: missing.tsv:2: the value of a|b in S2 is missing (--missing-zero takes such values as 0); there are 3 of this kind
= 1
$ hsel build --abundance missing.tsv --metadata meta.tsv --class group --missing-zero -o new.hsel
> abundances: missing.tsv (abundance)
>   features in the table                              2
>   samples in the table                               2
>   values that are not 0                              1
>   missing values, taken as 0                         3
> lineages
>   inner features made                                1  (a)
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            2
>   in the metadata, but not in the table              2  (S3, S4)
>   without any value: total 0                         1  (S2)
> features
>   left out: 0 in every sample                        1  (c)
> result
>   instances                                          2
>   features                                           2
>   edges                                              1
>   classes                                            2
>   values that are not 0                              2
! note: new: the positive class is well, the second of two of the same size, 1 of 2 instances (50.0 %); --positive CLASS changes it
file twice.tsv
| taxon	S1	S2
| a|b	1	2
| a|c	1	2
| a|b	1	2

$ hsel build --abundance twice.tsv --metadata meta.tsv --class group -o new.hsel
! hsel: twice.tsv:4: a|b is already on line 2; --sum-repeated adds such rows up
= 1
$ hsel build --abundance twice.tsv --metadata meta.tsv --class group --sum-repeated -o new.hsel
> abundances: twice.tsv (abundance)
>   features in the table                              2
>   samples in the table                               2
>   values that are not 0                              6
>   added up: said before                              1  (a|b)
> lineages
>   inner features made                                1  (a)
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            2
>   in the metadata, but not in the table              2  (S3, S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          2
>   features                                           3
>   edges                                              2
>   classes                                            2
>   values that are not 0                              6
! note: new: the positive class is well, the second of two of the same size, 1 of 2 instances (50.0 %); --positive CLASS changes it
file same.tsv
| taxon	S1	S2
| Bacteria(99);Firmicutes	1	2
| Bacteria(100);Firmicutes	1	2

$ hsel build --abundance same.tsv --metadata meta.tsv --class group -o new.hsel
! hsel: same.tsv: Bacteria(99);Firmicutes and Bacteria(100);Firmicutes are the same lineage; --sum-repeated adds them up
= 1
file ragged.tsv
| taxon	S1	S2
| a|b	1	2
| a|c	1

$ hsel build --abundance ragged.tsv --metadata meta.tsv --class group -o new.hsel
! hsel: ragged.tsv:3: 2 fields, but the header has 3
= 1
file text.tsv
| taxon	S1	S2	note
| a|b	1	2	seen
| a|c	1	2	not seen

$ hsel build --abundance text.tsv --metadata meta.tsv --class group -o new.hsel
! hsel: text.tsv:2: the value seen in column note is not a number; --ignore leaves out columns that are not samples
= 1
$ hsel build --abundance text.tsv --metadata meta.tsv --class group --ignore note -q -o new.hsel
file other.tsv
| sample	group
| T1	a
| T2	b

$ hsel build --abundance text.tsv --metadata other.tsv --ignore note -o new.hsel
! hsel: text.tsv: no sample of the table is in the metadata: the table has columns such as S1 and rows such as a|b, the metadata samples such as T1
= 1
$ hsel build --abundance metaphlan.tsv --metadata meta.tsv --class group --min-support 4 -o new.hsel
! hsel: --min-support cannot be combined with --abundance: it is for annotations
= 2
$ hsel build --abundance metaphlan.tsv --class group -o new.hsel
! hsel: --class requires --metadata
= 2
$ hsel build --hierarchy h.tsv --annotations x --labels y --transform clr -o new.hsel
! hsel: --transform requires --abundance
= 2
$ hsel build --hierarchy h.tsv --annotations x --labels y --inner own -o new.hsel
! hsel: --inner requires --abundance
= 2
$ hsel build --abundance metaphlan.tsv --metadata meta.tsv --class group --pseudo-count 1 -o new.hsel
! hsel: --pseudo-count is for --transform clr
= 2

# Trees; BIOM as JSON.
file tree.nwk
| ((a:1,b:2)ab:0.5,(c,'d e')0.9)all;

file tips.tsv
| tip	S1	S2	S3
| a	1	0	2
| b	0	3	0
| d e	4	0	1
| ab	0	0	1
| z	1	1	1

$ hsel build --abundance tips.tsv --tree tree.nwk --metadata meta.tsv --class group -o t.hsel
> abundances: tips.tsv (abundance)
>   features in the table                              5
>   samples in the table                               3
>   values that are not 0                              9
> lineages: tree.nwk (newick)
>   inner features made                                2  (all, node 1)
>   features without a place                           1  (z)
>   inner features: own values in the table            1
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: meta.tsv
>   in the metadata                                    4
>   in both                                            3
>   in the metadata, but not in the table              1  (S4)
> features
>   left out: 0 in every sample                        0
> result
>   instances                                          3
>   features                                           7
>   edges                                              5
>   classes                                            2
>   values that are not 0                             16
! note: t: the positive class is well, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel convert -q t.hsel -o - --to csv
> sample,a,ab,all,b,d e,node 1,z,group
> S3,2,3,4,0,1,1,1,sick
> S1,1,1,5,0,4,4,1,well
> S2,0,3,3,3,0,0,1,sick
$ hsel build --abundance tips.tsv --tree tree.nwk --taxonomy x.taxonomy -o t.hsel
! hsel: --taxonomy cannot be combined with --tree: it is for lineages, but the hierarchy is given
= 2
file open.nwk
| ((a,b)ab
|  ,c);
| (d,e
$ hsel info open.nwk
! hsel: open.nwk:4: the tree does not end: a semicolon is missing
= 1
file twice.nwk
| (a,(b,a));
$ hsel info twice.nwk
! hsel: twice.nwk: two tips are called a
= 1
file close.nwk
| (a,b));
$ hsel info close.nwk
! hsel: close.nwk:1: a closing parenthesis has no opening one
= 1
file x.biom
| {"matrix_type": "sparse", "rows": [{"id": "o1", "metadata": {"taxonomy": ["k__B", "p__F"]}}, {"id": "o2", "metadata": null}],
|  "columns": [{"id": "S1"}, {"id": "S2"}], "data": [[0, 0, 3], [1, 1, 2]]}

$ hsel build --abundance x.biom --metadata meta.tsv --class group -q -o - --to csv
> sample,k__B,p__F,o1,o2,group
> S1,3,3,3,0,well
> S2,0,0,0,2,sick
$ hsel build --abundance x.biom --metadata meta.tsv --class group --samples rows -o x.hsel
! hsel: x.biom: --samples is for text tables, but the format is biom
= 2
file bad.biom
| {"matrix_type": "sparse", "rows": [{"id": "o1"}], "columns": [{"id": "S1"}], "data": [[0, 1, 3]]}
$ hsel build --abundance bad.biom --metadata meta.tsv --class group -o x.hsel
! hsel: bad.biom: entry 1 of data is not [row, column, value] of the table
= 1
file short.biom
| {"matrix_type": "dense", "rows": [{"id": "o1"}], "columns": [{"id": "S1"}
$ hsel build --abundance short.biom --metadata meta.tsv --class group -o x.hsel
! hsel: short.biom:2: ']' expected near end of file
= 1

# Terms of a hierarchy file above numbers are made when they are added up.
file tips.csv
| id,apple,pear,bread,n,class
| mon,3,2,4,7,a
| tue,1,2,4,8,b

file shop.tsv
| apple	fruit
| pear	fruit
| fruit	food
| bread	food

$ hsel convert tips.csv --hierarchy shop.tsv --aggregate sum -o - --to csv
> id,apple,pear,bread,n,fruit,food,class
> mon,3,2,4,7,5,9,a
> tue,1,2,4,8,3,7,b
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. n
! note: 2 features were made: terms above numeric features
! note: 4 values were changed by aggregation
$ hsel convert tips.csv --hierarchy shop.tsv --aggregate mean --level 2 -o - --to csv
> id,bread,fruit,class
> mon,4,2.5,a
> tue,4,1.5,b
! note: 1 feature is not in the hierarchy and has no parents or children
! note: 2 features were made: terms above numeric features
! note: 4 values were changed by aggregation
! note: 4 features were dropped: of other levels

# New samples in the form of a model, for prediction.
file train.tsv
| taxon	T1	T2	T3	T4
| a|b	1	5	1	6
| a|c	4	0	5	0
| d	1	1	1	1

file train_meta.tsv
| sample	group
| T1	x
| T2	y
| T3	x
| T4	y

file new.tsv
| taxon	N1	N2
| a|b	0	7
| a|e	9	1

$ hsel build --abundance train.tsv --metadata train_meta.tsv --class group -q -o train.hsel
$ hsel train train.hsel --classify nb -q -o m.model
$ hsel build --abundance new.tsv --like m.model -o new.hsel
> abundances: new.tsv (abundance)
>   features in the table                              2
>   samples in the table                               2
>   values that are not 0                              3
> lineages
>   inner features made                                1  (a)
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples
>   without class, to be predicted                     2
> features
>   left out: 0 in every sample                        0
>   left out: not a feature of the model               1  (e)
>   of the model, but not in the table: 0              2  (c, d)
> result
>   instances                                          2
>   features                                           4
>   edges                                              2
>   classes                                            2
>   values that are not 0                              3
$ hsel convert -q new.hsel -o - --to csv
> id,a,b,c,d,class
> N1,9,0,0,0,NA
> N2,8,7,0,0,NA
$ hsel predict m.model new.hsel -q
> instance	predicted	P(x)	P(y)	selected
> N1	x	0.5	0.5	4
> N2	y	8.383178480218023e-92	1	4
$ hsel build --abundance tips.tsv --like m.model -q -o new.hsel
$ hsel build --abundance new.tsv --like m.model --level 1 -q -o new.hsel
! hsel: --level cannot be combined with --like: features and classes are those of the model or data set
= 2

# A graph in which many paths lead to the same terms; terms above others come first in it.
file many_paths.tsv
| x0	x7
| x0	x6
| x0	x5
| x0	x4
| x0	x3
| x0	x2
| x0	x1
| x1	x7
| x1	x6
| x1	x5
| x1	x4
| x1	x3
| x1	x2
| x2	x7
| x2	x6
| x2	x5
| x2	x4
| x2	x3
| x3	x7
| x3	x6
| x3	x5
| x3	x4
| x4	x7
| x4	x6
| x4	x5
| x5	x7
| x5	x6
| x6	x7

file one_term.tsv
| term	S1	S2
| x0	1	2

$ hsel build -q --abundance one_term.tsv --tree many_paths.tsv -o many.hsel
$ hsel convert -q many.hsel -o - --to csv --no-class
> id,x0,x1,x2,x3,x4,x5,x6,x7,class
> S1,1,1,1,1,1,1,1,1,NA
> S2,2,2,2,2,2,2,2,2,NA

# Ranks in any order; the same rank twice.
file ranks.tsv
| OTU	Genus	Family	Kingdom	Domain	S1	S2
| o1	g1	f1	k1	d1	1	2
| o2	g2	f1	k1	d1	3	4

$ hsel build -q --abundance ranks.tsv -o ranks.hsel
$ hsel convert -q ranks.hsel -o - --to csv --no-class
> id,d__d1,k__k1,f__f1,g__g1,o1,g__g2,o2,class
> S1,4,4,4,1,1,3,3,NA
> S2,6,6,6,2,2,4,4,NA
$ sed 's/Family/genus/' ranks.tsv > twice.tsv
$ hsel build -q --abundance twice.tsv -o x.hsel
! hsel: twice.tsv:2: the value f1 in column genus is not a number; --ignore leaves out columns that are not samples
= 1

# A lineage that is too long, sums that are too large, names that are there twice.
$ awk 'BEGIN { printf "taxon\tS1\n"; for (i = 0; i < 500000; i++) printf "a|"; printf "b\t1\n" }' > long.tsv
$ hsel build -q --abundance long.tsv -o x.hsel
! hsel: long.tsv: the lineage a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|… has more than 255 parts
= 1
$ printf 'taxon\tS1\na|b\t1e308\na|c\t1e308\n' > large.tsv
$ hsel build -q --abundance large.tsv -o x.hsel
! hsel: the sum of the values below feature a in instance S1 is too large
= 1
$ printf 'taxon\tS1\tS1\na|b\t1\t2\n' > columns.tsv
$ hsel build -q --abundance columns.tsv -o x.hsel
! hsel: columns.tsv: two columns are called S1
= 1

# BIOM: a value twice, and a shape that is another.
$ echo '{"matrix_type":"sparse","shape":[1,1],"rows":[{"id":"o"}],"columns":[{"id":"S"}],"data":[[0,0,2],[0,0,5]]}' > pair.biom
$ hsel build -q --abundance pair.biom -o x.hsel
! hsel: pair.biom: there are two values of o and S; --sum-repeated adds such values up
= 1
$ hsel build -q --abundance pair.biom --sum-repeated -o pair.hsel
$ hsel convert -q pair.hsel -o - --to csv --no-class
> id,o,class
> S,7,NA
$ sed 's/"shape":.1/"shape":[2/' pair.biom > shape.biom
$ hsel build -q --abundance shape.biom -o x.hsel
! hsel: shape.biom: shape is not that of the 1 rows and 1 columns
= 1

# A tree with many inner nodes of the same label, in a time that does not grow with the square of them.
$ awk 'BEGIN { for (i = 0; i < 100000; i++) printf "%s(t%d,u%d)NA", i ? "," : "(", i, i; print ",x)NA_3;" }' > same.nwk
$ printf 'tip\tS1\nt1\t1\nt2\t2\nx\t3\n' > tips3.tsv
$ hsel build -q --abundance tips3.tsv --tree same.nwk -o same.hsel
$ hsel convert -q same.hsel -o - --to csv --no-class
> id,NA_2,NA_3,NA_4,t1,t2,x,class
> S1,1,6,2,1,2,3,NA

# Shares of a total that is too large.
$ printf 'id,a,b,class\nr1,1e308,1e308,x\nr2,1,3,y\n' > shares.csv
$ hsel convert shares.csv --id id --transform relative -o - --to csv
! hsel: the sum of the abundances of instance r1 is too large
= 1

# One level has no roots with something below them.
$ hsel info food.hsel --drop-roots --level 1
! hsel: --drop-roots has no effect with --level 1, which keeps only one level
= 2

# Numbers of a hierarchy that are not amounts get no note that they do not add up; a few slips in amounts do.
$ printf 'p\tall\nq\tall\n' > both.tsv
$ printf 'id,all,p,q,class\n1,1,5,6,x\n2,2,7,5,y\n3,11,5,6,x\n' > heights.csv
$ hsel info heights.csv --hierarchy both.tsv | head -n 2
> heights
>   instances              3
$ hsel check heights.csv --hierarchy both.tsv | grep less
> problem  2 totals of 1 feature are less than what is below them
! hsel: heights.csv: numbers do not add up 2 times; --aggregate sum repairs it
$ sed 's/^1,1,/1,11,/' heights.csv > slip.csv
$ hsel info slip.csv --hierarchy both.tsv | head -n 1
> slip
! note: numbers do not add up: 1 total of 1 feature is less than what is below, first all in instance 2: 2, and 12 below it; --aggregate sum repairs it

# What was selected, with values that are numbers or words.
$ printf 'id,a,b,c,class\n1,0.5,red,1,x\n2,2,blue,0,y\n3,0.25,red,1,x\n4,3,blue,0,y\n' > kinds.csv
$ hsel train kinds.csv --classify nb -q -o kinds.model
$ hsel predict kinds.model kinds.csv --selected -q | cut -f 1,2,5- | head -n 2
> instance	predicted	selected	features…
> 1	x	3	c=1	a=0.5	b=red
$ hsel predict kinds.model kinds.csv --selected --json -q | head -n 1 | jq -c .features
> {"c":1,"a":0.5,"b":"red"}

# Corrected importance of a forest.
$ hsel train kinds.csv --classify forest:trees=20,corrected --show -q -o kinds.model | grep -c corrected
> 2
$ printf 'id,a,b,t\n1,0,1,2\n2,1,3,4\n3,5,2,1\n' > number.csv
$ hsel train number.csv --target t --classify forest:corrected -q -o x.model
! hsel: forest:corrected is for classes, but the target of number is a number
= 2

# ---- empty samples are counted and named, and a table without lineages is said to have none ----

file empty.tsv
| taxon	s1	s2	s3
| k__A|p__B	3	0	5
| k__A|p__C	1	0	0
file who.tsv
| sample	group
| s1	x
| s2	y
| s3	y
$ hsel build --abundance empty.tsv --metadata who.tsv --class group --positive y -o empty.hsel | grep "total 0"
>   without any value: total 0                         1  (s2)
! note: ...
file consensus.biom
| {"id": null, "format": "Biological Observation Matrix 1.0.0", "type": "OTU table", "matrix_type": "dense",
|  "matrix_element_type": "int", "shape": [2, 3], "data": [[3, 0, 5], [1, 2, 0]],
|  "rows": [{"id": "o1", "metadata": {"ConsensusLineage": ["k__A", "p__B"]}}, {"id": "o2", "metadata": {"ConsensusLineage": ["k__A", "p__C"]}}],
|  "columns": [{"id": "s1", "metadata": null}, {"id": "s2", "metadata": null}, {"id": "s3", "metadata": null}]}
$ hsel build --abundance consensus.biom --metadata who.tsv --class group --positive y -o consensus.hsel | tail -3
! note: consensus.biom: no lineages found (its rows have the metadata ConsensusLineage, but not taxonomy), so the features have no hierarchy: --taxonomy FILE or --hierarchy FILE gives them one
! note: ...
>   edges                                              0
>   classes                                            2
>   values that are not 0                              4
# JSON takes many times its size in memory, which has a limit.
$ (cat consensus.biom; printf '%100000s' ' ') > wide.biom && hsel build -q --abundance wide.biom --metadata who.tsv --class group -o wide.hsel --memory 1
! hsel: wide.biom: the table needs more than the 1 MB of memory available; in HDF5 (BIOM 2) it needs less
= 1
$ hsel build -q --abundance wide.biom --metadata who.tsv --class group -o wide.hsel --memory any && hsel info -q wide.hsel | sed -n 1,2p
> wide
>   instances              3
