# Things on a command line that used to be taken in silence.

file data.csv
| id,a,b,class,notes
| i1,1,0,yes,x
| i2,0,1,no,y
| i3,1,1,yes,x
| i4,0,0,no,y

# The last column is the class; another one does not take its place unasked.
$ hsel info -q data.csv --ignore notes
! hsel: data.csv: --ignore leaves out the last column, notes, which is the class: choose another with --class NAME, or none with --no-class
= 2
$ hsel info -q data.csv --ignore class --class notes | sed -n '2,8p'
>   instances              4
>   features               2
>   positive values        4 (50.00 %)
>   feature support        2 to 2 instances
>   classes                2
>     x                    2 (50.0 %)
>     y                    2 (50.0 %), positive: the second of two of the same size; --positive CLASS changes it
$ hsel info -q data.csv --ignore notes --class class | grep -A2 classes
>   classes                2
>     no                   2 (50.0 %)
>     yes                  2 (50.0 %), positive: its name says so
$ hsel info -q data.csv --ignore notes,class --no-class | sed -n '2,3p'
>   instances              4
>   features               2
$ hsel convert -q data.csv --ignore notes --class class -o data.hsel

# One value, given twice.
$ hsel info data.csv --class class --class notes
! hsel: --class is given twice
= 2
$ hsel train data.hsel --select none --classify nb --select rpv -o x.model
! hsel: --select is given twice
= 2
$ hsel convert data.hsel -o a.csv --output b.csv
! hsel: --output is given twice
= 2
$ hsel info data.hsel --ignore a --ignore b | sed -n '2,3p'
>   instances              4
>   features               0

# No file and no folder is called -.
$ hsel select data.hsel --select ga:generations=2 --checkpoint -
! hsel: --checkpoint - is not possible: the file is read again
= 2
$ hsel report data.hsel --charts -
! hsel: --charts - is not possible: it takes a folder
= 2
# An option of a method that is given twice, a class that is misspelt, and data without features.
file twice.csv
| a,class
| 1,yes
| 0,no
| 1,yes
| 0,no
$ hsel eval twice.csv --classify knn:k=3,k=5
! hsel: option k of knn is given twice
= 2
$ hsel eval twice.csv --positive yess
! hsel: twice.csv: there is no class 'yess' to use as the positive class; did you mean 'yes'? (classes: no, yes)
= 2
$ hsel eval twice.csv --min-support 3 --folds 2 --metrics accuracy
> data set  selector  classifier  Accuracy  selected %  seconds
> twice     none      nb              50.0        0.00   ...
! note: 1 feature was dropped: positive in too few instances
! note: twice: the positive class is yes, 2 of 4 instances (50.0 %)
! note: twice has no features: every prediction follows the class sizes alone
! note: twice: none with nb never predicts yes correctly; for rare classes see weights=balanced and threshold=gm

# One stream is one file, whatever the command.
$ echo a | hsel eval - -
! hsel: only one file can be standard input
= 2
$ echo a | hsel build --hierarchy - --annotations - --labels x -o out
! hsel: only one file can be standard input
= 2
