# What tests/docs/check.py refuses: commands of a document that fail, where no error is meant, and errors that do not happen.

file fails.md
| ```sh
| hsel info data/rpv/CE-BP >/dev/null
| hsel info nowhere.csv
| ```
| ```sh not run: for the test
| hsel info nowhere.csv
| ```
| ```console
| $ hsel info nowhere.csv | head -n 3
| hsel: nowhere.csv: cannot open: No such file or directory
| ```
| ```console error
| $ hsel info nowhere.csv
| hsel: nowhere.csv: cannot open: No such file or directory
| ```
| ```console error
| $ hsel version >/dev/null
| ```
$ python3 "$TESTS/docs/check.py" "$HSEL" fails.md
> .../fails.md:3: exit code 1: hsel info nowhere.csv
>     hsel: nowhere.csv: cannot open: No such file or directory
> .../fails.md:9: exit code 0 and an error that is not marked (```console error): hsel info nowhere.csv | head -n 3
>     hsel: nowhere.csv: cannot open: No such file or directory
> .../fails.md:16: no command fails in this block of errors
= 1
