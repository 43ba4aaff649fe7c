# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench/run measures: inputs, peers and cases, as data. README.md explains the fields.

In commands, {hsel} is the program, {NAME} the input of that name and {data} the folder of real data (HSEL_DATA).
"""

# name: (file under build/bench, how it is made): a command of hsel that writes {out}, or `unpack FILE.gz`.
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
}

# name: (title, what must be there: a Python module or a file, command)
PEERS = {
    "weka": ("WEKA", "/usr/share/java/weka.jar", "java -Xmx4g -cp /usr/share/java/weka.jar weka.core.Instances {file}"),
    "scipy-arff": ("scipy.io.arff", "scipy", "{peers} scipy_arff {file}"),
    "scipy-mtx": ("scipy mmread", "scipy", "{peers} scipy_mtx {file}"),
    "sklearn": ("scikit-learn load_svmlight_file", "sklearn", "{peers} sklearn_svmlight {file}"),
    "networkx": ("networkx, edge list and cycle check", "networkx", "{peers} networkx_edges {file}"),
    "python-obo": ("plain Python loop over the lines", "sys", "{peers} python_obo {file}"),
}

# goal: ("seconds", at most), of the best wall time; ("rate", at least), megabytes of the input a second; ("bytes", at
# most), megabytes, as info --json tells
CASES = [
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
]
