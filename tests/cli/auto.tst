# hsel auto: the choice with its estimate, for people and for programs, and what it refuses.
$ hsel generate ontology:instances=90,features=60 --seed 4 -o small.hsel -q
$ hsel auto small.hsel --drop-roots --select none,hip,shsel,cfs --classify nb,knn:k=5 --folds 3 --inner-folds 3 -o small.model
> choice       none with knn:k=5
> estimate     AUROC 59.9 (95 % interval 33.6 to 86.1), mean over 3 outer folds, which took no part in
>              the choices; in the inner folds by which they were chosen the same pipelines have 55.6
> selection    no significant advantage over no selection: the best with selection minus the best
>              without it is +6.8 points (95 % interval -15.4 to +29.0, p = 0.3170, corrected paired
>              t-test over 3 outer folds)
> chance       always predicting the larger class has AUROC 50.0, which is not outside the interval;
>              use --permutations 99 to test it
> stability    chosen in the 3 outer folds: hip with nb 3
>
> selector  classifier  on all data  AUROC  ± se  inner folds  won outer folds
> none      knn:k=5     choice        62.1   5.3            3                0
> hip       nb          close         59.9   6.9            3                3
> hip       knn:k=5     close         58.7   7.6            3                0
> none      nb          close         57.5   6.8            3                0
> shsel     knn:k=5     left          53.1   8.9            2                0
> shsel     nb          left          52.3  10.8            2                0
> cfs       knn:k=5     left          51.6   9.8            2                0
> cfs       nb          left          49.6  13.1            2                0
>
> outer fold  selector  classifier  AUROC inside  AUROC outside  best without selection  best with selection  difference
> 1           hip       nb                  50.7           59.6                    56.0                 59.6        +3.6
> 2           hip       nb                  63.7           53.3                    49.8                 53.3        +3.6
> 3           hip       nb                  52.5           66.7                    53.3                 66.7       +13.3
! note: 1 root dropped: T0000060
! note: ontology: the positive class is 1, 45 of 90 instances (50.0 %)
! note: 9 features are positive in every instance, e.g. T0000013, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! note: the model was trained on all 90 instances; hsel predict uses it
# A blend is one candidate, and the best single pair stands beside it.
$ hsel auto small.hsel --drop-roots -q --select none,hip,shsel --classify nb,blend:members=nb/hip+nb --folds 3 --inner-folds 3
> choice       hip with nb
> estimate     AUROC 56.3 (95 % interval 34.8 to 77.8), mean over 3 outer folds, which took no part in
>              the choices; in the inner folds by which they were chosen the same pipelines have 53.4
> single pair  the choice is a single pair; choosing among single pairs has AUROC 59.9; the blend
>              minus the best single pair is -3.6 points (95 % interval -8.4 to +1.3, p = 0.0878)
> selection    selection helps: the best with selection minus the best without it is +4.1 points (95 %
>              interval +0.1 to +8.2, p = 0.0474, corrected paired t-test over 3 outer folds)
> chance       always predicting the larger class has AUROC 50.0, which is not outside the interval;
>              use --permutations 99 to test it
> stability    chosen in the 3 outer folds: none with blend:members=nb/hip+nb 3
>
> selector  classifier               on all data  AUROC  ± se  inner folds  won outer folds
> hip       nb                       choice        62.0  11.3            2                0
> none      blend:members=nb/hip+nb  close         60.9  11.3            2                3
> none      nb                       close         60.7  10.4            2                0
> shsel     nb                       left          52.3  10.8            2                0
>
> outer fold  selector  classifier               AUROC inside  AUROC outside  best without selection  best with selection  difference  blend
> 1           none      blend:members=nb/hip+nb          50.5           55.8                    56.0                 59.6        +3.6   55.8
> 2           none      blend:members=nb/hip+nb          62.0           51.1                    49.8                 53.3        +3.6   51.1
> 3           none      blend:members=nb/hip+nb          47.8           62.0                    61.3                 66.7        +5.3   62.0
$ hsel auto small.hsel --drop-roots -q --select none,hip,shsel --classify nb,blend:members=nb/hip+nb --folds 3 --inner-folds 3 --json | grep -A 3 single_pair
>   "single_pair": {
>     "selector": "hip",
>     "classifier": "nb",
>     "estimate": {
$ hsel auto small.hsel --drop-roots -q --select hip,shsel --classify nb,blend --list
> selector  classifier  tried
> hip       nb          yes
> hip       blend       no: a blend has selectors of its own: add none to the selectors
> shsel     nb          yes
> shsel     blend       no: a blend has selectors of its own: add none to the selectors
# The same at any number of threads, and without a race that drops anyone.
$ hsel auto small.hsel --drop-roots -q --select none,hip,shsel,cfs --classify nb,knn:k=5 --folds 3 --inner-folds 3 --json --threads 1 > one.json
$ hsel auto small.hsel --drop-roots -q --select none,hip,shsel,cfs --classify nb,knn:k=5 --folds 3 --inner-folds 3 --json --threads 3 | cmp - one.json && echo same
> same
$ hsel auto small.hsel --drop-roots -q --select none,hip,shsel,cfs --classify nb,knn:k=5 --folds 3 --inner-folds 3 --csv --race off
> dataset,selector,classifier,metric,mean,se,inner_folds,end,chosen,close,won_outer_folds
> ontology,none,knn:k=5,auroc,0.6214814814814814,0.052733249572022765,3,stayed,1,1,0
> ontology,hip,nb,auroc,0.5985185185185186,0.06886897362470788,3,stayed,0,1,3
> ontology,hip,knn:k=5,auroc,0.5866666666666667,0.0758165427076977,3,stayed,0,1,0
> ontology,none,nb,auroc,0.5748148148148148,0.06819644021620093,3,stayed,0,1,0
> ontology,shsel,nb,auroc,0.5325925925925926,0.06291065365210828,3,stayed,0,0,0
> ontology,cfs,knn:k=5,auroc,0.5148148148148148,0.05645688596234436,3,stayed,0,0,0
> ontology,shsel,knn:k=5,auroc,0.514074074074074,0.05407407407407406,3,stayed,0,0,0
> ontology,cfs,nb,auroc,0.5118518518518519,0.0774313271566493,3,stayed,0,0,0
# The model is one.
$ hsel predict small.model small.hsel --drop-roots -q | head -2
> instance	predicted	P(0)	P(1)	selected
> 1	0	0.559063054271687	0.44093694572831293	59
$ hsel explain small.hsel --drop-roots --model small.model --instance 1 -q | head -3
> instance   number 1 of ontology
> class      0
> predicted  0, P = 0.5591 (1 0.4409)
$ hsel explore small.hsel --drop-roots --model small.model --json -o small.json -q && head -c 1 small.json; echo
> {
# What there is to try, and what is left out.
$ hsel auto small.hsel --drop-roots --list -q
> selector  classifier  tried
> none      nb          yes
> none      knn:k=15    yes
> none      svm         yes
> none      forest      yes
> none      blend       yes
> hip       nb          yes
> hip       knn:k=15    yes
> hip       svm         no: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
> hip       forest      no: hip selects features for each instance separately, but forest cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
> rpv       nb          yes
> rpv       knn:k=15    yes
> rpv       svm         no: rpv selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
> rpv       forest      no: rpv selects features for each instance separately, but forest cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
> shsel     nb          yes
> shsel     knn:k=15    yes
> shsel     svm         yes
> shsel     forest      yes
> tsel      nb          yes
> tsel      knn:k=15    yes
> tsel      svm         yes
> tsel      forest      yes
> gtd       nb          yes
> gtd       knn:k=15    yes
> gtd       svm         yes
> gtd       forest      yes
> fdr       nb          yes
> fdr       knn:k=15    yes
> fdr       svm         yes
> fdr       forest      yes
> cfs       nb          yes
> cfs       knn:k=15    yes
> cfs       svm         yes
> cfs       forest      yes
$ hsel auto small.hsel --no-hierarchy --list -q --classify nb
> selector  classifier  tried
> none      nb          yes
> hip       nb          no: hip needs a hierarchy, but ontology has none: give --hierarchy FILE
> rpv       nb          no: rpv needs a hierarchy, but ontology has none: give --hierarchy FILE
> shsel     nb          no: shsel needs a hierarchy, but ontology has none: give --hierarchy FILE
> tsel      nb          no: tsel needs a hierarchy, but ontology has none: give --hierarchy FILE
> gtd       nb          no: gtd needs a hierarchy, but ontology has none: give --hierarchy FILE
> fdr       nb          no: fdr needs a hierarchy, but ontology has none: give --hierarchy FILE
> cfs       nb          yes
# Permutations, repeats, other metrics; lower is better in some.
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 9 --repeats 2 --inner-repeats 2 --metric log-loss
> choice       shsel with nb
> estimate     Log-loss 69.8 (95 % interval 67.6 to 71.9), mean over 6 outer folds, which took no part
>              in the choices; in the inner folds by which they were chosen the same pipelines have
>              69.9
> selection    no significant advantage over no selection: the best with selection minus the best
>              without it is +0.8 points (95 % interval -0.6 to +2.3, p = 0.2040, corrected paired
>              t-test over 6 outer folds)
> chance       not significantly better than chance: p = 0.7000 with the whole procedure on permuted
>              classes (6 of 9 permutations as good or better); always predicting the larger class has
>              Log-loss 69.3
> stability    chosen in the 6 outer folds: none with nb 4, shsel with nb 2
>
> selector  classifier  on all data  Log-loss  ± se  inner folds  won outer folds
> shsel     nb          choice           70.3   0.5            6                2
> none      nb          behind           70.8   0.6            6                4
>
> outer fold  selector  classifier  Log-loss inside  Log-loss outside  best without selection  best with selection  difference
> 1.1         none      nb                     69.8              68.4                    68.4                 69.3        +0.9
> 1.2         shsel     nb                     69.0              71.3                    69.7                 71.3        +1.6
> 1.3         shsel     nb                     70.4              69.3                    69.3                 69.3        +0.0
> 2.1         none      nb                     70.1              70.4                    70.4                 71.9        +1.5
> 2.2         none      nb                     68.3              69.9                    69.9                 70.8        +1.0
> 2.3         none      nb                     71.6              69.3                    69.3                 69.3        +0.0
# A checkpoint: the same again, and going on with more permutations.
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 2 --checkpoint run.auto > first.txt
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 2 --checkpoint run.auto | cmp - first.txt && echo same
> same
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 5 --checkpoint run.auto > more.txt
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 5 | cmp - more.txt && echo same
> same
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 4 --checkpoint run.auto
! hsel: run.auto belongs to another run (data, candidates, options or seed differ): give another file, or delete it to start again
= 2
$ hsel auto small.hsel -q --select none --classify nb --checkpoint small.model
! hsel: small.model is damaged or not a checkpoint of auto: delete it to start again
= 1
# A budget: with time enough nothing changes, and without it this is said.
$ hsel auto small.hsel --drop-roots -q --select none,shsel --classify nb --folds 3 --inner-folds 3 --permutations 2 --budget 1h | cmp - first.txt && echo same
> same
$ hsel auto small.hsel -q --budget 0.000001s
! hsel: no candidate was reached within the budget
= 2
# Only with selection: there is nothing to compare.
$ hsel auto small.hsel --drop-roots -q --select shsel --classify nb --folds 3 --inner-folds 3 | grep selection | head -1
> selection    no comparison with no selection: this needs candidates of both kinds
# Mistakes.
$ hsel auto small.hsel --metric auroq -q
! hsel: there is no metric 'auroq'; did you mean 'auroc'?
= 2
$ hsel auto small.hsel --metric rmse -q
! hsel: the metric rmse is for numeric targets, but ontology has classes
= 2
$ hsel auto small.hsel --select nothing
! hsel: there is no selector 'nothing'; there are: none, ...
= 2
$ hsel auto small.hsel --select none,none --classify nb -q
! hsel: none occurs twice among the selectors
= 2
$ hsel auto small.hsel --select hip --classify svm -q
! hsel: hip selects features for each instance separately, but svm cannot predict with part of its features: use nb or knn, or an eager selector such as shsel
= 1
$ hsel auto small.hsel --json --csv
! hsel: --json cannot be combined with --csv
= 2
$ hsel auto small.hsel --list --json
! hsel: --list cannot be combined with --json: it runs nothing
= 2
$ hsel auto small.hsel --race 2
! hsel: --race takes a level above 0 and up to 0.5, or off, not '2'
= 2
$ hsel auto small.hsel --race never
! hsel: --race takes a level above 0 and up to 0.5, or off, not 'never'
= 2
$ hsel auto small.hsel --budget soon
! hsel: --budget takes a time such as 90s, 10m or 2h, not 'soon'
= 2
$ hsel auto small.hsel --budget 0m
! hsel: --budget takes a time such as 90s, 10m or 2h, not '0m'
= 2
$ hsel auto small.hsel --rank-by probability --metric gm
! hsel: --rank-by affects only auroc and auprc, but --metric is gm
= 2
$ hsel auto small.hsel -o -
! hsel: --output - is not possible: the result goes to standard output
= 2
$ hsel auto small.hsel --checkpoint -
! hsel: --checkpoint - is not possible: the file is read again
= 2
$ hsel auto small.hsel -o small.hsel
! hsel: small.hsel would be overwritten, but it is also read: give the output another name
= 2
$ hsel auto small.hsel --folds 1
! hsel: option folds takes a whole number from 2 to 1000, not '1'
= 2
$ hsel auto small.hsel --folds 46 -q
! hsel: class 0 of ontology has 45 instances, too few for 46 outer folds with 5 inner folds each: take fewer folds, or leave the class out
= 2
$ hsel auto small.hsel --folds 10 --inner-folds 42 -q
! hsel: class 0 of ontology has 45 instances, too few for 10 outer folds with 42 inner folds each: take fewer folds, or leave the class out
= 2
# A class that is too small for all folds is said, as long as another one is in all of them.
$ (echo id,a,b,class; for i in $(seq 30); do echo i$i,$((i % 2)),$((i % 3 == 0)),common; done; echo j1,1,1,rare; echo j2,1,1,rare) >rare.csv
$ hsel auto rare.csv --select none --classify nb --inner-folds 3 | head -4
> choice       none with nb
> estimate     AUROC 87.5 (95 % interval 22.7 to 100.0), mean over 2 of 5 outer folds, which took no
>              part in the choices; in the inner folds by which they were chosen the same pipelines
>              have 83.8
! note: rare: the positive class is rare, the smaller one, 2 of 32 instances (6.2 %); --positive CLASS changes it
! note: auto: 1 of 2 classes are missing in some folds, with too few instances for 5 outer and 3 inner folds; rare has 2
! note: nb: 5 of 5 fits had too few instances of a class to calibrate probabilities
$ hsel auto small.hsel --no-class -q
! hsel: cross-validation needs two classes or more, but ontology has 0
= 2
file one.csv
| a,b,class
| 1,0,yes
| 0,1,yes
$ hsel auto one.csv
! hsel: cross-validation needs two classes or more, but one has 1
= 2
file number.csv
| a,b,age
| 1,0,3.5
| 0,1,4.5
| 1,1,9
$ hsel auto number.csv --target age
! hsel: the automatic choice is for classes, but the target of number is a number
= 2
$ hsel auto
! hsel: auto needs DATA; usage: hsel auto [options] DATA
= 2
