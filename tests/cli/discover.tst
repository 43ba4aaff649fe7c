# From a list of known positives to ranked candidates.

file go.obo
| format-version: 1.2
|
| [Term]
| id: T:0
| name: process
|
| [Term]
| id: T:1
| name: ageing
| is_a: T:0
|
| [Term]
| id: T:2
| name: growth
| is_a: T:0
|
| [Term]
| id: T:3
| name: fast ageing
| is_a: T:1

# 36 genes: 12 known and 2 unlabelled ones have T:1 or T:3, the others T:2; an IEA annotation that can be left out.
$ awk 'BEGIN { OFS = "\t"; for (i = 1; i <= 36; i++) \
$   print "DB", "G" i, (i == 3 ? "Abc-1" : "sym" i), "", (i <= 6 || i == 20 ? "T:3" : i <= 12 || i == 21 ? "T:1" : "T:2"), "R", i == 21 ? "IEA" : "IDA", "", "P", \
$     "name " i, i == 5 ? "oldname" : "", "protein", "taxon:1", "20200101", "DB"; \
$   print "DB", "G20", "sym20", "", "T:2", "R", "IDA", "", "P", "name 20", "", "protein", "taxon:1", "20200101", "DB" }' > genes.gaf
file known.txt
| # from a paper
| G1
| SYM2, abc-1; sym4
| oldname
| G6	with a remark
| G7 G8 G9
| G10
| sym11
| sym12
| nosuch
| G1
$ hsel discover --annotations genes.gaf --hierarchy go.obo --positives known.txt --top 3 --classify nb
> candidates   24 unlabelled instances of genes; 12 known positives; not in the data: nosuch
> method       nb; each instance is scored by a model that was trained without it (5 folds)
> validation   of the known positives, held out and ranked among the unlabelled, 50.0 % (25.4 to 74.6)
>              in the first 1 %, 100.0 % (75.8 to 100.0) in the first 5 %, 100.0 % (75.8 to 100.0) in
>              the first 10 %, 100.0 % (75.8 to 100.0) in the first 20 % (95 % intervals); AUROC of
>              known against unlabelled 98.3
> prior        about 3.1 % of the unlabelled are positive; probabilities and expected precision assume
>              this, and that the known positives are a random sample of all
> study bias   Spearman's correlation of score and number of annotations among the unlabelled is 0.33;
>              --correct-bias compares instances with similar numbers
>
> rank  label  instance   score      P  percentile  precision  terms
> 1     sym21  G21        3.814  0.375       97.92      0.375      1
> 2     sym20  G20        1.252  0.002       93.75      0.188      2
> 3     sym13  G13       -5.738  0.002       83.33      0.126      1
>
> 1  sym21
>    because  ageing (9 known, 1 other)
>    near     sym7 (1.00), sym8 (1.00), sym9 (1.00)
>
> 2  sym20
>    because  ageing (9 known, 1 other)
>    near     sym1 (0.75), sym2 (0.75), Abc-1 (0.75)
>
> 3  sym13
>    because  no single term speaks for it
>    near     sym7 (0.33), sym8 (0.33), sym9 (0.33)
! note: only the first column of known.txt is read
! note: these names match no instance: nosuch
$ hsel discover -q --annotations genes.gaf --hierarchy go.obo --positives known.txt --top 3 --classify nb --evidence experimental --csv
> rank,instance,id,label,score,probability,percentile,expected_precision,annotations,p,q,selected,reasons,nearest_known
> 1,20,G20,sym20,2.1954308451878077,0.0011574074074074073,0.9782608695652174,0.0011574074074074073,2,,,,ageing,sym1; sym2; Abc-1
> 2,17,G17,sym17,-5.73848578425124,0.0011574074074074073,0.8695652173913043,0.0011574074074074073,1,,,,,sym7; sym8; sym9
> 3,19,G19,sym19,-5.73848578425124,0.0011574074074074073,0.8695652173913043,0.0011574074074074073,1,,,,,sym7; sym8; sym9
# The same from data that are built already; synonyms are not in them.
$ awk 'BEGIN { for (i = 1; i <= 36; i++) print "G" i }' > all.txt
$ hsel build -q --hierarchy go.obo --annotations genes.gaf --labels all.txt -o genes.hsel
$ hsel discover genes.hsel --positives known.txt --classify nb --top 2 --csv
> rank,instance,id,label,score,probability,percentile,expected_precision,annotations,p,q,selected,reasons,nearest_known
> 1,5,G5,sym5,5.200737038209173,0.9999999999999996,0.98,0.9999999999999996,1,,,,ageing,sym1; sym2; Abc-1
> 2,21,G21,sym21,3.4175663897365443,0.9999999999999996,0.94,0.9999999999999996,1,,,,ageing,sym7; sym8; sym9
! note: only the first column of known.txt is read
! note: these names match no instance: oldname, nosuch
$ hsel discover -q genes.hsel --positives 'G1,G2,G3 G4;sym5,sym6,G7,G8,G9,G10,G11,G12' --classify nb --top 1 --json | grep -v '"first"\|"found"\|"share"\|"low"\|"high"'
> {
>   "dataset": "genes",
>   "selector": "none",
>   "classifier": "nb",
>   "folds": 5,
>   "repeats": 1,
>   "seed": 1,
>   "known": 12,
>   "unlabelled": 24,
>   "not_found": [],
>   "ambiguous": [],
>   "auroc": 0.9826388888888891,
>   "median_percentile": 0.9895833333333333,
>   "recovery": [
>     {
>     },
>     {
>     },
>     {
>     },
>     {
>     }
>   ],
>   "prior": 0.031250000000000056,
>   "study_bias": {
>     "corrected": false,
>     "correlation": 0.3309275877154339,
>     "before": 0.3309275877154339,
>     "strata": 0
>   },
>   "reasons": "contributions to the log-odds",
>   "candidates": [
>     {
>       "rank": 1,
>       "instance": 21,
>       "id": "G21",
>       "label": "sym21",
>       "score": 3.814442677089282,
>       "probability": 0.3750000000000005,
>       "percentile": 0.9791666666666666,
>       "expected_precision": 0.3750000000000005,
>       "annotations": 1,
>       "reasons": [
>         {
>           "feature": "T:1",
>           "label": "ageing",
>           "weight": 2.302585092994046,
>           "known": 9,
>           "others": 1
>         }
>       ],
>       "nearest_known": [
>         {
>           "instance": 7,
>           "id": "G7",
>           "label": "sym7",
>           "similarity": 1
>         },
>         {
>           "instance": 8,
>           "id": "G8",
>           "label": "sym8",
>           "similarity": 1
>         },
>         {
>           "instance": 9,
>           "id": "G9",
>           "label": "sym9",
>           "similarity": 1
>         }
>       ]
>     }
>   ]
> }
# A false discovery rate, relative to known negatives; they are no candidates.
$ awk 'BEGIN { for (i = 22; i <= 31; i++) print "G" i }' > negative.txt
$ hsel discover -q genes.hsel --positives known.txt --negatives negative.txt --fdr 0.3 --classify nb --top 0 --csv | awk -F, '{ print $3, $10, $11, $12 }'
> id p q selected
> G5 0.09090909090909091 0.4545454545454546 no
> G21 0.09090909090909091 0.4545454545454546 no
> G20 0.09090909090909091 0.4545454545454546 no
> G13 0.18181818181818182 0.5454545454545454 no
> G18 0.18181818181818182 0.5454545454545454 no
> G14 0.7272727272727273 1 no
> G15 0.7272727272727273 1 no
> G33 0.7272727272727273 1 no
> G36 0.7272727272727273 1 no
> G17 0.9090909090909091 1 no
> G32 0.9090909090909091 1 no
> G35 0.9090909090909091 1 no
> G16 1 1 no
> G19 1 1 no
> G34 1 1 no
# The report; candidates go to a file.
$ hsel discover -q genes.hsel --positives known.txt --classify nb --report methods.txt -o candidates.csv --csv --correct-bias --fdr 0.1
$ wc -l < candidates.csv
> 21
$ sed 's/xxh3 .*/xxh3 .../' methods.txt
> Methods
>
> Candidates were ranked with hsel 0.3.0 among 36 instances with 4 features, from 11 known positives;
> 1 name repeats another; not in the data: oldname, nosuch. All others were treated as unlabelled.
> Scores come from nb; each instance is scored by a model that was trained without it (5 folds); the
> seed is 1. As validation, of the known positives, held out and ranked among the unlabelled, 0.0 %
> (0.0 to 25.9) in the first 1 %, 45.5 % (21.3 to 72.0) in the first 5 %, 100.0 % (74.1 to 100.0) in
> the first 10 %, 100.0 % (74.1 to 100.0) in the first 20 % (95 % intervals); AUROC of known against
> unlabelled 93.8. By the estimated class prior, about 8 % of the unlabelled are positive;
> probabilities and expected precision assume this, and that the known positives are a random sample
> of all.
> Study bias: Spearman's correlation of score and number of annotations among the unlabelled is 0.29,
> and 0.29 after the correction: scores are standardised among the unlabelled with similar numbers (1
> stratum).
> Conformal selection (Jin, Candès 2023): 3 candidates are selected with a false discovery rate of at
> most 0.1, relative to 22 reliable negatives: the bound holds if negatives among the candidates score
> as these do (unlabelled instances to which no known positive is nearest, which are no candidates
> here).
>
> Provenance
>
> program    hsel 0.3.0
> data       genes
> seed       1
> history    {"program": "hsel 0.3.0", "sources": [{"part": "hierarchy", "file": "go.obo", "format": "obo", "bytes": 172, "xxh3": "dcda577aa734ab62"}, {"part": "annotations", "file": "genes.gaf", "format": "gaf", "bytes": 2349, "xxh3": "8cff36665ac4bf5a"}, {"part": "labels", "file": "all.txt", "bytes": 135, "xxh3": "c429400f30d768f0"}], "ontology": {"version": null, "date": null}, "relations": ["is_a"], "namespaces": [], "evidence": [], "no_evidence": [], "until": null, "since": null, "left_out": {"evidence": {}, "later": {}, "undated": 0}, "branch": [], "exclude_branch": [], "min_support": 3, "propagated": true, "steps": [{"command": "build", "arguments": ["--hierarchy", "go.obo", "--annotations", "genes.gaf", "--labels", "all.txt", "--output", "genes.hsel"], "program": "hsel 0.3.0"}]}
>
> command    hsel discover genes.hsel --positives known.txt --classify nb --report methods.txt --output candidates.csv --csv --correct-bias --fdr 0.1
> input      genes.hsel, 5960 bytes, xxh3 ...
> positives  known.txt, 96 bytes, xxh3 ...
# Positives of the data, by --pu.
$ (echo gene,class; awk 'BEGIN { for (i = 1; i <= 36; i++) print "G" i "," (i <= 12 ? "yes" : i < 20 ? "?" : "no") }') > classes.csv
$ hsel build -q --hierarchy go.obo --annotations genes.gaf --labels classes.csv -o classes.hsel
$ hsel discover -q classes.hsel --pu --classify nb --top 2 --csv | cut -d, -f 1-4
> rank,instance,id,label
> 1,21,G21,sym21
> 2,20,G20,sym20
# What is not possible.
$ hsel discover classes.hsel --classify nb
! hsel: which instances are known positives? Give --positives, or data whose other class is called unlabelled (--pu)
= 2
$ hsel discover genes.hsel --positives nosuch.txt
! hsel: there is no file 'nosuch.txt' for --positives
= 1
$ hsel discover genes.hsel --positives nosuch
! note: these names match no instance: nosuch
! hsel: none of the known positives is in genes, which has names such as G1
= 2
$ hsel discover genes.hsel --positives G1
! hsel: at least 3 known positives are needed, but there is 1
= 2
$ hsel discover
! hsel: missing DATA, or --annotations and --hierarchy
= 2
$ hsel discover genes.hsel --positives G1 --annotations genes.gaf --hierarchy go.obo
! hsel: --annotations cannot be combined with DATA
= 2
$ hsel discover --annotations genes.gaf --positives G1
! hsel: --annotations requires --hierarchy
= 2
$ hsel discover --annotations genes.gaf --hierarchy go.obo
! hsel: missing --positives FILE or LIST
= 2
$ hsel discover genes.hsel --positives known.txt --negatives G1,G30 --fdr 0.1
! note: only the first column of known.txt is read
! note: these names match no instance: oldname, nosuch
! hsel: instance 1, G1, is a known positive and a known negative
= 2
$ hsel discover genes.hsel --positives known.txt --negatives G30
! hsel: --negatives requires --fdr
= 2
$ hsel discover genes.hsel --positives known.txt --csv --json
! hsel: --json cannot be combined with --csv
= 2
$ hsel discover genes.hsel --positives known.txt --evidence IDA
! hsel: --evidence requires --annotations
= 2
