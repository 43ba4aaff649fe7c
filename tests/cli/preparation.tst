# Preparation is part of the model: learned from the training part, kept, and done to what is predicted.

file toy.csv
| id,only,more,less,both,class
| s1,0,60,400,500,control
| s2,2,240,80,510,case
| s3,0,70,420,505,control
| s4,1,250,90,500,case
| s5,0,65,390,515,control
| s6,0.5,260,85,495,case
| s7,0,75,410,500,control
| s8,3,230,95,505,case
file new.csv
| id,only,more,less,both
| n1,0.001,100,200,500
| n2,0,100,200,500
| n3,0,0,0,0
file one.csv
| id,only,more,less,both
| n2,0,100,200,500

# ---- directions: what is there in cases alone speaks for cases, whatever the transformation ----
file directions.sh
| for options in relative clr "clr --pseudo-count 0.1" rclr log1p relative,log1p presence:0.2 presence:100; do
|   echo "$options:" $(hsel select -q toy.csv --id id --select top:k=4 --table --csv --transform $options |
|     awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "direction") at = i } $1 ~ /^(only|more|less)$/ { print $1, "for", $at }' | sort)
| done
$ sh directions.sh
> relative: less for control more for case only for case
> clr: less for control more for case only for case
> clr --pseudo-count 0.1: less for control more for case only for case
> rclr: less for control more for case only for case
> log1p: less for control more for case only for case
> relative,log1p: less for control more for case only for case
> presence:0.2: less for more for only for case
> presence:100: less for control more for case only for

# ---- a sample is predicted alone as among others, by what the training data taught ----
$ hsel train toy.csv --id id --transform clr --classify knn:k=3 -o clr.model
! note: clr added 0.25 to each abundance
! note: knn: 1 of 1 fits had too few instances of a class to calibrate probabilities
! note: trained on 8 instances and 4 features; hsel predict uses the model
$ hsel predict clr.model new.csv
> instance	predicted	P(case)	P(control)	selected
> n1	control	0.2	0.8	4
> n2	control	0.2	0.8	4
> n3	case	0.8	0.2	4
! note: new was prepared as the training data: transform=clr
! note: 1 instance has no abundances: shares and log-ratios are missing there
$ hsel predict -q clr.model new.csv | grep n2 >among.txt; hsel predict -q clr.model one.csv | grep n2 | diff - among.txt
$ hsel predict -q clr.model one.csv --transform clr | grep n2 | diff - among.txt
$ hsel train -q toy.csv --id id --transform rclr --classify nb -o rclr.model
$ hsel predict -q rclr.model new.csv | grep n2 >among.txt; hsel predict -q rclr.model one.csv | grep n2 | diff - among.txt

# ---- what contradicts it is refused ----
$ hsel predict clr.model new.csv --transform rclr
! hsel: --transform contradicts the training data, which were prepared by transform=clr: omit it, because these data are prepared in the same way
= 2
$ hsel predict clr.model new.csv --transform clr --pseudo-count 1
! hsel: --pseudo-count contradicts the training data, which were prepared by transform=clr: omit it, because these data are prepared in the same way
= 2
$ hsel explain new.csv --model clr.model --instance n2 --transform log1p
! hsel: --transform contradicts the training data, which were prepared by transform=clr: omit it, because these data are prepared in the same way
= 2
$ hsel train -q toy.csv --id id -o plain.model
$ hsel predict plain.model new.csv --transform clr
! note: clr added 0.0005 to each abundance
! note: 1 instance has no abundances: shares and log-ratios are missing there; first n3
! hsel: the abundances of new are transformed by clr (pseudo-count 0.0005), those of the training data, toy, are as they were read: prepare them in the same way
= 2
$ hsel convert -q toy.csv --id id --transform log1p -o logs.hsel
$ hsel predict clr.model logs.hsel
! hsel: the abundances of toy are transformed by log1p, those of the training data, toy, are transformed by clr (pseudo-count 0.25): prepare them in the same way, or not at all
= 2
$ hsel train -q logs.hsel -o logs.model
$ hsel convert -q toy.csv --id id --min-prevalence 0.1 -o raw.hsel
$ hsel predict logs.model raw.hsel
! hsel: the abundances of toy are as they were read, those of the training data, toy, are transformed by log1p: prepare them in the same way
= 2
$ hsel predict -q logs.model raw.hsel --transform log1p | wc -l
> 9

# ---- filters are kept, too ----
$ hsel train -q toy.csv --id id --min-prevalence 0.6 --transform clr -o filtered.model
$ hsel predict filtered.model one.csv
> instance	predicted	P(case)	P(control)	selected
> n2	case	0.9999643459409698	3.565405903014249e-05	3
! note: one was prepared as the training data: transform=clr,min-prevalence=0.6
$ hsel predict filtered.model one.csv --min-prevalence 0.5
! hsel: --min-prevalence contradicts the training data, which were prepared by transform=clr,min-prevalence=0.6: omit it, because these data are prepared in the same way
= 2
$ hsel predict filtered.model one.csv --min-support 3
! hsel: --min-support cannot be combined with MODEL: the features are those of the model
= 2

# ---- a sample without any amount ----
$ hsel convert new.csv --id id --no-class --transform relative -o - --to csv
> id,only,more,less,both
> n1,1.2499984375019533e-06,0.12499984375019532,0.24999968750039064,0.6249992187509765
> n2,0,0.125,0.25,0.625
> n3,NA,NA,NA,NA
! note: 1 instance has no abundances: shares and log-ratios are missing there; first n3
$ hsel convert new.csv --id id --no-class --transform clr -o - --to csv
> id,only,more,less,both
> n1,-8.90624366589103,2.201221690958535,2.8943663715278554,3.8106556034046353
> n2,-9.73020288239211,2.4758747631255638,3.169019443694884,4.085308675571664
> n3,NA,NA,NA,NA
! note: clr added 0.0005 to each abundance
! note: 1 instance has no abundances: shares and log-ratios are missing there; first n3
$ hsel convert new.csv --id id --no-class --transform rclr -o - --to csv
> id,only,more,less,both
> n1,-9.210340371976184,2.302585092994046,2.9957322735539904,3.9120230054281455
> n2,-9.903487552536129,-0.7675283643313469,-0.07438118377140235,0.8419095481027528
> n3,NA,NA,NA,NA
! note: 1 instance has no abundances: shares and log-ratios are missing there; first n3
$ hsel convert -q new.csv --id id --no-class --transform log1p -o - --to csv
> id,only,more,less,both
> n1,0.0009995003330835331,4.61512051684126,5.303304908059076,6.2166061010848646
> n2,0,4.61512051684126,5.303304908059076,6.2166061010848646
> n3,0,0,0,0
$ printf 'id,a,b\nx,0,0\ny,0,0.0\nz,0.0,0\n' >nothing.csv; hsel convert nothing.csv --id id --no-class --transform clr -o - --to csv
! hsel: option transform is for numeric features, but there are none
= 2

# ---- shares of rounded numbers add up as these did; logarithms do not fall; ratios do neither ----
file rounded.csv
| id,all,a,b
| i1,5.97,2.99,2.99
| i2,6.01,2.01,3.99
file tree.tsv
| a	all
| b	all
$ hsel check -q rounded.csv --id id --no-class --hierarchy tree.tsv
> ok       structure: 2 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> ok       the totals of 1 feature add up
$ hsel check -q rounded.csv --id id --no-class --hierarchy tree.tsv --transform relative
> ok       structure: 2 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> ok       the totals of 1 feature add up
$ hsel convert -q rounded.csv --id id --no-class --hierarchy tree.tsv --transform relative -o shares.hsel; hsel check -q shares.hsel
> ok       structure: 2 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> ok       the totals of 1 feature add up
$ printf 'i3,5.97,3,3\n' | cat rounded.csv - >broken.csv; hsel check -q broken.csv --id id --no-class --hierarchy tree.tsv --transform relative
> ok       structure: 3 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> problem  1 total of 1 feature are less than what is below them
>   the first: all in instance 3 is 1, and what is below it 1.00503
! hsel: broken.csv: numbers do not add up 1 time; --aggregate sum repairs it
= 1
$ hsel check -q rounded.csv --id id --no-class --hierarchy tree.tsv --transform log1p
> ok       structure: 2 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> ok       no value of 1 feature is less than one below it
$ hsel check -q rounded.csv --id id --no-class --hierarchy tree.tsv --transform clr
> ok       structure: 2 instances, 3 features, 2 edges without a cycle
> ok       the true-path rule holds
> remark   log-ratios and means do not add up, so there are no totals to check

# ---- features that new data lack, and data that were prepared elsewhere ----

file mixed.csv
| id,a,b,age,site,class
| s1,3,1,40,north,case
| s2,5,0,50,south,control
| s3,1,4,30,north,case
| s4,8,2,60,south,control
file lacking.csv
| id,a,b
| n1,3,1
file unknown.csv
| id,a,b,age,site
| n1,3,1,?,?
| n2,3,1,40,north
$ hsel train -q mixed.csv --id id --covariates age,site --transform clr -o mixed.model
$ hsel predict -q mixed.model lacking.csv --features intersect > lacking.txt; hsel predict -q mixed.model unknown.csv | head -2 | cmp - lacking.txt
$ hsel train -q mixed.csv --id id --covariates age,site --transform clr --min-prevalence 0.9 -o rare.model; hsel convert -q mixed.csv --id id --covariates age,site --transform clr -o clr.hsel
$ hsel predict -q rare.model clr.hsel
! hsel: features of the training data, mixed, were left out before clr (pseudo-count 0.5): give mixed as it was before the transformation
= 2
$ hsel train -q clr.hsel -o made.model
$ hsel predict made.model unknown.csv | wc -l
! note: the training data were transformed by clr (pseudo-count 0.5) before they were read; unknown has no record of its preparation and is assumed to be transformed in the same way
> 3

# ---- presence: what is missing stays missing; amounts are not negative ----
$ printf 'id,a,b,class\n1,0.5,0\n2,NA,3\n3,0,NA\n4,2,1\n' | awk -F, 'NR == 1 { print; next } { print $0 "," (NR % 2 ? "p" : "q") }' >holes.csv; sed 's/0.5/-0.5/' holes.csv >negative.csv
$ hsel convert holes.csv --id id --transform presence:0.7 -o - --to csv
> id,a,b,class
> 1,0,0,q
> 2,NA,1,p
> 3,0,NA,q
> 4,1,1,p
! note: 2 features have missing values and stay numeric: 1, 0 or missing
$ hsel convert negative.csv --id id --transform presence -o - --to csv
! hsel: --transform presence needs abundances: feature a has the value -0.5
= 1

# ---- cross-validation learns the pseudo-count in each training set, and says so ----
$ for o in "" "--pseudo-count 0.1"; do hsel eval toy.csv --id id --transform clr $o --folds 2 --classify nb 2>&1 | grep clr; done
> note: clr added 0.25 to each abundance; in cross-validation each training set has its own value
> note: clr added 0.1 to each abundance
# A sample without any amount has nothing present, also where its shares are missing.
$ hsel convert new.csv --id id --no-class --transform relative,presence:0.2 -o - --to csv
> id,only,more,less,both
> n1,0,0,1,1
> n2,0,0,1,1
> n3,0,0,0,0
! note: 1 instance has no abundances: shares and log-ratios are missing there; first n3
