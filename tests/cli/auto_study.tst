# The automatic choice in a study: the same choices as hsel auto, jobs like others, the report, what is refused.

$ hsel generate ontology:instances=120,features=60,positives=10 --seed 3 -o one.hsel -q; hsel generate ontology:instances=90,features=40,positives=8 --seed 4 -o two.hsel -q
file auto.yaml
| datasets: [one.hsel, two.hsel]
| selectors: [none, hip, shsel]
| classifiers: [nb, "knn:k=5", svm]
| folds: {count: 3, repeats: 2}
| metrics: [auroc, gm]
| auto: [{}, {label: by GM, metric: gm, race: 0}]
$ hsel run auto.yaml --dry-run
> data set  jobs  done  failed  left out  to do
> one         60     0       0         0     60
> two         60     0       0         0     60
> all        120     0       0         0    120
! note: 1 of 9 pairs is left out, because they cannot be combined: hip with svm (...)
$ hsel run -q auto.yaml --threads 3 2>&1 | sed -n 2,5p
>   done now             120  in ... per second, ...
>   done before            0
$ hsel run -q auto.yaml --threads 1 --store again.db >/dev/null 2>&1; for store in auto again; do hsel report $store.db --format text | sed -n '/^Automatic/,/^Stability\|^Run times/p' > $store.txt; done; cmp auto.txt again.txt && echo same
> same
$ grep -c "^auto: chosen within\|^by GM: chosen within" auto.txt
> 2
file chosen.py
| import sqlite3
| for row in sqlite3.connect("auto.db").execute("""
|         SELECT j.chosen FROM unit u JOIN job j ON j.unit = u.id JOIN uses n ON n.dataset = u.dataset JOIN text t ON t.id = u.selector
|         WHERE n.name = 'one' AND t.text LIKE 'auto:metric=auroc%' ORDER BY u.seed, u.fold"""):
|     print(["none", "hip", "shsel"][(row[0] - 1) // 3], "with", ["nb", "knn:k=5", "svm"][(row[0] - 1) % 3])
$ python3 chosen.py > study.txt
$ hsel auto -q one.hsel --select none,hip,shsel --classify nb,knn:k=5,svm --folds 3 --repeats 2 | sed -n '/^outer fold/,$p' | awk 'NR > 1 {print $2 " with " $3}' | cmp - study.txt && wc -l < study.txt
> 6
$ sed 's/{}/{metric: rmse}/' auto.yaml > bad.yaml; hsel run bad.yaml --store bad.db 2>&1 | grep "the metric rmse"
>     one, auto:metric=rmse,...: the metric rmse is for numeric targets, but one has classes (12 jobs, on this and other data sets)
$ sed 's/label: by GM, //' auto.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:6: another automatic choice is called 'auto': give one of them a label
= 2
$ sed 's/hip, shsel//; s/, "knn:k=5", svm//' auto.yaml > bad.yaml; hsel run bad.yaml
! hsel: bad.yaml:6: 'auto' chooses among selectors and classifiers, and there is one pair
= 2
$ hsel check auto.db
> ok       ...
