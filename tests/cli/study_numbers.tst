# Studies of numeric targets: what is kept and shown is what hsel eval says.
file people.csv
| id,a,b,c,d,dose,sex,age
| r1,1,0,1,0,0.5,m,31
| r2,1,1,0,0,1.5,f,42
| r3,1,1,0,1,2.0,m,35
| r4,0,0,0,1,0.1,f,23
| r5,0,1,1,1,0.3,m,29
| r6,1,0,0,0,2.5,f,51
| r7,1,0,1,1,2.2,m,47
| r8,0,0,1,0,0.4,f,20
file ages.yaml
| name: ages
| datasets:
|   - {path: people.csv, target: age, prepare: {id: id, ignore: [sex, a], covariates: dose}}
| selectors: [none, "top:by=spearman,k=2"]
| classifiers: ["knn:k=2", "forest:trees=20"]
| folds: {count: 4, repeats: 2}
$ hsel run -q ages.yaml --export ages.csv && cut -d, -f1-4 ages.csv | sort -u | head -4
> ages in ages.db
> ...
> dataset,selector,classifier,metric
> people,"top:by=spearman,k=2",forest:trees=20
> people,"top:by=spearman,k=2",knn:k=2
> people,none,forest:trees=20,r2
$ hsel eval -q people.csv --target age --id id --ignore sex,a --covariates dose --folds 4 --repeats 2 --select none,top:by=spearman,k=2 --classify knn:k=2 --classify forest:trees=20 --json >eval.json
$ python3 -c "import csv, json; e = {(r['selector'], r['classifier']): r['metrics'] for r in json.load(open('eval.json'))}; print({abs(float(r['pooled']) - e[r['selector'], r['classifier']][r['metric']]['pooled']) < 1e-12 for r in csv.DictReader(open('ages.csv'))})"
> {True}
# The report has the metrics of numbers, and neither curves nor confusion.
$ hsel report ages.db --format text | grep -A 6 "^RMSE with knn"
> RMSE with knn:k=2
> data set       none  top:by=spearman,k=2
> people        ...
> ...
$ hsel report ages.db --format text | grep "age 20"
> people    age 20 to 51, mean 34.75, sd 11.1451          8         4       59.38      –      –        –          –
$ hsel report -q ages.db -o page.html --charts charts && ls charts/*.svg && grep -c "Confusion of\|ROC curves" page.html
> charts/compression-1.svg
> charts/compression-2.svg
> charts/predicted-1-1.svg
> charts/predicted-1-2.svg
> charts/times.svg
> 0
= 1
$ hsel report -q ages.db -o curves.csv && head -2 curves.csv && wc -l <curves.csv
> dataset,selector,classifier,curve,x,y,se,count
> people,none,knn:k=2,predicted,31,...,,2
> 33
$ hsel report ages.db --metric auroc
! hsel: ages.db: auroc is for classes, but all data sets have a numeric target
= 2
# One study of both kinds has the metrics of both.
$ sed 's/^  - /  - {path: people.csv, name: sexes, prepare: [id=id, class=sex]}\n  - /' ages.yaml >both.yaml && hsel run -q both.yaml --store ages.db && hsel report ages.db --format text | grep -c "^GM with\|^RMSE with"
> ages in ages.db
> ...
> 4
# The chart of a sweep of log-loss goes beyond 1.
$ sed 's/^name.*/name: log/;s/^  - .*/  - {path: people.csv, prepare: [id=id, class=sex]}/;s/selectors: .*/selectors: ["top:k={1,2,3}"]/;s/"knn:k=2", /nb, /' ages.yaml >log.yaml
$ hsel run -q log.yaml >run.log && hsel report -q log.db -o log.html --charts log --metric log-loss && grep -o '>[0-9-]*</text>' log/sweep-1-1.svg | paste -sd ' '
> >1</text> >2</text> >3</text> >40</text> >60</text> >80</text> >100</text> >120</text>
# Long names of data sets and methods are cut in tables, and whole in tooltips.
$ awk 'BEGIN { for (i = 0; i < 50; i++) x = x "long"; print "s/sexes/" x "/;s/\\[none,/[{method: none, label: " x "},/;s/^name: .*/name: cut/" }' > cut.sed
$ sed -f cut.sed both.yaml > cut.yaml; hsel run -q cut.yaml > run.log && hsel report -q cut.db -o cut.html && grep -o '<t[hd] scope="[a-z]*" title="\(long\)*"><span class="cut">\(long\)*</span>' cut.html | cut -c1-40 | sort -u
> <th scope="col" title="longlonglonglongl
> <th scope="row" title="longlonglonglongl
# What contradicts.
$ sed 's/id: id/target: dose/' ages.yaml >wrong.yaml; hsel run wrong.yaml
! hsel: wrong.yaml:3: 'target' was given before, in 'prepare'
= 2
$ sed 's/id: id/class: sex/' ages.yaml >wrong.yaml; hsel run wrong.yaml
! hsel: wrong.yaml:3: 'target' and a class cannot be combined: predict either a number or a class
= 2
$ sed 's/ignore: .sex, a./ignore: "sex,a"/' ages.yaml >wrong.yaml; hsel run wrong.yaml
! hsel: wrong.yaml:3: a comma in 'ignore': sex,a; give a list
= 2
$ sed 's/ignore/ignroe/' ages.yaml >wrong.yaml; hsel run wrong.yaml
! hsel: wrong.yaml:3: there is no key 'ignroe' in 'prepare'; did you mean 'ignore'?
= 2
$ echo "metrics: [rmse, gm]" >>ages.yaml && hsel run ages.yaml
! hsel: ages.yaml:7: gm is for classes, but all data sets have a numeric target
= 2
