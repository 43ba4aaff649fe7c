# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench/run measures: inputs, peers and cases, as data. README.md explains the fields.

In commands, {hsel} is the program, {NAME} the input of that name and {data} the folder of real data (HSEL_DATA).
"""

# name: (file under build/bench, how it is made): a command of hsel that writes {out}, `unpack FILE.gz`, or a command of
# build/release/tests/rank_values, or `genome NAME`, a set of genome.py.
INPUTS = {
    "go": ("go.obo", "unpack {data}/raw/go/gene_ontology_ext_2014-06-13.obo.gz"),
    "ce": ("ce-bpccmf.arff", "unpack {data}/rpv/CE-BPCCMF/data.arff.gz"),
    "arff-dense": ("dense.arff", "generate ontology:instances=2000,features=5000,positives=1200,depth=6 -o {out}"),
    "arff-sparse": ("sparse.arff", "generate ontology:instances=5000,features=2000,positives=50 -o {out}"),
    "small": ("small.hsel", "generate ontology:instances=1000,features=1000,positives=45 -o {out}"),
    "middle": ("middle.hsel", "generate ontology:instances=20000,features=10000,positives=50 -o {out}"),
    "middle-mtx": ("middle.mtx", "convert {middle} -o {out}"),
    "large": ("large.hsel", "generate ontology:instances=100000,features=50000,positives=100 -o {out}"),
    "large-svm": ("large.svm", "convert {large} -o {out}"),
    "dag": ("dag.tsv", "generate ontology:instances=1,features=100000,edges-per-node=10,positives=13 "
                       "-o {out}.arff --hierarchy-output {out}"),
    "like-ce": ("like-ce.arff", "generate ontology:instances=657,features=991,edges-per-node=1.7242,positives=44.8,depth=13,"
                                "largest-class=0.656 -o {out} --hierarchy-output {out}.tsv"),
    "ce-bp-ids": ("ce-bp-ids.arff", "unpack {data}/rpv/CE-BP/data.arff.gz"),
    "ce-bp-svm": ("ce-bp.svm", "convert {ce-bp-ids} --ignore entrez -o {out}"),
    "ce-bp": ("ce-bp.arff", "convert {ce-bp-ids} --ignore entrez -o {out}"),  # WEKA takes no identifiers
    "aode-large": ("aode-large.hsel", "generate ontology:instances=2000,features=5000,positives=100,depth=10 -o {out}"),
    "aode-few": ("aode-few.hsel", "generate ontology:instances=200,features=5000,positives=100,depth=10 --seed 2 -o {out}"),
    "aode-model": ("aode-large.model", "train {aode-large} --classify aode -o {out}"),
    "lite-model": ("lite-large.model", "train {aode-large} --classify hie-aode-lite -o {out}"),
    "little-model": ("little-large.model", "train {aode-large} --classify aode:memory=20 -o {out}"),
    "leukemia": ("leukemia.arff", "convert {data}/numeric/leukemia_golub/data.csv.gz --ignore sample -o {out}"),
    "leukemia-csv": ("leukemia.csv", "unpack {data}/numeric/leukemia_golub/data.csv.gz"),
    "leukemia-pack": ("leukemia.hsel", "convert {leukemia} -o {out}"),
    "numeric-arff": ("numeric.arff", "rank_values made=2000x500 write {out}"),
    "numeric-pack": ("numeric.hsel", "rank_values made=13000x1000 write {out}"),
    "like-ce-pack": ("like-ce.hsel", "convert {like-ce} --hierarchy {like-ce}.tsv -o {out}"),
    "ce-bp-pack": ("ce-bp.hsel", "convert {data}/rpv/CE-BP --drop-roots -o {out}"),
    "omim": ("genome/omim.hsel", "genome omim"),
    "omim-mtx": ("omim.mtx", "convert {omim} -o {out}"),
    "omim-svm": ("omim.svm", "convert {omim} -o {out}"),
    "huge-terms": ("genome/large.tsv", "genome large"),
    "huge": ("genome/large.hsel", "build --hierarchy {huge-terms} --annotations {huge-terms}.pairs --labels {huge-terms}.labels -o {out}"),
    "text": ("text.hsel", "generate ontology:instances=11000,features=28000,positives=106,classes=20,signal=0.9 -o {out}"),
    "text-mtx": ("text.mtx", "convert {text} -o {out}"),
    "text-model": ("text.model", "train {text} --classify forest -o {out}"),
    "noise": ("noise.hsel", "generate ontology:instances=20000,features=10000,positives=50,signal=0 -o {out}"),
    # The depth rises so that features do not only become wider: about 50 of them stand below the root in each.
    "grow-1": ("grow-1.hsel", "generate ontology:instances=1000,features=1000,positives=60,depth=13 -o {out}"),
    "grow-3": ("grow-3.hsel", "generate ontology:instances=1000,features=3000,positives=60,depth=19 -o {out}"),
    "grow-10": ("grow-10.hsel", "generate ontology:instances=1000,features=10000,positives=60,depth=28 -o {out}"),
    "grow-30": ("grow-30.hsel", "generate ontology:instances=1000,features=30000,positives=60,depth=41 -o {out}"),
    "grow-100": ("grow-100.hsel", "generate ontology:instances=1000,features=100000,positives=60,depth=60 -o {out}"),
    "rows-3": ("rows-3.hsel", "generate ontology:instances=3000,features=10000,positives=60,depth=28 -o {out}"),
    "rows-10": ("rows-10.hsel", "generate ontology:instances=10000,features=10000,positives=60,depth=28 -o {out}"),
    "rows-30": ("rows-30.hsel", "generate ontology:instances=30000,features=10000,positives=60,depth=28 -o {out}"),
    "rows-100": ("rows-100.hsel", "generate ontology:instances=100000,features=10000,positives=60,depth=28 -o {out}"),
}

# name: (title, what must be there: a Python module or a file, command)
WEKA = "/usr/share/java/weka.jar"
JAVA = f"java -Xmx4g -cp {WEKA} "
PEERS = {
    "weka": ("WEKA", WEKA, JAVA + "weka.core.Instances {file}"),
    "weka-cfs": ("WEKA CfsSubsetEval", WEKA, JAVA + "weka.attributeSelection.CfsSubsetEval -i {file} "
                 "-s 'weka.attributeSelection.BestFirst -D 1 -N 5'"),
    "weka-relieff": ("WEKA ReliefFAttributeEval", WEKA, JAVA + "weka.attributeSelection.ReliefFAttributeEval -i {file} "
                     "-s 'weka.attributeSelection.Ranker -T 0.01'"),
    "weka-rank-relieff": ("WEKA ReliefFAttributeEval", WEKA, JAVA + "weka.attributeSelection.ReliefFAttributeEval -i {file} "
                          "-s 'weka.attributeSelection.Ranker -N 25'"),
    "weka-rank-ig": ("WEKA InfoGainAttributeEval", WEKA, JAVA + "weka.attributeSelection.InfoGainAttributeEval -i {file} "
                     "-s 'weka.attributeSelection.Ranker -N 25'"),
    "weka-nb": ("WEKA NaiveBayes", WEKA, JAVA + "weka.classifiers.bayes.NaiveBayes -t {file} -x 10 -s 1"),
    "weka-knn": ("WEKA IBk", WEKA, JAVA + "weka.classifiers.lazy.IBk -K 1 -t {file} -x 10 -s 1"),
    "weka-aode": ("WEKA AODE", WEKA, JAVA + "weka.classifiers.bayes.AODE -t {file} -x 10 -s 1"),
    "weka-tree": ("WEKA J48", WEKA, JAVA + "weka.classifiers.trees.J48 -t {file} -x 10 -s 1"),
    "weka-forest": ("WEKA RandomForest", WEKA, JAVA + "weka.classifiers.trees.RandomForest -I 100 -K 0 -t {file} -x 10 -s 1"),
    "sklearn-tree": ("scikit-learn DecisionTreeClassifier, unpruned", "sklearn", "{peers} sklearn_tree {file}"),
    "sklearn-forest": ("scikit-learn RandomForestClassifier", "sklearn", "{peers} sklearn_forest {file}"),
    "sklearn-forest-fit": ("scikit-learn RandomForestClassifier", "sklearn", "{peers} sklearn_forest_fit {file}"),
    "sklearn-forest-predict": ("scikit-learn RandomForestClassifier", "sklearn", "{peers} sklearn_forest_predict {file}"),
    "sklearn-tree-fit": ("scikit-learn DecisionTreeClassifier, unpruned", "sklearn", "{peers} sklearn_tree_fit {file}"),
    "ranger": ("ranger", "/usr/lib/R/site-library/ranger", "Rscript bench/ranger_fit.R {file}"),
    "pandas": ("pandas read_csv", "pandas", "{peers} pandas_csv {file}"),
    "scipy-arff": ("scipy.io.arff", "scipy", "{peers} scipy_arff {file}"),
    "scipy-mtx": ("scipy mmread", "scipy", "{peers} scipy_mtx {file}"),
    "sklearn": ("scikit-learn load_svmlight_file", "sklearn", "{peers} sklearn_svmlight {file}"),
    "sklearn-svc-linear": ("scikit-learn SVC", "sklearn", "{peers} sklearn_svc_linear {file}"),
    "sklearn-svc-rbf": ("scikit-learn SVC", "sklearn", "{peers} sklearn_svc_rbf {file}"),
    "sklearn-nb-folds": ("scikit-learn BernoulliNB", "sklearn", "{peers} sklearn_nb_folds {file}"),
    "sklearn-linear-fit": ("scikit-learn LinearSVC", "sklearn", "{peers} sklearn_linear_fit {file}"),
    "sklearn-linear-folds": ("scikit-learn LinearSVC", "sklearn", "{peers} sklearn_linear_folds {file}"),
    "networkx": ("networkx, edge list and cycle check", "networkx", "{peers} networkx_edges {file}"),
    "python-obo": ("plain Python loop over the lines", "sys", "{peers} python_obo {file}"),
}

# goal: ("seconds", at most), of the processor; ("rate", at least), megabytes of the input a second; ("bytes", at
# most), megabytes, as info --json tells; ("peak", at most), megabytes that the process had resident; ("times", at least), WEKA's or another first peer's
# time divided by hsel's; on the clock ("speedup", at least), how much faster hsel is than the one after it, which has one thread, and ("threads", at
# least), how much faster "hsel, two threads" is. A list of goals is several.
# least: once that many runs were made and took long, no more are
CASES = []


def group(title, cases=()):
    """The cases added since the last call, and these, are a section of RESULTS.md."""
    CASES.extend(cases)
    for case in CASES:
        case.setdefault("group", title)


group("Reading", [
    dict(name="start", title="The program alone: hsel version", command="version"),
    dict(name="obo", title="GO of 2014-06-13, 30 MB of OBO", command="info {go} --threads 1", input="go",
         goal=("seconds", 0.4), peers=["python-obo"]),
    dict(name="arff", title="CE-BPCCMF, 667 x 1,432, ARFF", command="info {ce} --threads 1", input="ce",
         goal=("seconds", 0.030), peers=["weka"]),
    dict(name="arff-dense", title="2,000 x 5,000, dense ARFF", command="info {arff-dense} --threads 1",
         input="arff-dense", peers=["weka", "scipy-arff"]),
    dict(name="arff-sparse", title="5,000 x 2,000, 250 thousand positives, sparse ARFF", input="arff-sparse",
         command="info {arff-sparse} --threads 1", peers=["weka"]),
    dict(name="svmlight", title="100,000 x 50,000, 10 million positives, SVMlight", input="large-svm",
         command="info {large-svm} --threads 1", goal=("rate", 100), peers=["sklearn"]),
    dict(name="memory", title="100,000 x 50,000, 10 million positives, held", input="large-svm",
         command="info {large-svm} --threads 1 --json", goal=("bytes", 250)),
    dict(name="mtx", title="20,000 x 10,000, 1 million positives, Matrix Market", input="middle-mtx",
         command="info {middle-mtx} --threads 1", peers=["scipy-mtx"]),
    dict(name="dag-check", title="100,000 nodes, 1,000,000 edges, loaded and checked", input="dag",
         command="check {dag} --threads 1", goal=("seconds", 1.0), peers=["networkx"]),
    dict(name="dag-info", title="The same with everything that info counts", input="dag",
         command="info {dag} --threads 1"),
    dict(name="pack-small", title="Pack of 45 thousand positives, opened", input="small",
         command="info {small} --threads 1", goal=("seconds", 0.010)),
    dict(name="pack-middle", title="Pack of 1 million positives, opened", input="middle",
         command="info {middle} --threads 1", goal=("seconds", 0.010)),
    dict(name="pack-large", title="Pack of 10 million positives, opened", input="large",
         command="info {large} --threads 1", goal=("seconds", 0.010)),
    dict(name="pack-check", title="The same pack read and checked throughout", input="large",
         command="check {large} --threads 1"),
    dict(name="arff-numbers", title="2,000 x 500 numbers of 16 digits, ARFF", input="numeric-arff",
         command="info {numeric-arff} --threads 1", peers=["weka", "scipy-arff"]),
    dict(name="csv-numbers", title="Leukemia, 72 x 7,129 whole numbers, CSV", input="leukemia-csv",
         command="info {leukemia-csv} --threads 1", peers=["pandas"]),
])

# name: (what the titles say, how hsel is given it with its hierarchy, the ARFF file that WEKA reads too)
SETS = {
    "like": ("657 x 991, 1,707 edges, made", "{like-ce} --hierarchy {like-ce}.tsv", "like-ce"),
    "ce-bp": ("CE-BP, worm genes", "{data}/rpv/CE-BP", "ce-bp"),
}

for _set, (_title, _given, _file) in SETS.items():
    for _selector in ("rpv", "hip", "mr", "shsel", "gtd", "tsel"):
        CASES.append(dict(name=f"{_selector}-{_set}", title=f"{_selector} + nb, 10 folds: {_title}", goal=("seconds", 0.050),
                          command=f"eval {_given} --select {_selector} --classify nb --threads 1"))
    _flat = "{" + _file + "}"
    for _name, _what, _command, _times in (
            ("cfs", "cfs", f"select {_flat} --select cfs", 50),
            ("relieff", "relieff", f"select {_flat} --select relieff", 50),
            ("knn", "1-NN, 10 folds", f"eval {_flat} --classify knn --fold-scheme weka", 100),
            ("nb", "nb, 10 folds", f"eval {_flat} --classify nb --fold-scheme weka", 20)):
        CASES.append(dict(name=f"{_name}-{_set}", title=f"{_what}: {_title}", command=_command + " --threads 1", input=_file,
                          peers=["weka-" + _name], goal=("times", _times)))
group("Selecting, and cross-validating naive Bayes and k-NN")

for _set, (_title, _given, _file) in SETS.items():
    for _name, _what, _peers, _times in (("tree", "tree, 10 folds", ["weka-tree", "sklearn-tree"], 10),
                                         ("forest", "forest of 100 trees, 10 folds", ["sklearn-forest", "weka-forest"], 1)):
        CASES.append(dict(name=f"{_name}-{_set}", title=f"{_what}: {_title}", input=_file, peers=_peers, goal=("times", _times),
                          command=f"eval {{{_file}}} --classify {_name} --fold-scheme weka --threads 1"))
group("Trees and forests")

for _name, _what, _options in (("linear", "linear, C = 1", "solver=libsvm,probability=votes"),
                               ("rbf", "RBF, C = 8, gamma = 2^-7", "kernel=rbf,c=8,gamma=0.0078125,probability=votes")):
    CASES.append(dict(name=f"svm-{_name}", title=f"svm, {_what}, 10 folds: CE-BP, worm genes", input="ce-bp-svm",
                      command=f"eval {{ce-bp-svm}} --classify svm:{_options} --threads 1", peers=["sklearn-svc-" + _name],
                      goal=("times", 1)))
CASES.append(dict(name="svm-grid", title="svm, RBF, grid of 110 settings by 5 inner folds: CE-BP, worm genes",
                  command="train {ce-bp-svm} --classify svm:kernel=rbf,grid=rpv --show --threads 1", goal=("seconds", 10)))
group("Support vector machines")

group("AODE", [
    dict(name="aode-ce-bp", title="aode, 10 folds: CE-BP, worm genes", input="ce-bp", peers=["weka-aode"], goal=("times", 100),
         command="eval {ce-bp} --classify aode --fold-scheme weka --threads 1"),
    dict(name="hie-aode-ce-bp", title="hie-aode, 10 folds: CE-BP, worm genes", goal=("seconds", 0.3),
         command="eval {data}/rpv/CE-BP --classify hie-aode --threads 1"),
    dict(name="lite-ce-bp", title="hie-aode-lite, 10 folds: CE-BP, worm genes", goal=("seconds", 0.3),
         command="eval {data}/rpv/CE-BP --classify hie-aode-lite --threads 1"),
    dict(name="aode-train", title="aode trained on 2,000 x 5,000", goal=("peak", 1500),
         command="train {aode-large} --classify aode --threads 1 -o build/bench/aode-again.model"),
    dict(name="aode-predict", title="The same model read (counted again), 200 instances predicted", goal=("seconds", 3.0),
         command="predict {aode-model} {aode-few} --threads 1"),
    dict(name="lite-predict", title="The same of hie-aode-lite", goal=("seconds", 3.0),
         command="predict {lite-model} {aode-few} --threads 1"),
    dict(name="little-predict", title="The same of aode:memory=20, most rows counted when asked for", goal=("peak", 40),
         command="predict {little-model} {aode-few} --threads 1"),
])

group("Networks and the graph penalty", [
    dict(name="tan-large", title="tan trained on 2,000 x 5,000", goal=("seconds", 5.0),
         command="train {aode-large} --classify tan --threads 1 -o build/bench/tan.model"),
    dict(name="ban-ce-bp", title="ban, 10 folds: CE-BP, worm genes", goal=("seconds", 0.2),
         command="eval {data}/rpv/CE-BP --classify ban --threads 1"),
    dict(name="hre-tan-dm-bp", title="hre-tan, 10 folds: DM-BP, fly genes, 127 x 698", goal=("seconds", 3.0),
         command="eval {data}/aire/DM-BP --classify hre-tan --threads 1"),
    dict(name="proximal-dm-bp", title="proximal-graph, lambda by inner folds, 10 folds: DM-BP, fly genes", goal=("seconds", 10.0),
         command="eval {data}/aire/DM-BP --classify proximal-graph --threads 1"),
])

_ELEVEN = " --by f,or,pow,pr,gi,mi,ks,dev,gm,auc,prc"
group("Ranking", [
    dict(name="rank-leukemia", title="Eleven threshold-based rankers: leukemia, 72 x 7,129, pack",
         command="rank {leukemia-pack} --threads 1" + _ELEVEN, goal=("seconds", 0.050)),
    dict(name="rank-large", title="The same: 13,000 x 1,000, made, pack", command="rank {numeric-pack} --threads 1" + _ELEVEN,
         goal=("seconds", 1.0)),
    dict(name="rank-ig", title="ig after MDL discretisation: leukemia, ARFF", input="leukemia",
         command="rank {leukemia} --by ig --threads 1", peers=["weka-rank-ig"], goal=("times", 20)),
    dict(name="rank-ig-large", title="The same: 2,000 x 500, made, ARFF", input="numeric-arff",
         command="rank {numeric-arff} --by ig --threads 1", peers=["weka-rank-ig"], goal=("times", 20)),
    dict(name="rank-relieff", title="relieff of numeric features: 2,000 x 500, made, ARFF", input="numeric-arff",
         command="rank {numeric-arff} --by relieff --threads 1", peers=["weka-rank-relieff"], goal=("times", 50)),
    dict(name="rank-relieff-leukemia", title="The same: leukemia, ARFF", input="leukemia",
         command="rank {leukemia} --by relieff --threads 1", peers=["weka-rank-relieff"]),
    dict(name="rank-threads", title="Eleven rankers on 13,000 x 1,000, two threads",
         command="rank {numeric-pack} --threads 2" + _ELEVEN, goal=("speedup", 1.7),
         also={"hsel, one thread": "rank {numeric-pack} --threads 1" + _ELEVEN}, runs=4),
])

for _set, (_title, _given, _) in SETS.items():
    for _preset, _shape, _seconds in (("bitwise", "138 x 80", 1.0), ("she", "62 x 96", 0.6), ("cbhe", "146 x 149", 2.5)):
        CASES.append(dict(name=f"ga-{_preset}-{_set}", title=f"ga, preset {_preset} ({_shape}): {_title}", goal=("seconds", _seconds),
                          command=f"select {_given} --select ga:preset={_preset} --threads 1"))
_LONG = "select {like-ce} --hierarchy {like-ce}.tsv --select ga:generations=600"
CASES.append(dict(name="ga-threads", title="ga, preset cbhe, 600 generations, two threads", command=_LONG + " --threads 2",
                  also={"hsel, one thread": _LONG + " --threads 1"}, goal=("speedup", 1.7), runs=8))
group("Genetic search")

_MANY = ("eval {like-ce} --hierarchy {like-ce}.tsv --classify nb --classify knn --repeats 3 " +
         " ".join("--select " + s for s in ("none", "all-pos", "all-neg", "hip", "hip-mr", "mr", "rpv", "rpv:measure=r", "hnb",
                                            "shsel", "gtd", "relieff")))
CASES.append(dict(name="threads", title="12 selectors x 2 classifiers x 10 folds x 3 repeats, two threads",
                  command=_MANY + " --threads 2", also={"hsel, one thread": _MANY + " --threads 1"}, goal=("speedup", 1.8),
                  runs=8))  # short and often, so that both cores are free now and then
_STORE = "build/bench/study.db"
for _study, _title, _needs in (("rpv-2020", "16 sets, 41,600 jobs", "{data}/rpv"), ("tbfs-2012", "3 sets, 17 rankers", "{data}/numeric")):
    _run = f"run studies/{_study}.yaml --progress none --store {_STORE}"
    CASES.append(dict(name=f"study-{_study}", title=f"Study {_study}: {_title}, two threads", fresh=_STORE, needs=_needs,
                      command=_run + " --threads 2", also={"hsel, one thread": _run + " --threads 1"}, goal=("speedup", 1.7)))
group("Threads and studies")

# Whole genomes: omim.hsel as genome.py makes it. Sizes that the limits below are reckoned from (s: instances that have a feature, r: features of
# an instance): 1,590,748 positive values, sum of s^2 5.7e9, sum of r^2 2.3e8; 241 features are dense (1/16 of the instances have them) and hold
# 829,000 of the positive values. Caches give about 25 GB/s to one thread. A goal is three times the limit.
#   knn       829,000 x 20,728 bytes of dense columns, 8 bytes for each of 2.8e8 pairs in others, 16 for each of 4.3e8 pairs of instances: 26 GB, 1.1 s
#   relieff   the same distances (of the rarer value of each feature), and 415,000 pairs of neighbours by 150 values: 1.1 s
#   ga        146 x 149 sets; if a third of the features of a child differ from its parent's, 5,000 columns of 105 instances at 16 bytes: 183 GB, 7.3 s
#   hre-tan   a fit has the values of 1.1e8 pairs from both ends, each by 8 logarithms of a table per class where the two occur together (1.0 s), counts
#             (0.5 s) and 2.2e7 partners in order (1.2 s): 27 s for ten; an instance takes about 1,200 pairs, and for each all that is redundant with it and
#             the next partner that is left: 1 ms, 21 s for all
#   cfs       no reckoning: reading, and a pass over the positive values for each feature that joins the set
#   hill-climbing  each move compares the instances that have the parent with each other. With a tenth of the genes these are 5.9e8 pairs at 12 bytes, and
#                  1.9e9 values of 4 bytes in the columns by which they are counted: 15 GB, 0.6 s. Both grow with the square of the genes: all of them take a
#                  hundred times that, so a tenth is measured
_OMIM = "{omim}"
_GENES = "20,728 human genes x 15,108 terms"


def _whole(name, title, command, goal, peers=(), two=True):
    """A case with one thread, and if `two` the same with two."""
    case = dict(name="genome-" + name, title=title, command=command + " --threads 1", goal=goal + [("threads", 1.8)] * two, least=1)
    if two:
        case["also"] = {"hsel, two threads": command + " --threads 2"}
    if peers:
        case.update(input="omim-svm" if "linear" in peers[0] or "folds" in peers[0] else "omim-mtx", peers=list(peers))
    CASES.append(case)


def _folds(name, goal, peers=(), two=True):
    _whole(name, f"{name}, 10 folds: {_GENES}", f"eval {_OMIM} --classify {name}", goal, peers, two)


def _fit(name, title, goal, peers=(), two=True):
    _whole(name + "-fit", f"{title}, one fit", f"train {_OMIM} --classify {name} -o build/bench/again.model", goal, peers, two)


def _select(name, goal, two=False):
    _whole(name, f"{name}, selecting", f"select {_OMIM} --select {name}", goal, two=two)


# Two threads share folds, or the trees of a forest, or the pairs of hre-tan; one fit of svm, tree or tan has one thread.
_folds("nb", [("times", 5)], ["sklearn-nb-folds"], two=False)
_folds("knn", [("seconds", 3.3)])  # scikit-learn's brute force takes over five minutes
_fit("svm", "svm, linear", [("times", 1)], ["sklearn-linear-fit"], two=False)
_folds("svm", [("times", 1)], ["sklearn-linear-folds"])
_fit("forest", "forest of 100 trees", [("times", 5), ("peak", 300)], ["sklearn-forest-fit", "ranger"])
_fit("tree", "tree", [("times", 5)], ["sklearn-tree-fit"], two=False)
_folds("tree", [])
_fit("tan", "tan", [("seconds", 5), ("peak", 500)], two=False)
_folds("tan", [])
_fit("hre-tan", "hre-tan", [("peak", 500)])
_whole("hre-tan", f"hre-tan, 10 folds: {_GENES}", f"eval {_OMIM} --classify hre-tan", [("seconds", 150), ("peak", 500)], two=False)
_whole("hre-tan-tenth", "hre-tan, 10 folds: a tenth of the genes", f"eval {_OMIM} --classify hre-tan --instances 10%", [("peak", 500)])
for _name in ("aode", "hie-aode", "hie-aode-lite"):
    _folds(_name, [("seconds", 20), ("peak", 400)])
_folds("proximal-graph", [("seconds", 30)])
_select("cfs", [("seconds", 1)])
_select("relieff", [("seconds", 3.3)])
_whole("hill-climbing", "hill-climbing, selecting: a tenth of the genes", f"select {_OMIM} --select hill-climbing --instances 10%", [("seconds", 1.8)], two=False)
_select("ga", [("seconds", 22)], two=True)
GENOME_GROUP = "Whole genomes"
group(GENOME_GROUP, [
    dict(name="genome-forest-text", title="Such a forest read, predicting 11,000 x 28,000, 20 classes", input="text-mtx", least=1,
         command="predict {text-model} {text} --threads 1", peers=["sklearn-forest-predict"], goal=[("times", 1), ("peak", 300)]),
    dict(name="genome-tree-noise", title="tree trained on noise, 20,000 x 10,000", goal=("seconds", 8), least=1,
         command="train {noise} --classify tree -o build/bench/again.model --threads 1",
         also={"hsel, raising=false": "train {noise} --classify tree:raising=false -o build/bench/again.model --threads 1"}),
    dict(name="genome-huge-build", title="100,000 x 100,000 with 66 million positives: build from pairs", goal=("peak", 2000), least=1,
         command="build --hierarchy {huge-terms} --annotations {huge-terms}.pairs --labels {huge-terms}.labels -o build/bench/again.hsel"),
    dict(name="genome-huge-select", title="The same: select gtd", goal=("peak", 2000), least=1, command="select {huge} --select gtd --threads 1"),
    dict(name="genome-huge-nb", title="The same: nb, 10 folds", goal=("peak", 2000), least=1, command="eval {huge} --classify nb --threads 1"),
])

# How processor time grows with features and with instances, from 1,000 to 100,000 of them.
GENOME_GROWTH = dict(
    name="genome-growth", title="Methods on 1,000 to 100,000 features and instances", enough=3,
    inputs={"features": {1000: "grow-1", 3000: "grow-3", 10000: "grow-10", 30000: "grow-30", 100000: "grow-100"},
            "instances": {1000: "grow-10", 3000: "rows-3", 10000: "rows-10", 30000: "rows-30", 100000: "rows-100"}},
    commands={"nb, 10 folds": "eval {file} --classify nb --threads 1",
              "hip + nb, 10 folds": "eval {file} --select hip --classify nb --threads 1",
              "knn, 10 folds": "eval {file} --classify knn --threads 1",
              "svm, 10 folds": "eval {file} --classify svm --threads 1",
              "tan, one fit": "train {file} --classify tan -o build/bench/again.model --threads 1",
              "forest of 100 trees, one fit": "train {file} --classify forest -o build/bench/again.model --threads 1",
              "gtd": "select {file} --select gtd --threads 1",
              "cfs": "select {file} --select cfs --threads 1",
              "relieff": "select {file} --select relieff --threads 1"},
    about="Processor time of whole commands. Features grow at 1,000 instances, instances at 10,000 features, 60 positive values each. The slope is that of "
          "the logarithms between the two largest sizes measured: 1 is proportional, 2 as the square. After 3 s larger sizes are left out. `knn` and `relieff` "
          "compare all pairs of instances.")

# What the fitness of a set costs: build/release/tests/fitness_times on each input.
FITNESS = dict(
    name="fitness", title="The fitness of a set of features, four ways", inputs={"657 x 991, made": "like-ce-pack", "CE-BP": "ce-bp-pack"},
    about="The fitness of one set of features (GM of naive Bayes, five inner folds), in processor time, on sets of half and of a sixth "
          "of the features; all ways come to the same value. `naive` copies the selected columns of the training folds, trains and "
          "tests value by value; `general` is what the search does for other classifiers (views, counts by subtraction, nb fitted and "
          "tested in each fold; `ga:fitness=general`); `fast` is what it does for nb, from nothing; `step` likewise from a set that differs in 60 "
          "features, as a child does from its parent.")

# How lazy selection grows with the number of features: build/release/tests/lazy_times on each input.
GROWTH = dict(
    name="growth", title="Lazy selection for one instance, from 1,000 to 100,000 features",
    selectors=["rpv", "hip", "mr"],
    inputs={1000: "grow-1", 3000: "grow-3", 10000: "grow-10", 30000: "grow-30", 100000: "grow-100"},
    about="Lazy selection for one instance, in time of the processor and without reading, learning and classifying: 1,000 "
          "instances of 60 positive features each in hierarchies of growing size (1.7 parents a feature, and deeper so that "
          "they do not only grow wider). `prepared` is done once for a training part and grows with the features; `selected` is the "
          "mean over the instances. What remains of growth: `rpv` executes the same number of instructions for an instance at "
          "1,000 and at 100,000 features (6,300 and 6,400, by callgrind) and waits longer for memory; `hip` and `mr` also select "
          "more (`mr`, by its definition, many more negative features) and put larger numbers in order (17,700 and 25,100 "
          "instructions for `hip`, 13,600 and 24,600 for `mr`).")
