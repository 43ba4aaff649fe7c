# Hierarchies that are one long chain: nothing takes time or room by the square of their length.

$ awk 'BEGIN { for (i = 0; i < 10; i++) { printf "%d", i % 2; for (j = 1; j <= (i % 2 ? 20000 : 10000); j++) printf " %d:1", j; print "" } }' >chain.svm
$ awk 'BEGIN { for (j = 1; j < 20000; j++) print "f" j + 1 "\tf" j }' >chain.tsv
$ hsel info chain.svm --hierarchy chain.tsv | grep ancestors
>   ancestors in total     199,990,000
$ hsel explain chain.svm --hierarchy chain.tsv --instance 1 | sed -n '/^hierarchy/,$p'
> hierarchy (* selected)
> * f1 = 1  -0.028
>   * f2 = 1  -0.028
>     * f3 = 1  -0.028
>       … 19993 terms …
>         * f19997 = 0  +1.764
>           * f19998 = 0  +1.764
>             * f19999 = 0  +1.764
>               * f20000 = 0  +1.764
! note: 10000 features are positive in every instance, e.g. f1, and tell nothing; mr and others may keep them in place of features that do: --drop-roots leaves out roots, --ignore NAME others
! note: chain: the positive class is 1, 5 of 9 instances (55.6 %)
$ head -n 29 chain.tsv >short.tsv; cut -d ' ' -f 1-31 chain.svm | sed '1s/ 20:1.*//;2s/ 30:1//' >short.svm
$ hsel explain short.svm --hierarchy short.tsv --instance 1 | sed -n '/^hierarchy/,$p' | wc -l
> 9
! note: 19 features are positive in every instance, e.g. f1, and tell nothing; mr and others may keep them in place of features that do: --drop-roots leaves out roots, --ignore NAME others
! note: short: the positive class is 1, 5 of 9 instances (55.6 %)
$ hsel explain short.svm --hierarchy short.tsv --instance 1 --whole | sed -n '/^hierarchy/,$p' | tail -n 1
>                                                           * f30 = 0  -0.539
! note: 19 features are positive in every instance, e.g. f1, and tell nothing; mr and others may keep them in place of features that do: --drop-roots leaves out roots, --ignore NAME others
! note: short: the positive class is 1, 5 of 9 instances (55.6 %)
$ hsel explain chain.svm --hierarchy chain.tsv --instance 1 --whole --json
! hsel: --whole is for the text that explains an instance: JSON and drawings are whole anyway
= 2

# Diamonds below each other: no chains, and yet as deep.
$ awk 'BEGIN { for (j = 1; j < 19999; j += 3) { print "f" j + 1 "\tf" j; print "f" j + 2 "\tf" j; print "f" j + 3 "\tf" j + 1; print "f" j + 3 "\tf" j + 2 } }' >diamonds.tsv
$ hsel explain -q chain.svm --hierarchy diamonds.tsv --instance 1 | sed -n '/^hierarchy/,$p' >shown; sed -n 1,5p shown; tail -n 1 shown; wc -l <shown
> hierarchy (* selected)
> * f1 = 1  -0.028
>   * f2 = 1  -0.028
>     * f4 = 1  -0.028
>       * f5 = 1  -0.028
> and 19500 more terms
> 502
