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
>   groups                 20 of 4 instances
>   times                  7
>   other columns          patient, age, sex, day, set
>   without class          5
$ hsel convert x.csv --id id --metadata m.tsv --target age --covariates sex --groups patient -o p.hsel
! note: 20 groups of 4 instances; 0 of 80 instances have none
$ hsel convert p.hsel -o folder/ && zcat folder/instances.tsv.gz | head -2
> id	label	patient	age	sex	disease	day	set	role:group
> s1		p1	59	m	ill	2026-02-01	train	p1
$ hsel info folder
> folder
>   instances              80
>   features               5
>     4 binary, 0 numeric, 1 nominal
>   positive values        164 (51.25 %)
>   feature support        38 to 43 instances
>   covariates             1
>   groups                 20 of 4 instances
>   other columns          patient, sex, disease, day, set
>   numeric target         age, 20 to 79, mean 51.3875, sd 17.8577
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
>     "sex",
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
> s1	ill	0.8	0.2	6
$ hsel convert p.hsel -q --groups none -o q.hsel && hsel info q.hsel | grep -E 'groups|columns'
>   other columns          patient, sex, disease, day, set

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
! hsel: p.hsel: there is no column agge to use as a covariate; did you mean age?
= 2
$ hsel eval p.hsel --covariates age
! hsel: p.hsel: age is to be predicted, so it cannot be a covariate
= 2
$ hsel eval p.hsel --target agge
! hsel: p.hsel: there is no column agge to use as the target; did you mean age?
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
