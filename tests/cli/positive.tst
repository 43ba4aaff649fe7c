# The positive class: named, else by its label, else the smaller one, else the second; every format keeps a name, or a note says how to.

file sick.csv
| a,b,class
| 1,0,cancer
| 0,1,healthy
| 0,1,healthy
| 0,0,healthy
| 1,1,cancer

file words.csv
| a,class
| 1,yes
| 0,no
| 1,yes

file tie.csv
| a,class
| 1,x
| 0,y

$ hsel info sick.csv | grep -A2 classes
>   classes                2
>     cancer               2 (40.0 %), positive: the smaller class; --positive CLASS changes it
>     healthy              3 (60.0 %)
$ hsel info words.csv | grep '%), p'
>     yes                  2 (66.7 %), positive: its name says so
$ hsel info tie.csv | grep '%), p'
>     y                    1 (50.0 %), positive: the second of two of the same size; --positive CLASS changes it
$ for pair in 0,1 1,0 -1,+1 false,TRUE neg,Pos control,case absent,present n,y 1,2 2,1 n,t; do printf "f,class\n0,${pair%,*}\n1,${pair#*,}\n1,${pair#*,}\n" >p.csv; hsel info p.csv | grep -o '[^ ]* .*positive: [a-z]*'; done
>     1                    2 (66.7 %), positive: its
>     1                    1 (33.3 %), positive: its
>     +1                   2 (66.7 %), positive: its
>     TRUE                 2 (66.7 %), positive: its
>     Pos                  2 (66.7 %), positive: its
>     case                 2 (66.7 %), positive: its
>     present              2 (66.7 %), positive: its
>     y                    2 (66.7 %), positive: its
>     1                    1 (33.3 %), positive: the
>     2                    1 (33.3 %), positive: the
>     n                    1 (33.3 %), positive: the
$ hsel eval sick.csv --folds 2 2>&1 >scores | grep positive
> note: sick: the positive class is cancer, the smaller one, 2 of 5 instances (40.0 %); --positive CLASS changes it; by chance AUPRC is 40.0

# A name is kept by packs, folders, ARFF and SVMlight; CSV, TSV and Matrix Market cannot hold it.
$ for f in p.hsel f/ a.arff s.svm; do hsel convert -q sick.csv --positive healthy -o $f; hsel info $f | grep '%), p'; done
>     healthy              3 (60.0 %), positive: named by the data
>     healthy              3 (60.0 %), positive: named by the data
>     healthy              3 (60.0 %), positive: named by the data
>     healthy              3 (60.0 %), positive: named by the data
$ grep positive a.arff
> % positive class: healthy
$ hsel convert p.hsel -o c.csv
! note: c.csv does not record that healthy is the positive class: read it with --positive healthy
$ hsel convert a.arff -o m.mtx
! note: m.mtx does not record that healthy is the positive class: read it with --positive healthy
$ hsel convert sick.csv -o c.csv

# A model keeps it, whatever the shares in the file that is predicted.
file many.csv
| a,b,class
| 1,0,cancer
| 1,1,cancer
| 1,0,cancer
| 0,1,healthy

$ hsel train -q sick.csv --classify nb -o m.model
$ hsel explain --model m.model many.csv --instance 1 --json | grep positive_class
>   "positive_class": "cancer",
! note: sick: the positive class is cancer, 2 of 5 instances (40.0 %)
$ hsel info many.csv | grep '%), p'
>     healthy              1 (25.0 %), positive: the smaller class; --positive CLASS changes it
