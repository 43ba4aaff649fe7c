# Roles of columns: --metadata makes columns known, other options name them, for every kind of data.

$ awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 5; OFS = "\t"; print "id,a,b,c,d" > "x.csv"; print "patient", "id", "age", "sex", "disease", "day", "set" > "m.tsv"; for (i = 1; i <= 80; i++) { printf "s%d", i > "x.csv"; for (f = 0; f < 4; f++) printf ",%d", draw() < 0.5 > "x.csv"; print "" > "x.csv"; print "p" int((i + 3) / 4), "s" i, 20 + int(60 * draw()), draw() < 0.5 ? "m" : "f", draw() < 0.5 ? "ill" : draw() < 0.1 ? "NA" : "well", "2026-0" 1 + i % 7 "-01", i % 5 ? "train" : "test" > "m.tsv" } }'
$ hsel info x.csv --id id --metadata m.tsv --class disease --groups patient --time day --covariates age,sex
> x
>   instances              80
>   features               6
>     4 binary, 1 numeric, 1 nominal
>   positive values        164 (51.25 %)
>   feature support        38 to 43 instances
>   classes                2
>     ill                  45 (60.0 %)
>     well                 30 (40.0 %), positive: the smaller class; --positive CLASS changes it
>   covariates             2
>   without class          5
>   groups                 20 of 4 instances
>   times                  7
>   other columns          patient, day, set
$ hsel convert x.csv --id id --metadata m.tsv --target age --covariates sex --groups patient -o p.hsel
! note: 20 groups of 4 instances; 0 of 80 instances have none
$ hsel convert p.hsel -o folder/ && zcat folder/instances.tsv.gz | head -2
> id	label	patient	disease	day	set	role:group
> s1		p1	ill	2026-02-01	train	p1
$ hsel info folder
> folder
>   instances              80
>   features               5
>     4 binary, 0 numeric, 1 nominal
>   positive values        164 (51.25 %)
>   feature support        38 to 43 instances
>   covariates             1
>   numeric target         age, 20 to 79, mean 51.3875, sd 17.8577
>   groups                 20 of 4 instances
>   other columns          patient, disease, day, set
$ hsel info p.hsel --json | sed -n '/"roles"/,/\]/p'
>   "roles": {
>     "groups": {
>       "values": 20,
>       "smallest": 4,
>       "largest": 4,
>       "without": 0
>     }
>   },
>   "metadata": [
>     "patient",
>     "disease",
>     "day",
>     "set"
>   ],
$ hsel eval p.hsel --class disease --groups none --test-set set --classify nb --metrics auroc
> data set  selector  classifier  AUROC  selected %  seconds
> x         none      nb           50.0      100.00   ...
! note: 2 sets; 0 of 80 instances have none
! note: x: 5 of 80 instances have no class and are left out
! note: x: the positive class is well, the smaller one, 30 of 75 instances (40.0 %); --positive CLASS changes it
! note: x: a test set of 16 of 75 instances
$ hsel train -q x.csv --id id --metadata m.tsv --class disease --covariates sex,age --classify tree -o m.model && hsel predict m.model x.csv --metadata m.tsv > told.tsv && hsel convert -q x.csv --id id --metadata m.tsv --class disease --covariates sex,age -o all.hsel && hsel predict -q m.model all.hsel | cmp - told.tsv && head -2 told.tsv
> instance	predicted	P(ill)	P(well)	selected
> s1	ill	0.5974025974025974	0.4025974025974026	6
$ hsel convert p.hsel -q --groups none -o q.hsel && hsel info q.hsel | grep -E 'groups|columns'
>   other columns          patient, disease, day, set

# The columns of an mtx file, and of a pack that has none.
$ hsel convert -q x.csv --id id --no-class -o x.mtx && hsel info x.mtx --metadata m.tsv --class sex --strata patient
> x
>   instances              80
>   features               4
>   positive values        164 (51.25 %)
>   feature support        38 to 43 instances
>   classes                2
>     f                    32 (40.0 %), positive: the smaller class; --positive CLASS changes it
>     m                    48 (60.0 %)
>   strata                 20 of 4 instances
>   other columns          patient, age, disease, day, set
$ hsel convert -q x.csv --id id --no-class -o x.hsel && hsel eval -q x.hsel --metadata m.tsv --class sex --groups patient --classify nb --metrics auroc
> data set  selector  classifier  AUROC  selected %  seconds
> x         none      nb           54.9      100.00   ...

# What fits nothing is said, or refused.
$ (head -60 m.tsv; printf 'p99\tzz\t1\tm\till\t2026-01-01\ttrain\n') > part.tsv; hsel info x.csv --id id --metadata part.tsv --class disease | grep -E 'without|class'
>   classes                2
>     well                 19 (34.5 %), positive: the smaller class; --positive CLASS changes it
>   without class          25
! note: 21 of 80 instances are not in the metadata
! note: 1 instance is in the metadata, but not in the data
$ hsel eval x.csv --id id --metadata m.tsv --class disase
! hsel: there is no class disase; the data set has none; did you mean disease?
= 2
$ hsel eval x.hsel --metadata m.tsv --class disase
! hsel: there is no class disase; the data set has none; did you mean disease?
= 2
$ hsel eval p.hsel --covariates agge
! hsel: p.hsel: there is no column agge to use as a covariate
= 2
$ hsel eval p.hsel --covariates age
! hsel: p.hsel: age is to be predicted, so it cannot be a covariate
= 2
$ hsel eval p.hsel --target agge
! hsel: p.hsel: there is no column agge to use as the target
= 2
$ hsel eval p.hsel --groups pateint
! hsel: --groups: pateint is neither a column of the data or their metadata, nor a file that can be read; did you mean patient?
= 2
$ hsel eval p.hsel --time none
! hsel: --time: none has no effect, since the data have none
= 2
$ (cat m.tsv; sed -n 5p m.tsv) > twice.tsv; hsel info x.csv --id id --metadata twice.tsv --class disease
! hsel: twice.tsv:82: s4 is already on line 5
= 1
$ sed 1s/age/sex/ m.tsv > two.tsv; hsel info x.csv --id id --metadata two.tsv --class disease
! hsel: two.tsv:1: two columns are called sex
= 1
$ sed 1s/age// m.tsv > unnamed.tsv; hsel info x.csv --id id --metadata unnamed.tsv --class disease
! hsel: unnamed.tsv:1: column 3 has no name in the header
= 1
$ sed 's/s\([0-9]\)/t\1/' m.tsv > other.tsv; hsel info x.csv --id id --metadata other.tsv --class disease
! hsel: other.tsv: none of the 80 identifiers in it is the identifier of one of the 80 instances
= 1
$ hsel info x.csv --id id --metadata nowhere.tsv
! hsel: nowhere.tsv: cannot open: No such file or directory
= 1

# One column is the label unless an option names it.
$ cut -f1,2 m.tsv > one.tsv; hsel info x.csv --id id --metadata one.tsv --groups patient | grep -E 'groups|labelled'
>   groups                 20 of 4 instances
$ hsel info x.csv --id id --metadata one.tsv | grep -E 'groups|labelled|columns'
>   labelled instances     80

# Groups that are found: near copies, pairs of related instances, identifiers.
$ awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 7; printf "id,day"; for (f = 1; f <= 60; f++) printf ",x%d", f; print ",class"; for (p = 1; p <= 40; p++) { for (f = 1; f <= 60; f++) x[f] = draw() < 0.5; ill = draw() < 0.5; for (a = 1; a <= 3; a++) { printf "p%d_%d,%s", p, a, p == 9 && a == 1 ? "" : "2026-" 9 + a "-01"; for (f = 1; f <= 60; f++) printf ",%d", x[f] - x[f] * (f == a); print (ill ? ",ill" : ",well") } } }' > adm.csv
$ hsel check adm.csv --id id --ignore day
> ok       structure: 120 instances, 60 features
> ok       no hierarchy, so no true-path rule to check
! note: adm: 120 of 120 instances are near copies of others (p14_2 and p14_3); if they come from the same patient, sample or family, estimates are too optimistic without groups: --groups near-copies finds them, --groups COLUMN names them
$ for found in near-copies id:_ 'id:^p[0-9]+' 'id:^(p[0-9]+)_' pairs:pairs.csv pairs:families.tsv; do awk -F, 'NR > 2 && NR % 3 != 2 { print before "," $1 } { before = $1 }' adm.csv > pairs.csv; awk -F, 'BEGIN { print "instance\tfamily" } NR > 1 { print $1 "\tf" int((NR - 2) / 3) }' adm.csv > families.tsv; hsel eval adm.csv --id id --ignore day --groups "$found" --classify knn --metrics auroc --csv --folds 5 2>&1 | sed -n '/groups of/p; s/.*knn,\([0-9.]*\).*/\1/p'; done
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
> note: 40 groups of 3 instances; 0 of 120 instances have none
> 45.490741
$ hsel convert -q adm.csv --id id --ignore day --groups id:_ -o found.hsel && hsel info found.hsel | grep groups && hsel convert -q found.hsel --groups near-copies -o again.hsel && hsel info again.hsel | grep groups
>   groups                 40 of 3 instances
>   groups                 40 of 3 instances
$ tr _ - < adm.csv | sed 's/2026-/2026_/g; s/,\(1\|0\)/,0/g; s/_\([0-9]*\)-/-\1-/g' > empty.csv; hsel check empty.csv --id id --ignore day | head -0
! note: empty: 120 of 120 instances have identifiers that go with others (p1-1 and p1-2); if they come from the same patient, sample or family, estimates are too optimistic without groups: --groups 'id:-' finds them, --groups COLUMN names them
$ hsel eval empty.csv --id id --ignore day --groups near-copies
! hsel: --groups near-copies has no effect: no two instances belong together
= 2
$ hsel eval adm.csv --id id --ignore day --groups 'id:(a'
! hsel: --groups id:(a: Unmatched ( or \(
= 2
$ hsel eval adm.csv --id id --ignore day --groups id:x
! hsel: --groups id:x has no effect: no two instances belong together
= 2
$ hsel eval adm.csv --ignore id,day --groups id:_
! hsel: --groups id:_ needs instances with identifiers
= 2
$ hsel eval adm.csv --id id --ignore day --groups pairs:nowhere.csv
! hsel: nowhere.csv: cannot open: No such file or directory
= 1
$ cut -d, -f1 adm.csv > single.csv; hsel eval adm.csv --id id --ignore day --groups pairs:single.csv
! hsel: single.csv:1: expected two columns of related instances
= 1

# Missing times, and a test set of one class.
$ awk -F, '{ print $1 "," (NR == 1 ? "set" : $NF == "ill" && NR < 90 ? "test" : "train") }' adm.csv > set.csv; hsel check adm.csv --id id --time day --groups id:_ --test-set set.csv
> ok       structure: 120 instances, 60 features
> ok       no hierarchy, so no true-path rule to check
> remark   1 instance without time, but hsel eval needs all times
> remark   1 class with no instance in the test set
! note: 40 groups of 3 instances; 0 of 120 instances have none
! note: 3 times; 1 of 120 instances have none
! note: a test set of 42 of 120 instances

# Builds: patients and their codes, as annotations and as abundances.
file terms.tsv
| child	parent
| a1	a
| a2	a
| b1	b
| b2	b
| a	all
| b	all

$ awk 'function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 11; split("a1 a2 b1 b2", code, " "); print "patient,code" > "codes.csv"; print "patient,family,age,sex,outcome,day" > "patients.csv"; for (p = 1; p <= 60; p++) { from = int(4 * draw()); for (k = 0; k < 2; k++) print "P" p "," code[1 + (from + k) % 4] > "codes.csv"; print "P" p ",F" int(p / 3) "," 20 + int(60 * draw()) "," (draw() < 0.5 ? "m" : "f") "," (draw() < 0.4 ? "dead" : "alive") ",2026-01-" 10 + p % 9 > "patients.csv" } }'
$ hsel build --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcome --covariates age,sex --groups family --time day -o codes.hsel
> hierarchy: terms.tsv (edges)
>   terms                                              7
>   terms used (as chosen)                             7
>   edges between them                                 6
> annotations: codes.csv (pairs)
>   read                                             121
>   left out: term not in the hierarchy                1  (1 term: code)
>   left out: obsolete term, not replaced              0
>   used                                             120
>   renamed: alternate identifier                      0
>   renamed: obsolete term, replaced                   0
> objects: patients.csv
>   annotated                                         61
>   annotated, but without label                       1  (patient)
>   labelled                                          60
>   labelled, but not annotated                        0
>   labelled, but no annotation left                   0
> values
>   positive as annotated                            120
>   added by propagation                             157
> features
>   terms that are positive somewhere                  7
>   left out: support too low                          0
> result
>   instances                                         60
>   features                                           7
>   edges                                              6
>   classes                                            2
>   positive values                                  277
! note: 21 groups of 1 to 3 instances; 0 of 60 instances have none
! note: 9 times; 0 of 60 instances have none
! note: codes: the positive class is dead, the smaller one, 25 of 60 instances (41.7 %); --positive CLASS changes it
$ hsel info codes.hsel | sed '/bytes/d; s/^\(  build *\).*/\1…/'
> codes
>   instances              60
>   features               9
>     7 binary, 1 numeric, 1 nominal
>   positive values        277 (65.95 %)
>   feature support        27 to 60 instances
>   constant features      1, positive everywhere
>   classes                2
>     alive                35 (58.3 %)
>     dead                 25 (41.7 %), positive: named by the data
>   covariates             2
>   groups                 21 of 1 to 3 instances
>   times                  9
>   other columns          family, day
> provenance
>   build                  …
> hierarchy
>   edges                  6
>   ancestors in total     10
>   depth                  2
>   roots                  3
>   leaves                 6
>   isolated               2
>   most parents           1
>   most children          2
>   root-leaf paths        6
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --labels patients.csv --class outcome --covariates age,sex --groups family --time day -o labels.hsel && hsel info labels.hsel | grep -E 'groups|times|covariates|columns'
>   covariates             2
>   groups                 21 of 1 to 3 instances
>   times                  9
>   other columns          family, day
>   build                  --hierarchy terms.tsv --annotations codes.csv --labels patients.csv --class outcome --covariates age,sex --groups family --time day --output labels.hsel
$ cut -d, -f1,5 patients.csv > classes.csv; hsel build -q --hierarchy terms.tsv --annotations codes.csv --labels classes.csv --metadata patients.csv --groups family -o both.hsel && hsel info both.hsel | grep -E 'alive|groups|columns'
>     alive                35 (58.3 %)
>   groups                 21 of 1 to 3 instances
>   other columns          family, age, sex, day
>   build                  --hierarchy terms.tsv --annotations codes.csv --labels classes.csv --metadata patients.csv --groups family --output both.hsel
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --target age --covariates sex --groups near-copies -o age.hsel
! hsel: --groups near-copies has no effect: no two instances belong together
= 2
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --target age --covariates sex --groups family -o age.hsel && hsel eval -q age.hsel --classify tree --metrics rmse
> data set  selector  classifier   RMSE  selected %  seconds
> age       none      tree         16.5      100.00   ...
$ hsel build --abundance codes.csv --hierarchy terms.tsv --metadata patients.csv --class outcome --covariates age,sex --groups family -o counts.hsel
> abundances: codes.csv (abundance)
>   features in the table                              4
>   samples in the table                              60
>   values that are not 0                            120
> lineages: terms.tsv (edges)
>   inner features made                                3  (a, all, b)
>   totals raised: less than the sum below             0
>   totals above the sum below: own values             0
> samples: patients.csv
>   in the metadata                                   60
>   in both                                           60
> features
>   left out: 0 in every sample                        0
> result
>   instances                                         60
>   features                                           9
>   of them covariates                                 2
>   edges                                              6
>   classes                                            2
>   values that are not 0                            337
! note: 21 groups of 1 to 3 instances; 0 of 60 instances have none
! note: counts: the positive class is dead, the smaller one, 25 of 60 instances (41.7 %); --positive CLASS changes it
$ hsel build -q --abundance codes.csv --hierarchy terms.tsv -o plain.hsel && hsel info plain.hsel | sed -n 2,3p
>   instances              60
>   features               7
$ hsel build -q --abundance codes.csv --hierarchy terms.tsv --metadata patients.csv --target age -o age.hsel && hsel info age.hsel | grep target
>   numeric target         age, 21 to 79, mean 50.55, sd 16.4836
>   build                  --abundance codes.csv --hierarchy terms.tsv --metadata patients.csv --target age --output age.hsel
$ awk -F, -v OFS=, '{ print $0, NR == 1 ? "times" : 1 }' codes.csv > valued.csv; hsel build -q --abundance valued.csv --hierarchy terms.tsv -o valued.hsel && hsel convert -q valued.hsel -o valued.csv && hsel convert -q plain.hsel -o plain.csv && cmp plain.csv valued.csv
$ (cat codes.csv; sed -n 2p codes.csv) > twice.csv; hsel build -q --abundance twice.csv --hierarchy terms.tsv --metadata patients.csv --class outcome -o counts.hsel
! hsel: twice.csv: there are two values of P1 and a1; --sum-repeated adds such values up
= 1
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcom -o x.hsel
! hsel: patients.csv: there is no column outcom; did you mean outcome?
= 2
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcome --groups famly -o x.hsel
! hsel: --groups: famly is neither a column of the data or their metadata, nor a file that can be read; did you mean family?
= 2
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcome --target age -o x.hsel
! hsel: --target cannot be combined with --class: predict either a number or a class
= 2
$ (cat patients.csv; sed -n 2p patients.csv) > repeated.csv; hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata repeated.csv --class outcome -o x.hsel
! hsel: repeated.csv:62: P1 is already on line 2
= 1
$ head -40 patients.csv > fewer.csv; hsel build --hierarchy terms.tsv --annotations codes.csv --labels classes.csv --metadata fewer.csv --groups family -o x.hsel | head -1
> hierarchy: terms.tsv (edges)
! note: 21 of 60 instances are not in fewer.csv
! note: 14 groups of 1 to 3 instances; 21 of 60 instances have none
! note: x: the positive class is dead, the smaller one, 25 of 60 instances (41.7 %); --positive CLASS changes it

# A model of such data: new patients with the same covariates.
$ hsel train -q codes.hsel --classify tree -o codes.model && hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcome --covariates age,sex --like codes.model -o new.csv && hsel predict -q codes.model new.csv > first.tsv && hsel predict -q codes.model codes.hsel | cmp - first.tsv
$ hsel build -q --hierarchy terms.tsv --annotations codes.csv --metadata patients.csv --class outcome --covariates age --like codes.model -o new.csv
! hsel: codes.model has the covariate sex, which --covariates does not name
= 2
