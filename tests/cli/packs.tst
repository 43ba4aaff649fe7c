# Packs that lie or change while they are in use. The hierarchy comes through a pipe, which the program opens when it has the pack.

$ hsel generate -q ontology:instances=20,features=10 -o small.hsel
$ hsel generate -q ontology:instances=100000,features=3000,positives=95 -o large.hsel && [ $(stat -c %s large.hsel) -gt 70000000 ]
$ mkfifo pipe

# A small one is a copy: nothing happens.
$ cp small.hsel s.hsel; hsel convert s.hsel --hierarchy pipe --hierarchy-format edges -q -o - & \
$ exec 3>pipe && truncate -s 100 s.hsel && echo 'T1	T2' >&3 && exec 3>&- && wait $!
> @relation ...
> ...

# A large one is mapped: cut off ...
$ cp large.hsel l.hsel; hsel convert l.hsel --hierarchy pipe --hierarchy-format edges -q -o /dev/null --to arff & \
$ exec 3>pipe && truncate -s 100 l.hsel && echo 'T1	T2' >&3 && exec 3>&- && wait $!
! hsel: l.hsel: changed while it was in use
= 1
# ... overwritten, with or without a fault ...
$ cp large.hsel l.hsel; hsel convert l.hsel --hierarchy pipe --hierarchy-format edges -q -o /dev/null --to arff & \
$ exec 3>pipe && tr '\0' '\377' </dev/zero | dd of=l.hsel bs=1M count=60 iflag=fullblock conv=notrunc status=none && echo 'T1	T2' >&3 && exec 3>&- && wait $!
! hsel: l.hsel: changed while it was in use
= 1
# ... or replaced, as every program should: then the old one goes on being used.
$ cp large.hsel l.hsel; hsel check l.hsel --hierarchy pipe --hierarchy-format edges -q & \
$ exec 3>pipe && mv small.hsel l.hsel && echo 'T1	T2' >&3 && exec 3>&- && wait $!
> ok ...
> ...
