# A data set without classes stays one when it goes through a folder: meta.json says so, since ARFF cannot.
file data.csv
| a,b,c
| 1,0,1
| 0,1,0
$ hsel convert data.csv --no-class -o folder/
$ hsel info folder/
> folder
>   instances              2
>   features               3
>   positive values        3 (50.00 %)
>   feature support        1 to 1 instances
$ grep class folder/meta.json
>   "class": null,
# Asked for by name, a class is taken all the same.
$ hsel info folder/ --class c
> folder
>   instances              2
>   features               2
>   positive values        2 (50.00 %)
>   feature support        1 to 1 instances
>   classes                2
>     0                    1 (50.0 %)
>     1                    1 (50.0 %), positive: its name says so
