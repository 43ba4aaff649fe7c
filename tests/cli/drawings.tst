# Drawings for Graphviz: labels of terms and instances above their identifiers, on a few short lines.

file genes.csv
| id,a,b,c,class
| g1,1,1,0,yes
| g2,1,1,0,yes
| g3,1,0,1,no
| g4,1,0,0,no
file terms.csv
| b,a
| c,a
file names.csv
| id,label
| b,"the ""quoted"" \N of <script>alert(1)</script> &lt; and much else that nobody reads"
| c,positiveregulationofeverythingthereis ä
file symbols.csv
| id,label
| g4,aak-2
$ hsel explain -q genes.csv --id id --hierarchy terms.csv --labels names.csv --instance-labels symbols.csv --instance g4 --dot - | grep label=
>   label="aak-2\ng4: yes (P = 0.587)\nblue speaks for it, orange against it, grey is not selected; dashed: negative";
>   n0 [label="a = 1\n+0.118", fillcolor="#deebf7", style="filled", penwidth=2];
>   n1 [label="the \"quoted\" \\N of\n<script>alert(1)</sc\nript> &amp;lt; and much…\nb = 0\n-0.981", fillcolor="#fdbe85", style="filled,dashed", penwidth=2];
>   n2 [label="positiveregulationof\neverythingthereis ä\nc = 0\n+0.811", fillcolor="#9ecae1", style="filled,dashed", penwidth=2];
$ hsel train -q genes.csv --id id --labels names.csv --classify tree --show --dot - | grep '\[label'
>     n0 [label="the \"quoted\" \\N of\n<script>alert(1)</sc\nript> &amp;lt; and much…\nb"];
>     n0 -> n1 [label="= 0"];
>     n0 -> n2 [label="= 1"];
>     n1 [label="no\n2 (100 %)", style=rounded];
>     n2 [label="yes\n2 (100 %)", style=rounded];

# A message about the true-path rule names terms as people do.
file broken.csv
| id,a,b,c,class
| g1,0,1,0,yes
| g2,1,0,1,no
$ hsel select -q broken.csv --id id --hierarchy terms.csv --labels names.csv --select hip
! hsel: hip needs data that keep the true-path rule: in instance 1 of broken, b (the "quoted" \N of <script>alert(1)</script> &lt; and much else that nobody read…) is positive and its parent a is not (1 such case); repair with --propagate
= 1
