# Models and selections that cannot be: one plain line each, and nothing is left behind.
file genes.csv
| id,a,b,c,d,e,class
| g1,1,1,0,1,0,yes
| g2,1,1,0,1,0,yes
| g3,1,1,1,0,0,yes
| g4,1,0,1,0,1,no
| g5,1,0,1,0,0,no
| g6,0,0,0,0,1,no
| g7,1,1,0,0,0,yes
| g8,1,0,1,0,1,no
file terms.tsv
| b	a
| c	a
| d	b
file one.csv
| a,b,class
| 1,0,yes
| 0,1,yes
file gap.csv
| a,b,class
| 1,0,?
| 0,1,?
| 0,1,?

$ hsel train genes.csv --id id
! hsel: missing -o MODEL or --show
= 2
$ hsel train genes.csv --id id --select hip -o m.model
! hsel: hip needs a hierarchy, but genes has none: give --hierarchy FILE
= 2
$ hsel train one.csv -o m.model
! hsel: nb needs two classes or more, but one has 1
= 2
$ hsel train gap.csv -o m.model
! hsel: nb needs two classes or more, but gap has 0
= 2
$ hsel train genes.csv --id id --select hop -o m.model
! hsel: there is no selector 'hop'; did you mean 'hip'?
= 2
$ hsel train genes.csv --id id --classify knn:k=0 -o m.model
! hsel: option k takes a whole number from 1 to 1000000, not '0'
= 2
$ hsel train genes.csv --id id --classify forest:bootstrap=false,permutation -o m.model
! note: forest: 1 of 1 fits had too few instances of a class to calibrate probabilities
! hsel: forest:permutation needs bootstrap samples, but bootstrap=false
= 2
$ hsel train genes.csv --id id --classify forest:bootstrap=false,corrected -o m.model
! note: forest: 1 of 1 fits had too few instances of a class to calibrate probabilities
! hsel: forest:corrected needs bootstrap samples, but bootstrap=false
= 2
$ hsel train genes.csv --id id -o nowhere/m.model
! note: nb: 1 of 1 fits had too few instances of a class to calibrate probabilities
! hsel: nowhere/m.model: cannot create: No such file or directory
= 1
$ hsel train -q genes.csv --id id --hierarchy terms.tsv --select rpv -o m.model
$ head -c 200 m.model > cut.model; head -c 20 m.model > stump.model; : > empty.model
$ python3 -c "b=bytearray(open('m.model','rb').read()); b[12]=7; open('later.model','wb').write(b)"
$ python3 -c "b=bytearray(open('m.model','rb').read()); b[-9]^=1; open('flipped.model','wb').write(b)"
$ hsel predict cut.model genes.csv
! hsel: cut.model: the model is truncated: 168 of 420 bytes
= 1
$ hsel predict stump.model genes.csv
! hsel: stump.model: this is not a model: hsel train makes one
= 1
$ hsel predict empty.model genes.csv
! hsel: empty.model: this is not a model: hsel train makes one
= 1
$ hsel predict later.model genes.csv
! hsel: later.model: the model has version 7, but this program reads version 6: train it again
= 1
$ hsel predict flipped.model genes.csv
! hsel: flipped.model: the model is damaged: the checksum is wrong
= 1
$ hsel predict genes.csv genes.csv
! hsel: genes.csv: this is not a model: hsel train makes one
= 1
$ hsel predict nowhere.model genes.csv
! hsel: nowhere.model: cannot open: No such file or directory
= 1
$ hsel predict m.model
! hsel: predict needs MODEL DATA; usage: hsel predict [options] MODEL DATA
= 2
$ hsel predict m.model nowhere.csv
! hsel: nowhere.csv: cannot open: No such file or directory
= 1
$ hsel predict m.model genes.csv -o nowhere/out.tsv
! hsel: nowhere/out.tsv: cannot create: No such file or directory
= 1
$ hsel explain genes.csv --model later.model --instance g1
! hsel: later.model: the model has version 7, but this program reads version 6: train it again
= 1
$ hsel select genes.csv --id id
! hsel: missing --select METHOD; hsel methods lists them
= 2
$ hsel select genes.csv --id id --select rpv
! hsel: rpv needs a hierarchy, but genes has none: give --hierarchy FILE
= 2
$ hsel select one.csv --select rpv --hierarchy terms.tsv
! note: 2 terms of the hierarchy are not features: their children are connected with their parents
! note: the true-path rule is violated 1 time (1 instance, 1 edge), first in instance 2: b is positive, its parent a is not; --propagate repairs it
! hsel: rpv needs two classes or more, but one has 1
= 2
$ hsel select genes.csv --id id --select shsel:threshold=2 --hierarchy terms.tsv
! hsel: option threshold takes a number from -1 to 1, not '2'
= 2
$ hsel select genes.csv --id id --select all-pos -o nowhere/x.tsv
! hsel: nowhere/x.tsv: cannot create: No such file or directory
= 1
# No instances to predict are no predictions.
file nobody.csv
| a,b,c,d,e,id
$ hsel predict m.model nobody.csv --format csv
> instance	predicted	P(no)	P(yes)	selected
# What is awkward and allowed: no feature at all, and none that tells anything.
file bare.csv
| class
| x
| x
| y
file bare.tsv
| child	parent
$ for c in nb knn aode hie-aode hie-aode-lite tan ban hre-tan logistic proximal-graph svm tree forest; do hsel train bare.csv --hierarchy bare.tsv --classify $c -o bare.model -q; hsel predict bare.model bare.csv | awk -v c=$c 'NR == 2 { print c, $2, ($3 > 0.5 && $3 < 1), $NF }'; done
> nb x 1 0
> knn x 1 0
> aode x 1 0
> hie-aode x 1 0
> hie-aode-lite x 1 0
> tan x 1 0
> ban x 1 0
> hre-tan x 1 0
> logistic x 1 0
> proximal-graph x 1 0
> svm x 1 0
> tree x 1 0
> forest x 1 0
