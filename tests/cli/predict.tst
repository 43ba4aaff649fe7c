# Predictions by score. Of 60 equal features of naive Bayes, each adds ln 4 to the log-odds where it is present and -ln 4 where it is not, so that
# the probabilities of n1, n2 and n4 are 1 and their scores 60, 58 and 56 times ln 4.
$ row() { awk -v n=$1 -v p=$2 -v c=$3 'BEGIN { printf "%s", n; for (f = 0; f < 60; f++) printf ",%d", f < p; print "," c }'; }; \
$ head() { awk 'BEGIN { printf "id"; for (f = 0; f < 60; f++) printf ",f%d", f; print ",class" }'; }; \
$ (head; for i in 1 2 3; do row y$i 60 yes; row n$i 0 no; done) > train.csv; \
$ (head; row n1 58 ''; row n2 59 yes; row n3 0 ''; row n4 60 ''; row n5 58 '') > new.csv
$ hsel train -q train.csv --id id -o m.model --classify nb:calibration=none
$ hsel predict m.model new.csv --top 4 | awk 'NR > 1 { $5 = sprintf("%.9f", $5 / log(4)); $6 = sprintf("%.9f", $6 / log(4)) } 1' OFS='\t'
> instance	predicted	P(no)	P(yes)	score(no)	score(yes)	selected
> n4	yes	7.5231638452617054e-37	1	-60.000000000	60.000000000	60
> n2	yes	1.2037062152418647e-35	1	-58.000000000	58.000000000	60
> n1	yes	1.9259299443869979e-34	1	-56.000000000	56.000000000	60
> n5	yes	1.9259299443869979e-34	1	-56.000000000	56.000000000	60
! note: sorted by the score of class yes
# Only those without class, all of them; and by the other class.
$ hsel predict m.model new.csv --unlabelled --sort | cut -f 1,2,4
> instance	predicted	P(yes)
> n4	yes	1
> n1	yes	1
> n5	yes	1
> n3	no	7.5231638452617054e-37
! note: sorted by the score of class yes
! note: 4 of 5 instances have no class
$ hsel predict -q m.model new.csv --positive no --top 1 | cut -f 1,2
> instance	predicted
> n3	no
$ hsel predict -q m.model new.csv --top 1 --json --selected | grep -o '"id.*"f0"'
> "id": "n4", "predicted": "yes", "probabilities": {"no": 7.5231638452617054e-37, "yes": 1}, "scores": {"no": -83.17766166719356, "yes": 83.17766166719356}, "selected": 60, "features": {"f0"
$ hsel predict -q m.model new.csv --scores | cut -f 1-4
> instance	predicted	P(no)	P(yes)
> n1	yes	1.9259299443869979e-34	1
> n2	yes	1.2037062152418647e-35	1
> n3	no	1	7.5231638452617054e-37
> n4	yes	7.5231638452617054e-37	1
> n5	yes	1.9259299443869979e-34	1
# More than there are; and none.
$ hsel predict -q m.model new.csv --top 9 | wc -l
> 6
$ hsel predict -q m.model train.csv --id id --unlabelled --sort
> instance	predicted	P(no)	P(yes)	score(no)	score(yes)	selected
# Of positives and unlabelled instances, those that are unlabelled or have no class.
file pu.csv
| id,a,b,class
| y1,1,1,yes
| y2,1,1,yes
| y3,1,0,yes
| u1,0,0,unlabelled
| u2,0,1,unlabelled
| u3,0,0,unlabelled
file newer.csv
| id,a,b,class
| n1,0,1,unlabelled
| n2,1,1,yes
| n3,1,0,
| n4,1,1,unlabelled
$ hsel train -q pu.csv --id id -o pu.model --classify nb:calibration=none
$ hsel predict pu.model newer.csv --unlabelled --sort | cut -f 1,2
> instance	predicted
> n4	yes
> n3	yes
> n1	unlabelled
! note: sorted by the score of class yes
! note: 3 of 4 instances are unlabelled
# What is not possible.
$ hsel predict m.model new.csv --positive no
! hsel: --positive requires --sort or --top: the classes are those of the model
= 2
$ hsel predict m.model new.csv --sort --positive maybe
! hsel: there is no class 'maybe' to use as the positive class (classes: no, yes)
= 2
file three.csv
| x,class
| 1,a
| 0,b
| 1,c
$ hsel train -q three.csv -o three.model
$ hsel predict three.model three.csv --sort
! hsel: the model has 3 classes: --positive CLASS chooses the one to sort by
= 2
$ hsel predict -q three.model three.csv --sort --positive b | cut -f 1 | head -2
> instance
> 2
file number.csv
| x,size
| 3.1,3.5
| 1.2,1.5
| 4.4,4.5
| 0.3,0.5
$ hsel train -q number.csv --target size --classify knn:k=1 -o number.model
$ hsel predict -q number.model number.csv --top 3
> instance	predicted	selected
> 3	4.5	1
> 1	3.5	1
> 2	1.5	1
$ hsel predict number.model number.csv --scores
! hsel: the model predicts a number, which is its own score: leave out --scores
= 2
$ hsel predict number.model number.csv --sort --positive a
! hsel: the model predicts a number: --positive is not possible
= 2
