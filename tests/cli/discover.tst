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
> validation   of the known positives, held out and ranked among the unlabelled, 58.3 (24.0 to 100.0)
>              % are in the first 1 %, 100.0 (38.9 to 100.0) % are in the first 5 %, 100.0 (47.9 to
>              100.0) % are in the first 10 %; the AUROC of known against unlabelled is 98.3 (92.1 to
>              100.0) (95 % intervals)
> prior        at most about 8.3 % of the unlabelled are positive (95 % interval 0 to 61); the bounds
>              of P and of the expected precision are for 0 and 8.3 %, and assume that the known
>              positives are a random sample of all
> study bias   Spearman's correlation of score and number of annotations among the unlabelled is 0.33;
>              --correct-bias compares instances with similar numbers
>
> rank  label  instance   score             P  percentile     precision  terms
> 1     sym21  G21        3.814  0.00 to 1.00       97.92  0.00 to 1.00      1
> 2     sym20  G20        1.252  0.00 to 0.00       93.75  0.00 to 0.50      2
> 3     sym13  G13       -5.738  0.00 to 0.00       83.33  0.00 to 0.34      1
>
> Terms that contribute most to the score, and the most similar known positives (Jaccard index of the
> terms):
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
> rank,instance,id,label,score,probability,probability_low,percentile,expected_precision,expected_precision_low,annotations,p,q,selected,reasons,nearest_known
> 1,20,G20,sym20,2.1954308451878077,0.0023148148148148147,0,0.9782608695652174,0.0023148148148148147,0,2,,,,ageing,sym1; sym2; Abc-1
> 2,17,G17,sym17,-5.73848578425124,0.0023148148148148147,0,0.8695652173913043,0.0023148148148148147,0,1,,,,,sym7; sym8; sym9
> 3,19,G19,sym19,-5.73848578425124,0.0023148148148148147,0,0.8695652173913043,0.0023148148148148147,0,1,,,,,sym7; sym8; sym9
# The same from data that are built already; synonyms are not in them.
$ awk 'BEGIN { for (i = 1; i <= 36; i++) print "G" i }' > all.txt
$ hsel build -q --hierarchy go.obo --annotations genes.gaf --labels all.txt -o genes.hsel
$ hsel discover genes.hsel --positives known.txt --classify nb --top 2 --csv
> rank,instance,id,label,score,probability,probability_low,percentile,expected_precision,expected_precision_low,annotations,p,q,selected,reasons,nearest_known
> 1,5,G5,sym5,5.200737038209173,1,0.5,0.98,1,0.5,1,,,,ageing,sym1; sym2; Abc-1
> 2,21,G21,sym21,3.4175663897365443,1,0.5,0.94,1,0.5,1,,,,ageing,sym7; sym8; sym9
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
>   "validation": {
>     "labelled": 12,
>     "unlabelled": 24,
>     "prior": {
>       "estimate": 0.08333333333333333,
>       "estimated": true
>     },
>     "auroc_unlabelled": {
>       "estimate": 0.9826388888888888,
>     },
>     "auroc_corrected": {
>       "estimate": 1,
>     },
>     "auroc_corrected_by_prior": {
>     },
>     "median_percentile": {
>       "estimate": 0.9895833333333334,
>     },
>     "top": [
>       {
>         "k": 10,
>         "labelled": 9,
>         "precision": {
>           "estimate": 1,
>         },
>         "precision_low": 0.9,
>         "precision_high": 1,
>         "recall": 0.75,
>         "recall_low": 0.33805312757818456,
>         "recall_high": 0.7692307692307693,
>         "enrichment": {
>           "estimate": 2.6999999999999997,
>         },
>         "recovered": {
>           "estimate": 0.9999999999999999,
>         },
>         "lee_liu": 2.025
>       },
>       {
>         "k": 20,
>         "labelled": 12,
>         "precision": {
>           "estimate": 0.7,
>         },
>         "precision_low": 0.6,
>         "precision_high": 1,
>         "recall": 1,
>         "recall_low": 0.4507375034375794,
>         "recall_high": 1,
>         "enrichment": {
>           "estimate": 1.7999999999999998,
>         },
>         "recovered": {
>           "estimate": 0.9999999999999999,
>         },
>         "lee_liu": 1.7999999999999998
>       },
>       {
>         "k": 1,
>         "labelled": 1,
>         "precision": {
>           "estimate": 1,
>         },
>         "precision_low": 1,
>         "precision_high": 1,
>         "recall": 0.08333333333333333,
>         "recall_low": 0.03756145861979828,
>         "recall_high": 0.08333333333333333,
>         "enrichment": {
>           "estimate": 3,
>         },
>         "recovered": {
>           "estimate": 0.5833333333333334,
>         },
>         "lee_liu": 0.25
>       },
>       {
>         "k": 2,
>         "labelled": 2,
>         "precision": {
>           "estimate": 1,
>         },
>         "precision_low": 1,
>         "precision_high": 1,
>         "recall": 0.16666666666666666,
>         "recall_low": 0.07512291723959656,
>         "recall_high": 0.16666666666666666,
>         "enrichment": {
>           "estimate": 3,
>         },
>         "recovered": {
>           "estimate": 0.9999999999999999,
>         },
>         "lee_liu": 0.5
>       },
>       {
>         "k": 4,
>         "labelled": 4,
>         "precision": {
>           "estimate": 1,
>         },
>         "precision_low": 1,
>         "precision_high": 1,
>         "recall": 0.3333333333333333,
>         "recall_low": 0.15024583447919312,
>         "recall_high": 0.3333333333333333,
>         "enrichment": {
>           "estimate": 3,
>         },
>         "recovered": {
>           "estimate": 0.9999999999999999,
>         },
>         "lee_liu": 1
>       }
>     ]
>   },
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
>       "probability": 0.9999999999999996,
>       "probability_low": 0,
>       "percentile": 0.9791666666666666,
>       "expected_precision": 0.9999999999999996,
>       "expected_precision_low": 0,
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
> id expected_precision_low annotations p
> G5 0.5 1 0.09090909090909091
> G21 0.5 1 0.09090909090909091
> G20 0.3341523341523342 2 0.09090909090909091
> G13 0.25122850122850127 1 0.18181818181818182
> G18 0.20147420147420153 1 0.18181818181818182
> G14 0.16830466830466836 1 0.7272727272727273
> G15 0.14461214461214467 1 0.7272727272727273
> G33 0.1268427518427519 1 0.7272727272727273
> G36 0.11302211302211308 1 0.7272727272727273
> G17 0.10196560196560203 1 0.9090909090909091
> G32 0.09291936564663844 1 0.9090909090909091
> G35 0.08538083538083545 1 0.9090909090909091
> G16 0.07900207900207906 1 1
> G19 0.0735345735345736 1 1
> G34 0.06879606879606887 1 1
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
> seed is 1. As validation, of the known positives, held out and ranked among the unlabelled, 0.0 (0.0
> to 100.0) % are in the first 1 %, 45.5 (0.0 to 100.0) % are in the first 5 %, 100.0 (0.0 to 100.0) %
> are in the first 10 %; the AUROC of known against unlabelled is 93.8 (81.1 to 100.0) (95 %
> intervals). By the estimated class prior, at most about 8 % of the unlabelled are positive (95 %
> interval 4 to 59); the bounds of P and of the expected precision are for 4 and 8 %, and assume that
> the known positives are a random sample of all.
> Study bias: Spearman's correlation of score and number of annotations among the unlabelled is 0.29,
> and 0.29 after the correction: scores are standardised among the unlabelled with similar numbers (1
> stratum).
> Conformal selection (Jin, Candès 2023): 2 candidates are selected with a false discovery rate of at
> most 0.1 relative to 22 reliable negatives (that alone selects 3) and an expected precision that may
> reach 0.9; by the prior, 50.0 to 100.0 % of them are positive. Reliable negatives score lower than
> others, so more may be false; --negatives gives a bound that holds.
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
# The page ranks by the same scores: its candidates come in the order of the table.
$ hsel discover -q genes.hsel --positives known.txt --classify nb --page genes.html --top 0 --csv -o ranked.csv
$ grep -c '"candidates":true' genes.html
> 1
$ tr -d '\n' < genes.html | sed 's/.*id="data">//; s/<.script>.*//' | jq -r '.instances.id as $id | .instances.class as $class | .runs[0].instances.score | to_entries | sort_by(-.value, .key) | map(select($class[.key] == 0) | $id[.key]) | .[:5] | join(" ")'
> G5 G21 G20 G13 G18
$ awk -F, 'NR > 1 && NR < 7 { printf "%s%s", $3, NR < 6 ? " " : "\n" }' ranked.csv
> G5 G21 G20 G13 G18
$ hsel discover -q genes.hsel --positives known.txt --page genes.html --correct-bias
! hsel: --page cannot be combined with --correct-bias: the page ranks by the scores of one repeat
= 2
$ hsel discover -q genes.hsel --positives known.txt --page -
! hsel: --page - is not possible: the candidates go to standard output
= 2

# Of three known positives the data say next to nothing: no interval, and P may be 0.
$ hsel discover -q genes.hsel --positives G1,G2,G3 --folds 3 --classify nb --top 1 | grep -A 1 -E "^prior|^rank"
> prior        at most about 9.1 % of the unlabelled are positive (too few known positives for an
>              interval); the bounds of P and of the expected precision are for 0 and 9.1 %, and
> --
> rank  label  instance  score             P  percentile     precision  terms
> 1     sym4   G4        1.399  0.00 to 1.00       98.48  0.00 to 1.00      1

# Names that could control a terminal are shown as text, in the report, too, and a spreadsheet runs no cell.
$ awk 'BEGIN { print "gene,a,b"; for (i = 1; i <= 24; i++) printf "%s,%d,%d\n", i == 5 ? "\033[31mred" : i == 7 ? "=cmd()" : "g" i, i % 2, i % 3 == 0 }' > odd.csv
$ hsel discover -q odd.csv --id gene --no-class --positives "$(printf 'g1,g3,g9,\033[31mRED,g11,g13,bad\033name')" --top 0 --classify nb --folds 2 --report "$(printf 'r\033.txt')" -o odd.txt
$ hsel discover -q odd.csv --id gene --no-class --positives g1,g3,g9,g11,g13 --top 0 --classify nb --folds 2 --csv --csv-safe -o odd2.csv
$ cat odd.txt r*.txt | grep -c "$(printf '\033')"
> 0
= 1
$ grep -o 'not in the data: .*' odd.txt
> not in the data: bad\x1bname
$ grep -o "'=cmd()" odd2.csv
> '=cmd()
