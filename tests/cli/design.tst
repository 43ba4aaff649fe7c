# The design of a study: groups, times and test sets in hsel eval, auto, check and others.

# 60 patients with four admissions each: features and class are the patient's and have nothing to do with each other.
$ awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 7; printf "id,patient,day"; for (f = 1; f <= 40; f++) printf ",x%d", f; print ",class"; for (p = 1; p <= 60; p++) { for (f = 1; f <= 40; f++) x[f] = draw() < 0.4; ill = draw() < 0.5; for (a = 1; a <= 4; a++) { printf "p%d_%d,p%d,2026-%02d-%02d", p, a, p, 1 + int(12 * draw()), 1 + int(28 * draw()); for (f = 1; f <= 40; f++) printf ",%d", x[f]; print (ill ? ",ill" : ",well") } } }' > adm.csv
$ hsel eval adm.csv --id id --ignore patient,day --classify knn --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      knn          95.9      100.00   ...
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: 232 of 240 instances are near copies of others (p5_1 and p5_2); if they come from the same patient, sample or family, estimates are too optimistic without groups: --groups near-copies finds them, --groups COLUMN names them
$ hsel eval adm.csv --id id --ignore day --groups patient --classify knn,forest,nb --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      knn          44.3      100.00   ...
> adm       none      forest       41.8      100.00   ...
> adm       none      nb           41.7      100.00   ...
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: 5 folds, none of 60 groups split

# Inner folds as well: calibration, thresholds, fitness, races, and what is written down.
$ hsel eval -q adm.csv --id id --ignore day --groups patient --select ga:preset=bitwise,generations=3 --classify knn:calibration=platt,knn:threshold=gm --metrics auroc --folds 3
> data set  selector                         classifier             AUROC  selected %  seconds
> adm       ga:preset=bitwise,generations=3  knn:calibration=platt   51.2       35.00   ...
> adm       ga:preset=bitwise,generations=3  knn:threshold=gm        51.2       35.00   ...
$ hsel auto -q adm.csv --id id --ignore day --groups patient --select none --classify nb,knn --folds 3 --inner-folds 3 | sed -n '1,2p'
> choice       none with knn
> estimate     AUROC 51.2 (95 % interval 41.2 to 61.2), mean over 3 outer folds, which took no part in
$ hsel eval -q adm.csv --id id --ignore day --groups patient --fold-scheme loo --classify nb --metrics auroc --json | grep -E '"(folds|design)"'
>     "folds": 60,
>     "design": "60 folds, none of 60 groups split",

# Groups from a file, or from a pack that keeps them.
$ awk -F, '{ print $1 "," (NR == 1 ? "site" : "s" substr($2, 2) % 4) "," (NR == 1 ? "set" : substr($2, 2) % 4 ? "train" : "test") }' adm.csv > sites.csv
$ hsel convert -q adm.csv -o adm.hsel --id id --ignore day,patient --groups sites.csv:site
$ hsel eval adm.hsel --fold-scheme loo --classify nb --metrics auroc
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           43.0      100.00   ...
! note: leave-one-out: metrics are pooled over all instances
! note: adm: the positive class is well, 108 of 240 instances (45.0 %)
! note: adm: 4 folds, none of 4 groups split
! note: adm: 4 of 4 groups are available: too few for reliable estimates for new groups
$ hsel eval adm.hsel --folds 5
! note: adm: the positive class is well, 108 of 240 instances (45.0 %); by chance AUPRC is 45.0
! hsel: 5 folds are more than the 4 groups of adm: use at most 4
= 2
$ hsel eval adm.hsel --folds 2 --fold-scheme weka
! note: adm: the positive class is well, 108 of 240 instances (45.0 %); by chance AUPRC is 45.0
! hsel: the fold schemes weka and wan do not support groups, times or test sets, but adm has some: use own or loo
= 2

# Times: expanding and sliding windows, with groups apart.
$ hsel eval adm.csv --id id --time day --groups patient --classify nb --metrics auroc --folds 3
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           43.6      100.00   ...
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: 170 times; 0 of 240 instances have none
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: 3 folds in time, trained on all earlier instances, none of 60 groups split
$ hsel eval -q adm.csv --id id --ignore patient --time day --fold-scheme window:2 --classify knn --metrics auroc --folds 3 --json | grep -E '"(folds|design)"'
>     "folds": 3,
>     "design": "3 folds in time, trained on the 2 blocks before each",
$ hsel eval -q adm.csv --id id --ignore patient --time day --fold-scheme window --classify knn
! hsel: the fold scheme window needs the number of training blocks, e.g. window:3
= 2
$ hsel eval -q adm.csv --id id --ignore day --time patient --classify knn
! hsel: --time: instance 1 of adm has 'p1', which is neither a number nor a date such as 2026-03-01 or 2026-03-01T12:30
= 2
$ awk -F, '{ print $1 "," (NR == 1 ? "time" : "2026-03-01T10:00" (NR == 4 ? "+02:00" : "")) }' adm.csv > offset.csv
$ hsel eval -q adm.csv --id id --ignore patient,day --time offset.csv --classify knn
! hsel: --time: instance 3 of adm has '2026-03-01T10:00+02:00', which has an offset from UTC: convert all times to UTC
= 2
$ hsel eval -q adm.csv --id id --ignore patient --time day --write-folds x.tsv
! hsel: folds in time and test sets cannot be written: in a fold file every instance is tested, and each fold is trained on all others
= 2

# A test set, and what is predicted of it.
$ hsel eval adm.csv --id id --ignore patient,day --test-set sites.csv:set --classify nb --metrics auroc --predictions predicted.csv
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           50.0      100.00   ...
! note: 2 sets; 0 of 240 instances have none
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: 232 of 240 instances are near copies of others (p5_1 and p5_2); if they come from the same patient, sample or family, estimates are too optimistic without groups: --groups near-copies finds them, --groups COLUMN names them
! note: adm: a test set of 60 of 240 instances
$ wc -l < predicted.csv
> 61
$ sed 's/,test$/,maybe/' sites.csv > maybe.csv
$ hsel eval -q adm.csv --id id --ignore patient,day --test-set maybe.csv:set
! hsel: --test-set: instance 13 of adm is in the set 'maybe', which is neither test (yes, true, 1) nor train (no, false, 0)
= 2
$ hsel eval -q adm.csv --id id --ignore patient,day --test-set x7 --groups nothing
! hsel: --groups: nothing is neither a column of the data or their metadata, nor a file that can be read
= 2

# Identifiers that a double cannot hold, and options that name what has another role.
$ awk -F, -v OFS=, '{ $2 = NR == 1 ? "patient" : "1234567890123456" int(NR / 4) % 10; print }' adm.csv > long.csv
$ hsel eval -q long.csv --id id --ignore day --groups patient --classify nb
! hsel: --groups: patient has whole numbers of 2^53 or more, which are not exact: give a table FILE of identifier and group, whose values are text
= 2
$ hsel eval -q adm.csv --id id --ignore day,patient --groups class --classify nb
! hsel: --groups: the column class already belongs to --class, and has only one use
= 2
$ hsel eval -q adm.csv --id id --ignore day,patient --groups id --classify nb
! hsel: --groups: the column id already belongs to --id, and has only one use
= 2
$ hsel eval -q adm.csv --id id --ignore day,patient --groups patient --classify nb
! hsel: --groups: the column patient already belongs to --ignore, and has only one use
= 2
$ hsel eval -q adm.csv --id id --ignore day --groups patient --strata patient --classify nb
! hsel: --groups: the column patient already belongs to --strata, and has only one use
= 2
$ awk -F, 'NR > 1 && NR <= 101 { print $1 ",s" NR % 25 > "part.csv"; print $1 > "chosen.txt" } BEGIN { print "id,site" > "part.csv" }' adm.csv > /dev/null
$ hsel eval adm.csv --id id --ignore day,patient --groups part.csv --instances chosen.txt --classify nb --metrics auroc --folds 5 | cut -d' ' -f1
> data
> adm
! note: 25 groups of 4 instances; 0 of 100 instances have none
! note: 140 instances were left out by --instances
! note: adm: the positive class is well, the smaller one, 48 of 100 instances (48.0 %); --positive CLASS changes it
! note: adm: 100 of 100 instances are near copies of others in another group (p5_1 and p5_2): the groups may be wrong or incomplete; --groups near-copies finds others
! note: adm: 5 folds, none of 25 groups split
$ mkfifo pipe
$ cat sites.csv > pipe & hsel eval -q adm.csv --id id --ignore day,patient --groups pipe:site --fold-scheme loo --classify nb --metrics auroc
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           43.0      100.00   ...

# Permutations exchange whole groups, as classes are the same in each.
$ hsel rank adm.csv --id id --ignore day --groups patient --by chi2 --p-values --permutations 999 --top 0 --csv | awk -F, 'NR > 1 && $4 <= 0.05' | wc -l
> 1
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: all instances of a group have the same class: whole groups are permuted
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
$ hsel rank -q adm.csv --id id --ignore day,patient --by chi2 --p-values --permutations 999 --top 0 --csv | awk -F, 'NR > 1 && $4 <= 0.05' | wc -l
> 9
$ hsel rank adm.csv --id id --ignore day --groups patient --by chi2 --p-values --top 1 --csv
> feature,chi2,rank,p,q
> x11,32.614749136488264,1,7.479008471492282e-09,2.9916033885969127e-07
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: p-values assume independent instances, even within a group: --permutations respects groups
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: the best 1 of 40 features; --top 0 shows all

# Fold files keep groups, or are refused.
$ hsel eval -q adm.csv --id id --ignore day --groups patient --folds 3 --metrics auroc --classify nb --write-folds kept.tsv --csv | cut -d, -f4
> auroc
> 50.505051
$ hsel eval -q adm.csv --id id --ignore day --groups patient --fold-scheme file:kept.tsv --metrics auroc --classify nb --csv | cut -d, -f4
> auroc
> 50.505051
$ hsel eval -q adm.csv --id id --ignore day,patient --folds 3 --metrics auroc --classify nb --write-folds split.tsv --csv | cut -d, -f4
> auroc
> 75.904882
$ hsel eval -q adm.csv --id id --ignore day --groups patient --fold-scheme file:split.tsv
! hsel: instances 1 and 2 of adm belong to the same group, but are in different folds
= 2

# Halves of whole groups: fewer features come back by chance. A calibration learned from inner folds of whole groups knows that it knows nothing.
$ hsel select -q adm.csv --id id --ignore day --groups patient --select 'stability:of=top:k=5,threshold=0.9' | wc -l
> 0
$ hsel select -q adm.csv --id id --ignore day,patient --select 'stability:of=top:k=5,threshold=0.9' | wc -l
> 1
$ hsel train -q adm.csv --id id --ignore day --groups patient --classify knn:calibration=platt -o kept.model
$ hsel predict -q kept.model adm.csv --id id --ignore day,patient | awk 'NR > 1 { if ($3 > most) most = $3 } END { print (most < 0.8 ? "unsure" : "sure") }'
> unsure
$ hsel train -q adm.csv --id id --ignore day,patient --classify knn:calibration=platt -o split.model
$ hsel predict -q split.model adm.csv --id id --ignore day,patient | awk 'NR > 1 { if ($3 > most) most = $3 } END { print (most < 0.8 ? "unsure" : "sure") }'
> sure

# A study, with the numbers of hsel eval.
file s.yaml
| datasets: [{path: adm.csv, prepare: "id=id,groups=patient,ignore=day"}]
| selectors: [none]
| classifiers: [knn]
| folds: {count: 3}
| metrics: [auroc]
$ hsel run -q s.yaml | head -1
> s in s.db
$ sed -i 's/groups=patient,ignore=day/time=day,ignore=patient/' s.yaml
$ hsel run -q s.yaml --store time.db >/dev/null; hsel report time.db --format csv
> dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,pooled,pooled_sd,published,fold_se
> adm,none,knn,auroc,ok,1,0.7770711548987411,,0.7974785740901751,,,0.09672687757086929
$ hsel eval -q adm.csv --id id --ignore patient --time day --classify knn --metrics auroc --folds 3 --csv | cut -d, -f4
> auroc
> 77.707115
$ sed -i 's/prepare: .*/prepare: "id=id,ignore=day,groups=patient,test-set=sites.csv:set"}]/' s.yaml
$ hsel run -q s.yaml --store test.db >/dev/null; hsel report test.db --format csv | cut -d, -f1-9; hsel eval -q adm.csv --id id --ignore day --groups patient --test-set sites.csv:set --classify knn --metrics auroc --folds 3 --csv | cut -d, -f4
> dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,pooled
> adm,none,knn,auroc,ok,1,0.77,,0.77
> auroc
> 77.000000
$ sed -i 's/patient,test-set=sites.csv:set/sites.csv:site/; s/count: 3/scheme: loo, repeats: 2/' s.yaml
$ hsel run -q s.yaml --store loo.db >/dev/null; hsel report loo.db --format csv | cut -d, -f1-9; hsel eval -q adm.csv --id id --ignore day,patient --groups sites.csv:site --fold-scheme loo --repeats 2 --classify knn --metrics auroc --csv | cut -d, -f4
> dataset,selector,classifier,metric,state,repeats,fold_mean,fold_mean_sd,pooled
> adm,none,knn,auroc,ok,2,0.5297222222222222,0,0.4062850729517396
> auroc
> 40.628507
$ hsel report loo.db -o - --format text | grep -A3 -E '^(1 selector|Cross-|Metrics|Folds)'
> 1 selector with 1 classifier were compared on 1 data set, by 4 folds, none of 4 groups split, done 2
> times.
>
> By AUROC (area under the ROC curve) the best mean over 1 data set is that of none with knn: 40.6 %.
> --
> Cross-validation  4 folds, none of 4 groups split (loo), 2 repeats, seed 1
> Means and ranks   like wins, over the data sets that all methods of a table have finished
> Metrics           pooled over all instances, in percent
> Computed by       hsel 0.3.0
> Made by           hsel 0.3.0
>
> Folds of adm: 4 folds, none of 4 groups split. Caution: 4 of 4 groups are available: too few for
> reliable estimates for new groups.
>
> AUROC
$ hsel run -q s.yaml --store loo.db | sed -n 2,3p
>   done now               0
>   done before            8
$ sed -i 's/ignore=day,groups=sites.csv:site/metadata=ages.csv,target=age,time=day,ignore=patient/; s/scheme: loo, repeats: 2/count: 3/; s/knn/tree/; s/auroc/rmse/' s.yaml
$ awk -F, '{ print $1 "," (NR == 1 ? "age" : 20 + NR % 7 + $4) }' adm.csv > ages.csv
$ hsel run -q s.yaml --store age.db >/dev/null; hsel report age.db --format csv | cut -d, -f1-7; hsel eval -q adm.csv --id id --metadata ages.csv --target age --time day --ignore patient,class --classify tree --metrics rmse --folds 3 --csv | cut -d, -f4
> dataset,selector,classifier,metric,state,repeats,fold_mean
> adm,none,tree,rmse,ok,1,2.143718764628178
> rmse
> 2.143719

# Weights: an instance of weight 2 counts like two, for every kind of input.
$ awk -F, -v OFS=, '{ print (NR == 1 ? "w" : 1 + NR % 3), $0 }' adm.csv > heavy.csv; awk -F, -v OFS=, 'NR == 1 { print; next } { id = $2; for (i = 1; i <= $1; i++) { $2 = id "." i; print } }' heavy.csv > copied.csv; awk -F, -v OFS=, '{ print $2, $1 }' heavy.csv > weights.csv
$ for c in nb:calibration=none tree:calibration=none knn:preset=weka; do hsel train -q heavy.csv --id id --ignore patient,day --weights w --classify $c -o heavy.model; hsel train -q copied.csv --id id --ignore patient,day,w --classify $c -o copied.model; hsel train -q adm.csv --id id --ignore patient,day --classify $c -o plain.model; for m in heavy copied plain; do hsel predict -q $m.model adm.csv --features intersect > $m.txt; done; cmp -s heavy.txt copied.txt && echo $c same; cmp -s heavy.txt plain.txt || echo $c weighted; done
> nb:calibration=none same
> nb:calibration=none weighted
> tree:calibration=none same
> tree:calibration=none weighted
> knn:preset=weka same
> knn:preset=weka weighted
$ hsel eval -q heavy.csv --id id --ignore day --groups patient --weights w --classify nb,forest --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> heavy     none      nb           42.9      100.00   ...
> heavy     none      forest       41.7      100.00   ...
$ hsel eval adm.csv --id id --ignore day --groups patient --weights weights.csv --classify nb,forest --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           42.9      100.00   ...
> adm       none      forest       41.7      100.00   ...
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: 3 weights; 0 of 240 instances have none
! note: classifiers learn from weighted instances; selectors and metrics treat all instances alike
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: 5 folds, none of 60 groups split
$ hsel convert -q adm.csv --id id --ignore day --groups patient --weights weights.csv:w -o heavy.hsel && hsel convert -q heavy.hsel -o heavy/ && hsel eval -q heavy --classify nb,forest --metrics auroc --folds 5; hsel info heavy | grep weights
> data set  selector  classifier  AUROC  selected %  seconds
> heavy     none      nb           42.9      100.00   ...
> heavy     none      forest       41.7      100.00   ...
>   weights                3
$ hsel eval -q heavy.hsel --weights none --classify nb,aode --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           41.7      100.00   ...
> adm       none      aode         42.9      100.00   ...
$ hsel eval heavy.hsel --classify nb,aode --metrics auroc --folds 5
> data set  selector  classifier  AUROC  selected %  seconds
> adm       none      nb           42.9      100.00   ...
! note: classifiers learn from weighted instances; selectors and metrics treat all instances alike
! note: left out: none with aode: aode cannot learn from weighted instances; these can: nb, knn, svm, logistic, proximal-graph, tree, forest, boost, blend, pu
! note: adm: the positive class is well, 108 of 240 instances (45.0 %)
! note: adm: 5 folds, none of 60 groups split
$ hsel train -q heavy.hsel --classify aode -o x.model
! hsel: aode cannot learn from weighted instances; these can: nb, knn, svm, logistic, proximal-graph, tree, forest, boost, blend, pu
= 1
$ hsel select heavy.hsel --select top:by=ig,k=1 2>&1 | grep weights
> note: weights have no effect here: only classifiers use them
$ hsel auto heavy.hsel --select none --classify nb,aode,knn --folds 3 2>&1 | grep 'are left out'
> note: 1 of 3 pairs of selector and classifier are left out; --list says why
$ for w in 0 -1 nan 1e999 '' NA heavy; do awk -F, -v OFS=, -v w="$w" 'NR == 5 { $2 = w } { print }' weights.csv > bad.csv; hsel eval -q adm.csv --id id --ignore day,patient --weights bad.csv --classify nb; done
! hsel: --weights: instance 4 of adm has the weight '0', which is not a number above 0
! hsel: --weights: instance 4 of adm has the weight '-1', which is not a number above 0
! hsel: --weights: instance 4 of adm has no weight
! hsel: --weights: instance 4 of adm has the weight '1e999', which is not a number above 0
! hsel: --weights: instance 4 of adm has no weight
! hsel: --weights: instance 4 of adm has no weight
! hsel: --weights: instance 4 of adm has the weight 'heavy', which is not a number above 0
= 2
$ head -100 weights.csv > fewer.csv; hsel train -q adm.csv --id id --ignore day,patient --weights fewer.csv --classify nb -o x.model
! hsel: --weights: instance 100 of adm has no weight
= 2
$ hsel eval -q heavy.csv --id id --ignore day --groups patient --weights patient --classify nb
! hsel: --weights: the column patient already belongs to --groups, and has only one use
= 2
$ awk -F, '{ print $1 "," (NR == 1 ? "p" : "") }' adm.csv > nothing.csv; for role in groups time strata test-set weights; do hsel eval -q adm.csv --id id --ignore day,patient --$role nothing.csv:p --classify nb; done
! hsel: --groups: nothing.csv:p has no value for any instance
! hsel: --time: nothing.csv:p has no value for any instance
! hsel: --strata: nothing.csv:p has no value for any instance
! hsel: --test-set: nothing.csv:p has no value for any instance
! hsel: --weights: nothing.csv:p has no value for any instance
= 2
$ hsel convert adm.csv --id id --ignore day,patient --weights weights.csv -o heavy.arff 2>&1 | grep weights
> note: 3 weights; 0 of 240 instances have none
> note: heavy.arff does not record weights; a pack or a folder does

# ---- what is written, given folds, permutations within strata ----
file t.csv
| id,p,v,day,set,a,b,class
| 1,p1,x,1,train,1,0,y
| 2,p1,y,2,train,1,0,y
| 3,p2,x,3,train,0,1,n
| 4,p2,y,4,train,0,1,n
| 5,p3,x,5,test,1,0,y
| 6,p3,y,6,test,1,1,y
| 7,p4,x,7,test,0,1,n
| 8,p4,y,8,train,0,0,n
$ hsel eval -q t.csv --id id --ignore p,v,day --test-set set --classify nb --metrics accuracy --curves c.csv --frequencies f.csv >/dev/null; tail -1 c.csv | cut -d, -f 7-10; tail -1 f.csv
> 2,1,0,0
> t,none,1,b,3,1
$ hsel eval -q t.csv --id id --ignore p,v,day,set --folds 2 --write-folds folds.txt >/dev/null; hsel eval -q t.csv --id id --ignore p,v,set --time day --fold-scheme file:folds.txt
! hsel: t has times, but the given folds learn from instances that are not before those they test: omit one of the two
= 2
$ hsel eval -q t.csv --id id --ignore p,v,day --test-set set --fold-scheme file:folds.txt
! hsel: t has a test set, which given folds would ignore: omit one of the two
= 2
$ hsel rank -q t.csv --id id --ignore day,set --groups p --strata v --p-values --permutations 9
! hsel: groups of t are in several strata, so that permutations within strata would split them: omit --strata or --groups
= 2
$ sed 's/2,p1,y,2,train,1,0,y/2,p1,y,2,train,1,0,n/' t.csv > mixed.csv; hsel rank mixed.csv --id id --ignore v,day,set --groups p --p-values --permutations 9 2>&1 >/dev/null | grep permuted
> note: classes are permuted within groups
> note: 6 of 8 instances cannot be permuted: all instances of their group have the same class

# An explanation learns from what cross-validation would learn from.
$ hsel explain adm.csv --id id --ignore day --groups patient --instance p1_1 --top 1 | grep -o 'predicted  [a-z]*'
> predicted  well
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: adm: learned from 236 of 240 instances, not from the group of the instance explained
! note: adm: the positive class is well, the smaller one, 104 of 236 instances (44.1 %); --positive CLASS changes it
$ hsel explain adm.csv --id id --time day --groups patient --test-set sites.csv:set --instance p1_1 --top 1 2>&1 | grep learned
> note: adm: learned from 152 of 240 instances, not from the group of the instance explained, only from earlier ones, not from the test set
$ hsel explain -q adm.csv --id id --time day --ignore patient --instance p18_2
! hsel: no instance of adm is left to learn from
= 2

# What has no effect, and p-values that know no groups.
$ hsel train adm.csv --id id --ignore patient,day --test-set sites.csv:set -o x.model 2>&1 | grep respect
> note: the test set has no effect here: all instances are learned from; hsel eval and hsel auto respect it
$ hsel select adm.csv --id id --ignore patient --time day --test-set sites.csv:set --select top:k=1 2>&1 | grep respect
> note: the test set has no effect here: all instances are learned from; hsel eval and hsel auto respect it
> note: times have no effect here, except on folds within selectors; hsel eval and hsel auto respect them
$ hsel rank adm.csv --id id --ignore patient --time day --by chi2 2>&1 | grep respect
> note: times have no effect here, except on folds within selectors; hsel eval and hsel auto respect them
$ printf 'x1\troot\nx2\troot\n' > h.tsv
$ hsel select adm.csv --id id --ignore day --groups patient --hierarchy h.tsv --select fdr:method=bh 2>&1 | grep 'within a group'
> note: fdr: 1 of 1 selections use p-values that assume independent instances, even within a group (permutations=N respects groups)
$ hsel select adm.csv --id id --ignore day --groups patient --hierarchy h.tsv --select fdr:method=bh,permutations=99 2>&1 | grep -c 'within a group'
> 0
= 1
$ awk -F, '{ print $1 "," (NR == 1 ? "set" : $NF == "ill" && NR % 2 ? "test" : "train") }' adm.csv > ill.csv
$ hsel eval adm.csv --id id --ignore day --groups patient --test-set ill.csv --classify nb --metrics auroc --folds 5 --repeats 2 --fold-scheme loo 2>&1 | grep -E 'effect|repeats|missing'
> note: --folds has no effect here: the test set is the only fold
> note: repeats differ only in random methods: the test set is the same in all of them
> note: --fold-scheme has no effect here: the test set is the only fold
> note: adm: 1 of 2 classes are missing in the test set, so some metrics are undefined
> note: adm: 1 of 2 classes are missing in the training part, so they are never predicted
$ hsel eval adm.csv --id id --ignore patient --time day --classify nb --metrics auroc --repeats 2 2>&1 | grep repeats
> note: repeats differ only in random methods: the folds in time are the same in all of them
$ hsel eval adm.csv --id id --ignore patient --time day --classify nb --metrics auroc --fold-scheme file:kept.tsv 2>&1 | grep -o "given folds.*"
> given folds learn from instances that are not before those they test: omit one of the two

# Info and check of a pack count what it has; other formats lose it.
$ hsel convert -q adm.csv -o roles.hsel --id id --time day --groups patient --test-set sites.csv:set --strata sites.csv:site
$ hsel info roles.hsel | grep -E 'strata|groups|times|test set'
>   strata                 4 of 60 instances
>   groups                 60 of 4 instances
>   times                  170
>   test set               60
$ hsel check roles.hsel 2>&1 | grep -c note
> 4
$ hsel convert roles.hsel -o lost.csv
! note: lost.csv does not record strata, groups, times, the test set; a pack or a folder does
$ hsel convert roles.hsel -o kept

# ---- a role given for a pack replaces the one it has, also where the new one is empty ----
$ hsel convert -q t.csv --id id --ignore v,day,set --groups p -o t.hsel; printf 'id\tg\n1\tq\n2\tq\n' > some.tsv; hsel check t.hsel --groups some.tsv 2>&1 | grep have
> note: 1 group of 2 instances; 6 of 8 instances have none

# ---- a trained model learns from nothing any more ----
$ hsel train -q t.csv --id id --ignore p,v,day,set -o t.model; hsel explain t.csv --id id --ignore v,day,set --groups p --model t.model --instance 1
! hsel: --groups cannot be combined with --model: the model is already trained
= 2
$ hsel predict t.model t.csv --id id --ignore v,day,set --groups p
! hsel: --groups cannot be combined with MODEL: the model is already trained
= 2

# Confidence intervals: by folds where instances are independent, else by bootstrap over groups or instances.
$ hsel eval -q adm.csv --id id --ignore patient,day --classify nb,forest --metrics auroc,gm,compression --folds 5 --intervals
> data set  selector  classifier  AUROC     GM  Compression  selected %  seconds
> adm       none      nb           76.8   71.8          0.0      100.00   ...
> adm       none      forest      100.0  100.0          0.0      100.00   ...
>
> adm: 95 % confidence intervals, also of the difference from the first row
> selector  classifier  metric       interval by                    estimate  95 % interval  difference  95 % interval
> none      nb          AUROC        corrected variance of 5 folds      76.8   [67.1, 86.6]           –              –
> none      nb          GM           corrected variance of 5 folds      71.8   [66.2, 77.5]           –              –
> none      nb          Compression  none: the same in all folds         0.0              –           –              –
> none      forest      AUROC        none: the same in all folds       100.0              –        23.2   [13.4, 32.9]
> none      forest      GM           none: the same in all folds       100.0              –        28.2   [22.5, 33.8]
> none      forest      Compression  none: the same in all folds         0.0              –         0.0     [0.0, 0.0]
$ hsel eval adm.csv --id id --ignore day --groups patient --classify nb,knn --metrics auroc,log-loss --folds 5 --intervals
> data set  selector  classifier  AUROC  Log-loss  selected %  seconds
> adm       none      nb           41.1      69.3      100.00   ...
> adm       none      knn          41.6      69.6      100.00   ...
>
> adm: 95 % confidence intervals, also of the difference from the first row
> selector  classifier  metric    interval by               estimate  95 % interval  difference  95 % interval
> none      nb          AUROC     bootstrap over 60 groups      41.1   [25.9, 56.7]           –              –
> none      nb          Log-loss  bootstrap over 60 groups      69.3   [66.5, 72.2]           –              –
> none      knn         AUROC     bootstrap over 60 groups      41.6   [26.9, 57.5]         0.5  [-14.2, 15.8]
> none      knn         Log-loss  bootstrap over 60 groups      69.6   [66.6, 72.6]         0.3    [-0.8, 1.4]
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: metrics are pooled over all instances, as their intervals require
! note: adm: 5 folds, none of 60 groups split
$ hsel eval -q adm.csv --id id --ignore day --groups patient --classify nb,knn --metrics auroc --folds 5 --intervals --csv --repeats 2
> dataset,selector,classifier,auroc,auroc_sd,auroc_low,auroc_high,auroc_difference,auroc_difference_low,auroc_difference_high,selected_pct,seconds,positive_class,positive_pct
> adm,none,nb,41.133558,0.079361,26.850516,55.910024,,,,100.000000,...,well,45.000000
> adm,none,knn,45.931538,6.150480,30.254071,62.596050,4.797980,-10.124891,21.423799,100.000000,...,well,45.000000
$ hsel eval -q adm.csv --id id --ignore day --groups patient --classify nb,knn --folds 5 --intervals --json | grep -A 22 '"auroc": {' | sed '/brier/q'
>       "auroc": {
>         "pooled": 0.4107744107744108,
>         "pooled_sd": 0,
>         "fold_mean": 0.4174603174603174,
>         "sd": 0,
>         "fold_se": 0.059990761025471406,
>         "interval": {
>           "estimate": 0.4107744107744108,
>           "low": 0.2594915779966941,
>           "high": 0.5674363382978426,
>           "method": "bootstrap over 60 groups"
>         }
>       },
>       "auprc": {
>         "pooled": 0.40281936239326055,
>         "pooled_sd": 0,
>         "fold_mean": 0.48779677729677723,
>         "sd": 0,
>         "fold_se": 0.03547726120538479,
>         "interval": {
>           "estimate": 0.40281936239326055,
>           "low": 0.27798784860208803,
>           "high": 0.5866629989036432,
> --
>       "auroc": {
>         "pooled": 0.4158249158249158,
>         "pooled_sd": 0,
>         "fold_mean": 0.44301587301587303,
>         "sd": 0,
>         "fold_se": 0.05823858518398952,
>         "interval": {
>           "estimate": 0.4158249158249158,
>           "low": 0.26890554548062945,
>           "high": 0.5752519643958826,
>           "method": "bootstrap over 60 groups"
>         },
>         "difference": {
>           "estimate": 0.0050505050505050275,
>           "low": -0.14187674796107635,
>           "high": 0.15766268681350362
>         }
>       },
>       "auprc": {
>         "pooled": 0.40469963860084757,
>         "pooled_sd": 0,
>         "fold_mean": 0.4714718614718615,
>         "sd": 0,
$ hsel eval -q adm.csv --id id --ignore patient,day --test-set sites.csv:set --classify nb --metrics accuracy --intervals
> data set  selector  classifier  Accuracy  selected %  seconds
> adm       none      nb              53.3      100.00   ...
>
> adm: 95 % confidence intervals
> selector  classifier  metric    interval by                  estimate  95 % interval
> none      nb          Accuracy  bootstrap over 60 instances      53.3   [40.0, 66.7]
$ hsel eval -q adm.csv --id id --ignore patient --time day --folds 3 --classify nb --metrics accuracy --intervals | tail -n 1
> none      nb          Accuracy  bootstrap over 180 instances      68.9   [62.2, 76.1]
$ awk -F, -v OFS=, '{ $2 = NR == 1 ? "patient" : NR <= 40 ? "p1" : "p2"; print }' adm.csv > two.csv
$ hsel eval two.csv --id id --ignore day --groups patient --folds 2 --classify nb --metrics accuracy --intervals
> data set  selector  classifier  Accuracy  selected %  seconds
> two       none      nb              50.0      100.00   ...
>
> two: 95 % confidence intervals
> selector  classifier  metric    interval by                             estimate  95 % interval
> none      nb          Accuracy  none: fewer than 5 groups or instances      50.0              –
! note: 2 groups of 39 to 201 instances; 0 of 240 instances have none
! note: two: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: two: metrics are pooled over all instances, as their intervals require
! note: two: 2 folds, none of 2 groups split
! note: two: 2 of 2 groups are available: too few for reliable estimates for new groups
$ awk -F, -v OFS=, 'NR > 1 { $NF = $2 == "p3" ? "ill" : "well" } { print }' adm.csv > rare.csv
$ hsel eval -q rare.csv --id id --ignore day --groups patient --folds 3 --classify nb --metrics auroc --intervals
> data set  selector  classifier  AUROC  selected %  seconds
> rare      none      nb          100.0      100.00   ...
>
> rare: 95 % confidence intervals
> selector  classifier  metric  interval by                    estimate  95 % interval
> none      nb          AUROC   none: the same in all samples     100.0              –

# The leak meter: ordinary folds beside those of the design.
$ hsel eval adm.csv --id id --ignore day --groups patient --classify knn,nb --metrics auroc,log-loss --folds 5 --leak-check
> data set  selector  classifier         AUROC      Log-loss  selected %  seconds
> adm       none      knn           48.2 ± 5.5    69.8 ± 1.1      100.00   ...
> adm       none      nb            42.9 ± 4.0    69.2 ± 0.2      100.00   ...
>
> adm: ordinary folds beside those of the design; metrics are pooled over the same instances
> selector  classifier  metric    folds      estimate  95 % interval  optimism  95 % interval
> none      knn         AUROC     ordinary       94.4   [91.1, 97.0]         –              –
> none      knn         AUROC     by groups      48.2   [34.8, 61.4]      46.2   [35.2, 58.0]
> none      knn         Log-loss  ordinary       35.8   [29.7, 42.1]         –              –
> none      knn         Log-loss  by groups      69.8   [67.0, 72.9]      34.0   [28.1, 39.7]
> none      nb          AUROC     ordinary       78.9   [65.9, 89.4]         –              –
> none      nb          AUROC     by groups      42.9   [29.6, 57.1]      36.0   [28.3, 44.4]
> none      nb          Log-loss  ordinary       55.4   [45.7, 65.7]         –              –
> none      nb          Log-loss  by groups      69.2   [66.6, 71.8]      13.8    [3.8, 23.1]
! note: 60 groups of 4 instances; 0 of 240 instances have none
! note: adm: the positive class is well, the smaller one, 108 of 240 instances (45.0 %); --positive CLASS changes it
! note: adm: metrics are pooled over all instances, as their intervals require
! note: adm: 5 folds, none of 60 groups split
$ hsel eval -q adm.csv --id id --time day --groups patient --classify knn --metrics auroc --folds 3 --leak-check --intervals --repeats 2
> data set  selector  classifier         AUROC  selected %  seconds
> adm       none      knn           48.2 ± 0.0      100.00   ...
>
> adm: 95 % confidence intervals
> selector  classifier  metric  interval by               estimate  95 % interval
> none      knn         AUROC   bootstrap over 60 groups      48.2   [37.4, 59.4]
>
> adm: ordinary folds beside those of the design; metrics are pooled over the same instances
> selector  classifier  metric  folds               estimate  95 % interval  optimism  95 % interval
> none      knn         AUROC   ordinary                88.6   [80.4, 94.8]         –              –
> none      knn         AUROC   by groups               54.5   [38.5, 70.1]      34.2   [18.9, 48.9]
> none      knn         AUROC   in time, by groups      48.2   [37.4, 59.4]      40.4   [27.7, 52.4]
$ hsel eval -q adm.csv --id id --ignore day,patient --test-set sites.csv:set --classify knn --metrics auroc --leak-check
> data set  selector  classifier         AUROC  selected %  seconds
> adm       none      knn           77.0 ± 0.0      100.00   ...
>
> adm: ordinary folds beside those of the design; metrics are pooled over the same instances
> selector  classifier  metric  folds     estimate  95 % interval  optimism  95 % interval
> none      knn         AUROC   ordinary      99.3  [97.7, 100.0]         –              –
> none      knn         AUROC   test set      77.0   [62.2, 89.9]      22.3    [9.9, 36.9]
$ hsel eval -q adm.csv --id id --ignore day --groups patient --classify knn --metrics auroc --folds 5 --leak-check --csv | tr , '\n' | sed -n '4,11p;18,24p'
> auroc
> auroc_sd
> auroc_ordinary
> auroc_ordinary_low
> auroc_ordinary_high
> auroc_optimism
> auroc_optimism_low
> auroc_optimism_high
> knn
> 48.159371
> 5.522283
> 94.353956
> 91.058016
> 97.033053
> 46.194585
$ hsel eval -q adm.csv --id id --time day --groups patient --classify knn --folds 3 --leak-check --json | grep -A 27 '"auroc": {' | grep -A 22 leak_check
>         "leak_check": [
>           {
>             "folds": "ordinary",
>             "estimate": 0.8912433238107068,
>             "low": 0.8191619168184273,
>             "high": 0.9443804373178539,
>             "method": "bootstrap over 60 groups"
>           },
>           {
>             "folds": "by groups",
>             "estimate": 0.5100360203701404,
>             "low": 0.39136169368151263,
>             "high": 0.6338596952370587,
>             "optimism": 0.38120730344056647,
>             "optimism_low": 0.300266501489603,
>             "optimism_high": 0.4614324666762249,
>             "method": "bootstrap over 60 groups"
>           },
>           {
>             "folds": "in time, by groups",
>             "estimate": 0.48211402310272017,
>             "low": 0.3743158881521851,
$ hsel eval -q adm.csv --id id --ignore day,patient --classify knn --leak-check
! hsel: --leak-check compares ordinary folds with those of a design, but adm has none: give --groups, --time or --test-set
= 2
