# Names that would command a terminal, fake a line of output or run in a spreadsheet.

$ printf 'a\033[31m,"ok\nok       all is well",\342\200\256rev,class\n1,0,1,=cmd()\n0,1,1,\233no\n1,1,0,=cmd()\n' >esc.csv
$ printf 'a\033[31m\t\342\200\256rev\n' >h.tsv

# For people: written out, one line each.
$ hsel info esc.csv
> esc
>   instances              3
>   features               3
>   positive values        6 (66.67 %)
>   feature support        2 to 2 instances
>   classes                2
>     =cmd()               2 (66.7 %)
>     \x9bno               1 (33.3 %), positive: the smaller class; --positive CLASS changes it
$ hsel check esc.csv --hierarchy h.tsv
> ok       structure: 3 instances, 3 features, 1 edge without a cycle
> problem  the true-path rule is violated 1 time, in 1 instance, at 1 edge
>   instance 3: a\x1b[31m is positive, its parent \u202erev is not
> remark   1 class with fewer than two instances
> remark   1 feature with neither parent nor child
! note: 1 feature is not in the hierarchy and has no parents or children, e.g. ok\x0aok       all is well
! hsel: esc.csv: the true-path rule is violated 1 time; --propagate repairs it
= 1
$ hsel rank esc.csv
> feature                      auc  rank
> a\x1b[31m                      1     1
> ok\x0aok       all is well  0.75     2
> \u202erev                   0.75     3
! note: esc: the positive class is \x9bno, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel explain -q esc.csv --instance 1 | grep -c "$(printf '\033')"
> 0
= 1
$ hsel info esc.csv --class "$(printf 'no\033[1mne')"
! hsel: esc.csv: there is no column no\x1b[1mne
= 2

# For programs: byte by byte ...
$ hsel rank esc.csv --csv | grep -c "$(printf '\033')"
> 1
! note: esc: the positive class is \x9bno, the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
# ... or safe for spreadsheets. Numbers stay.
file formula.csv
| =1+1,-2,@x,"+y,z",class
| 1,0,1,0,-3
| 0,1,0,1,=HYPERLINK(1)
| 1,1,1,1,-3
$ hsel convert formula.csv -o - --to csv --csv-safe
> '=1+1,-2,'@x,"'+y,z",class
> 1,0,1,0,-3
> 0,1,0,1,'=HYPERLINK(1)
> 1,1,1,1,-3
$ hsel rank formula.csv --csv --csv-safe
> feature,auc,rank
> '=1+1,1,1
> '@x,1,2
> -2,0.75,3
> "'+y,z",0.75,4
! note: formula: the positive class is =HYPERLINK(1), the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel rank formula.csv --csv | head -2
> feature,auc,rank
> =1+1,1,1
! note: formula: the positive class is =HYPERLINK(1), the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
$ hsel select formula.csv --select top:k=2 --csv-safe -q
> '=1+1
> '@x
$ hsel rank formula.csv --csv-safe
> feature   auc  rank
> =1+1        1     1
> @x          1     2
> -2       0.75     3
> +y,z     0.75     4
! note: formula: the positive class is =HYPERLINK(1), the smaller one, 1 of 3 instances (33.3 %); --positive CLASS changes it
! note: --csv-safe has no effect: neither CSV nor TSV was written
$ hsel info formula.csv --csv-safe
! hsel: info has no option --csv-safe; see hsel help info
= 2

# A report's CSV is safe of itself, the table of run on request.
file study.yaml
| title: names
| datasets: [{path: plain.csv, name: "=1+1"}]
| selectors: [none]
| classifiers: [nb]
| folds: {count: 2}
file plain.csv
| a,b,class
| 1,0,x
| 0,1,y
| 1,1,x
| 0,0,y
$ hsel run -q study.yaml --store s.db --export - | sed -n 2p
> =1+1,none,nb,...
$ hsel run -q study.yaml --store s.db --export - --csv-safe | sed -n 2p
> '=1+1,none,nb,...
$ hsel report s.db --format csv -o - | sed -n 2p
> '=1+1,none,nb,...
