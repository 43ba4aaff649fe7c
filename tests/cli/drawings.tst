# Drawings: names wrapped into boxes, colour by what a term says, chains of other terms as one box; by Graphviz, as DOT and as GraphML.


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
$ hsel explain -q genes.csv --id id --hierarchy terms.csv --labels names.csv --metadata symbols.csv --instance g4 --dot - | grep label=
>   label=<<FONT POINT-SIZE="15">aak-2 (g4): yes, P = 0.587</FONT><BR/>numbers are log-odds for yes: blue is evidence for it, orange against it; dashed: the instance lacks the term<BR/>>;
>   n0 [label=<a<BR/><B>+0.118</B>>, tooltip="a", fillcolor="#cee4f0", fontcolor="#000000", style="filled", penwidth=1.8];
>   n1 [label=<the &quot;quoted&quot; \N of<BR/>&lt;script&gt;alert(1)&lt;/<BR/>script&gt; &amp;lt; and much<BR/>else that nobody reads<BR/><FONT POINT-SIZE="8">b</FONT><BR/><B>-0.981</B>>, tooltip="the \"quoted\" \\N of <script>alert(1)</script> &amp;lt; and much else that nobody reads b", fillcolor="#e68a00", fontcolor="#000000", style="filled,dashed", penwidth=1.8];
>   n2 [label=<positiveregulationofever<BR/>ythingthereis ä<BR/><FONT POINT-SIZE="8">c</FONT><BR/><B>+0.811</B>>, tooltip="positiveregulationofeverythingthereis ä c", fillcolor="#2988be", fontcolor="#000000", style="filled,dashed", penwidth=1.8];
# Long names are cut, between characters with their accents, and whole in tooltips.
$ awk 'BEGIN { for (i = 0; i < 50; i++) { e = e "e\314\201"; x = x "long" } print "id," e x ",b,class\nI" x ",1,1,C" x "\nb,0,1,D" e "\nc,1,1,C" x "\nd,0,1,D" e; print e x "\tb" > "long.tsv" }' > long.csv
$ hsel explain -q long.csv --id id --hierarchy long.tsv --instance '#1' --select none --dot - > long.dot; sed -n 's/.*label=<<FONT POINT-SIZE="15">\(.*\)<.FONT><BR.>\(numbers.*\)<BR.>>;/\1\n\2/p' long.dot
> Ilonglonglonglonglonglonglonglonglonglo…: Clonglonglonglonglonglonglonglonglonglo…, P = 0.612
> numbers are log-odds for Clonglonglonglonglonglonglonglonglonglo…: blue is evidence for it, orange against it; dashed: the instance lacks the term
$ grep -o "tooltip=.*long\"" long.dot | sed 's/\(long\)\{50\}/LONG/g' | sed "s/\($(printf 'e\314\201')\)\{50\}/ACCENTS/g"
> tooltip="ILONG; CLONG"
> tooltip="ACCENTSLONG"
$ grep -c "$(printf 'e\314\201')…" long.dot
> 1
$ hsel train -q genes.csv --id id --labels names.csv --classify tree --show --dot - | grep label=
>   label=<<FONT POINT-SIZE="15">none, tree: trained on 4 instances of genes</FONT><BR/>blue: yes, orange: no; instances, and the share of the class<BR/>>;
>   n0 [label=<the &quot;quoted&quot; \N of<BR/>&lt;script&gt;alert(1)&lt;/<BR/>script&gt; &amp;lt; and much<BR/>else that nobody reads<BR/><FONT POINT-SIZE="8">b</FONT>>, tooltip="the \"quoted\" \\N of <script>alert(1)</script> &amp;lt; and much else that nobody reads b", fillcolor="#f7f7f7", fontcolor="#444444", style="filled", penwidth=1.8];
>   n1 [label=<no<BR/><B>2 (100.0 %)</B>>, tooltip="no", fillcolor="#e68a00", fontcolor="#000000", style="filled,rounded", penwidth=1.8];
>   n2 [label=<yes<BR/><B>2 (100.0 %)</B>>, tooltip="yes", fillcolor="#0072b2", fontcolor="#ffffff", style="filled,rounded", penwidth=1.8];
>   n0 -> n1 [label=" no "];
>   n0 -> n2 [label=" yes "];
$ hsel train -q genes.csv --id id --labels names.csv --classify tree --show --graphml -
> <?xml version="1.0" encoding="UTF-8"?>
> <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
>   <key id="label" for="node" attr.name="label" attr.type="string"/>
>   <key id="identifier" for="node" attr.name="identifier" attr.type="string"/>
>   <key id="kind" for="node" attr.name="kind" attr.type="string"/>
>   <key id="hidden" for="node" attr.name="hidden" attr.type="int"/>
>   <key id="lacking" for="node" attr.name="lacking" attr.type="boolean"/>
>   <key id="relation" for="edge" attr.name="relation" attr.type="string"/>
>   <key id="weight" for="node" attr.name="weight" attr.type="double"/>
>   <graph id="drawing" edgedefault="directed">
>     <desc>none, tree: trained on 4 instances of genes</desc>
>     <node id="n0"><data key="label">the &quot;quoted&quot; \N of &lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; and much else that nobody reads</data><data key="identifier">b</data><data key="kind">selected</data><data key="weight">4</data></node>
>     <node id="n1"><data key="identifier">no</data><data key="kind">leaf</data><data key="weight">2</data></node>
>     <node id="n2"><data key="identifier">yes</data><data key="kind">leaf</data><data key="weight">2</data></node>
>     <edge source="n0" target="n1"><data key="relation">no</data></edge>
>     <edge source="n0" target="n2"><data key="relation">yes</data></edge>
>   </graph>
> </graphml>

# Terms that are not selected: a chain of them is one box, and with few boxes all are but roots and where terms meet.
file deep.csv
| id,a,b,c,d,e,f,g,h,class
| g1,1,1,1,1,1,0,0,0,yes
| g2,1,1,1,1,1,1,0,0,yes
| g3,1,1,1,1,0,1,1,0,no
| g4,1,1,1,0,0,0,0,1,no
| g5,1,1,1,1,0,1,1,1,no
file deep.tsv
| b	a
| c	b
| d	c
| e	d
| f	d
| g	f
| h	c
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --select hip --classify nb --dot - | sed -n '/^  n/s/ \[label=/ /p' | sed 's/, tooltip.*//'
>   n0 <a>
>   n1 <b>
>   n2 <c>
>   n3 <d>
>   n4 <e<BR/><B>+1.204</B>>
>   n5 <f<BR/><B>-0.588</B>>
>   n6 <g<BR/><B>+0.511</B>>
>   n7 <h<BR/><B>+0.511</B>>
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --select hip --top 1 --dot - | sed -n '/^  n/s/ \[label=/ /p' | sed 's/, tooltip.*//'
>   n0 <a>
>   n1 <e<BR/><B>+1.204</B>>
>   n2 "… 3 terms …", fontsize=9, fontcolor="#555555", style="rounded,dashed", color="#999999"
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --top 1 --dot - | grep -- '->'
>   n0 -> n2;
>   n2 -> n1;
$ hsel select deep.csv --id id --hierarchy deep.tsv --select none --nodes 4 --dot - | sed -n '/^  n/s/ \[label=/ /p;/^  label/p' | sed 's/, tooltip.*//'
>   label=<<FONT POINT-SIZE="15">none: 8 of 8 features of deep selected</FONT><BR/>the deeper the colour, the higher the score; blue: evidence for yes, orange: for no<BR/>the 1 most important of 8 terms<BR/>>;
>   n0 <a>
>   n1 <e<BR/><B>1</B>>
>   n2 "… 3 terms …", fontsize=9, fontcolor="#555555", style="rounded,dashed", color="#999999"
! note: 3 features are positive in every instance, e.g. a, and carry no information, but mr and others may still prefer them: --drop-roots leaves out roots, --ignore NAME others
! note: 8 of 8 features selected
! note: none has no scores of features: auc is shown, as in hsel rank
! note: the picture has 1 of 8 terms; --nodes 0 draws all
$ hsel select deep.csv --id id --hierarchy deep.tsv --select hip --dot - -q | sed -n '/^  n/s/ \[label=/ /p;/^  label/p' | sed 's/, tooltip.*//'
>   label=<<FONT POINT-SIZE="15">hip: 5 of 8 features of deep selected</FONT><BR/>the deeper the blue, the more instances the term is selected for<BR/>>;
>   n0 <a>
>   n1 <b>
>   n2 <c>
>   n3 <d<BR/><B>in 1 of 5</B>>
>   n4 <e<BR/><B>in 4 of 5</B>>
>   n5 <f<BR/><B>in 2 of 5</B>>
>   n6 <g<BR/><B>in 3 of 5</B>>
>   n7 <h<BR/><B>in 5 of 5</B>>
$ hsel select deep.csv --id id --hierarchy deep.tsv --select top:by=ig,k=2 --dot picture.dot -q; sed -n '/^  n/s/ \[label=/ /p;/^  label/p' picture.dot | sed 's/, tooltip.*//'
> e
> g
>   label=<<FONT POINT-SIZE="15">top:by=ig,k=2: 2 of 8 features of deep selected</FONT><BR/>the deeper the colour, the higher the score; blue: evidence for yes, orange: for no<BR/>>;
>   n0 <a>
>   n1 <d>
>   n2 <e<BR/><B>0.971</B>>
>   n3 <f>
>   n4 <g<BR/><B>0.42</B>>
>   n5 "… 2 terms …", fontsize=9, fontcolor="#555555", style="rounded,dashed", color="#999999"
$ hsel train deep.csv --id id --hierarchy deep.tsv --classify forest --show --dot - -q | sed -n '/^  label/p' | sed 's/.*FONT><BR.>//'
> the deeper the colour, the more important the term<BR/>>;
$ hsel train deep.csv --id id --hierarchy deep.tsv --classify nb --show --dot - -q | sed -n '/^  label/s/.*FONT><BR.>//p; s/ \[label=<\(.*\)>, tooltip.*/ \1/p'
> numbers are log-odds of yes if a term is present: blue is evidence for it, orange against it<BR/>>;
>   n0 a<BR/><B>-0.065</B>
>   n1 b<BR/><B>-0.065</B>
>   n2 c<BR/><B>-0.065</B>
>   n3 d<BR/><B>+0.223</B>
>   n4 e<BR/><B>+1.322</B>
>   n5 f<BR/><B>-0.182</B>
>   n6 g<BR/><B>-0.875</B>
>   n7 h<BR/><B>-0.875</B>
$ hsel train deep.csv --id id --classify nb --show --dot - -q
! hsel: nb has nothing to draw without a hierarchy
= 1

# What edges are: is_a solid, part_of dashed, others dotted; a way through hidden terms is what says least of it.
file parts.tsv
| child	parent	relation
| b	a	is_a
| c	b	part_of
| d	c	is_a
| e	d	is_a
| f	d	regulates
| g	f	is_a
| h	c	is_a
$ hsel select -q deep.csv --id id --hierarchy parts.tsv --select top:by=ig,k=2 --dot - | sed -n 's/.*\(lines: .*\)<BR.>>;/\1/p; / -> /p'
> lines: solid is_a; dashed part_of; dotted regulates
>   n0 -> n5 [style=dashed, tooltip="part_of"];
>   n5 -> n1 [style=dashed, tooltip="part_of"];
>   n1 -> n2;
>   n1 -> n3 [style=dotted, tooltip="regulates"];
>   n3 -> n4;
$ hsel select -q deep.csv --id id --hierarchy parts.tsv --select top:by=ig,k=2 --graphml - | grep -o 'relation">[a-z_]*'
> relation">part_of
> relation">part_of
> relation">is_a
> relation">regulates
> relation">is_a
$ hsel convert -q deep.csv --id id --hierarchy parts.tsv -o parts.hsel && hsel explore -q parts.hsel --select none --classify tan --folds 2 --json -o - | jq -c '.relations, .terms.parents, .terms.relation, .runs[0].model.kind, .runs[0].model.network'
> ["is_a","part_of","regulates"]
> [[],[0],[1],[2],[3],[3],[5],[2]]
> [[],[0],[1],[0],[0],[2],[0],[0]]
> "network"
> [[5,3],[6,3],[1,0],[2,0],[3,0],[4,0],[7,0]]
$ hsel train deep.csv --id id --classify forest --show --dot - -q
! hsel: forest has nothing to draw without a hierarchy
= 1

# Every form is what it says, and networkx reads the last; in the hierarchy edges go from child to parent.
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg p.svg --png p.png --pdf p.pdf --dot p.dot --graphml p.graphml | head -n 1
> instance   g2, number 2 of deep
file forms.py
| import networkx, xml.etree.ElementTree as xml
| assert xml.parse("p.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
| assert open("p.png", "rb").read(8) == b"\x89PNG\r\n\x1a\n" and open("p.pdf", "rb").read(5) == b"%PDF-"
| g = networkx.read_graphml("p.graphml")
| name = networkx.get_node_attributes(g, "identifier")
| print(sorted((name[u], name[v], d["relation"]) for u, v, d in g.edges(data=True)))
| print({name[n]: (d["kind"], round(d["log_odds"], 3), d.get("lacking", False)) for n, d in g.nodes(data=True)})
$ /usr/bin/python3 forms.py
> [('b', 'a', 'is_a'), ('c', 'b', 'is_a'), ('d', 'c', 'is_a'), ('e', 'd', 'is_a'), ('f', 'd', 'is_a'), ('g', 'f', 'is_a'), ('h', 'c', 'is_a')]
> {'a': ('selected', -0.182, False), 'b': ('selected', -0.182, False), 'c': ('selected', -0.182, False), 'd': ('selected', 0.105, False), 'e': ('selected', 1.204, False), 'f': ('selected', -0.588, False), 'g': ('selected', 0.511, True), 'h': ('selected', 0.511, True)}

# Without Graphviz, or when it fails, there is one line and no file.
$ mkdir none broken && ln -s "$(command -v hsel)" none/hsel && printf '#!/bin/sh\necho "no  luck" >&2\necho half\nexit 1\n' >broken/dot && chmod +x broken/dot && printf old >old.svg
$ PATH=none none/hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg old.svg --dot new.dot; cat old.svg; ls new.dot
> old
! hsel: Graphviz's program dot cannot be run: install it (Debian: apt install graphviz), or write the drawing with --dot or --graphml
! ls: cannot access 'new.dot': No such file or directory
= 2
$ PATH=broken:$PATH hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --pdf old.svg; cat old.svg
> old
! hsel: Graphviz's program dot failed: no  luck
$ printf '#!/bin/sh\necho half\n' >broken/dot; for form in svg pdf png; do PATH=broken:$PATH hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --$form old.svg; done; cat old.svg
> old
! hsel: Graphviz's program dot failed: what it wrote is not svg
! hsel: Graphviz's program dot failed: what it wrote is not pdf
! hsel: Graphviz's program dot failed: what it wrote is not png
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg nowhere/p.svg
! hsel: nowhere/p.svg: cannot create: No such file or directory
= 1

# What does not go together.
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg - --dot -
! hsel: two outputs would go to standard output: give them different names
= 2
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg - --json
! hsel: --json cannot be combined with --svg -: both would go to standard output
= 2
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --nodes 5
! hsel: --nodes requires --svg, --pdf, --png, --dot or --graphml
= 2
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --svg x.svg --graphml x.svg
! hsel: two outputs would go to x.svg: give them different names
= 2
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --top many
! hsel: option top takes a whole number from 0 to 268435456, not 'many'
= 2
$ hsel select -q deep.csv --id id --hierarchy deep.tsv --select none --table --svg -
! hsel: --table cannot be combined with --svg -: the picture is printed in place of the list
= 2
$ hsel select -q deep.csv --id id --select none --svg x.svg
! hsel: deep has no hierarchy to draw: give --hierarchy FILE
= 2
$ hsel train -q deep.csv --id id -o m.model --svg x.svg
! hsel: --svg requires --show
= 2

# The text: as wide as COLUMNS says, in ASCII where the locale has no more.
$ COLUMNS=60 hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --select hip | tail -n 9
>   +1.204        ██████  has    e ‹ d ‹ c ‹ b ‹ a
>                                in 1 of 1 yes, 0 of 3 no
>   -0.588     ▐██        has    f ‹ d ‹ c ‹ b ‹ a
>                                in 0 of 1 yes, 2 of 3 no
>   +0.511        ██▌     lacks  g ‹ f ‹ d ‹ c ‹ b ‹ a
>                                in 0 of 1 yes, 2 of 3 no
>   +0.511        ██▌     lacks  h ‹ c ‹ b ‹ a
>                                in 0 of 1 yes, 2 of 3 no
>   +0.945  log-odds for yes, with the prior
$ LC_ALL=C hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --top 3 | tail -n 9
>   -0.693     ###               (prior)
>   +1.204        ######  has    e < d < c < b < a
>                                in 1 of 1 yes, 0 of 3 no
>   -0.588     ###        has    f < d < c < b < a
>                                in 0 of 1 yes, 2 of 3 no
>   +0.511        ###     lacks  g < f < d < c < b < a
>                                in 0 of 1 yes, 2 of 3 no
> and 5 more, +0.069 in all: it has 4 (-0.442) and lacks 1 (+0.511)
>   +0.503  log-odds for yes, with the prior
$ hsel explain -q deep.csv --id id --hierarchy deep.tsv --instance g2 --whole --top 2 | tail -n 9
>   +0.503  log-odds for yes, with the prior
>
> hierarchy (* selected)
> * a = 1  -0.182
>   * b = 1  -0.182
>     * c = 1  -0.182
>       * d = 1  +0.105
>         * e = 1  +1.204
>         * f = 1  -0.588

# A message about the true-path rule names terms as people do.
file broken.csv
| id,a,b,c,class
| g1,0,1,0,yes
| g2,1,0,1,no
$ hsel select -q broken.csv --id id --hierarchy terms.csv --labels names.csv --select hip
! hsel: hip needs data that satisfy the true-path rule: in instance 1 of broken, b (the "quoted" \N of <script>alert(1)</script> &lt; and much …) is positive and its parent a is not (1 such case); repair with --propagate
= 1
