# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Genes and the terms that describe them
#
# Each instance is a gene, each feature a term of an ontology: 1 if the gene is annotated with it. Terms stand in an IS-A
# hierarchy, and a gene that has a term has all terms above it. Which terms tell whether a gene is of the class in question?
#
# The cells run in order, in a notebook or as a program: `python3 genes.py [FOLDER]` writes its pictures there. The data are
# made up in the likeness of the gene ontology.

# %%
import pathlib
import sys

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

import hsel

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
hsel.generate("ontology:instances=400,features=300,depth=9,positives=35,prefix=GO:,largest-class=0.6,signal=0.7",
              random_state=7).write(folder / "genes.hsel")

# %% [markdown]
# ## Read
# Any format that the command reads, with the same options. The root says nothing: every gene has it.

# %%
genes = hsel.read(folder / "genes.hsel", drop_roots=True)
print(genes)
print(genes.hierarchy)

# %% [markdown]
# ## Look
# X is a sparse matrix of scipy, y has class numbers; the hierarchy knows which columns it is about.

# %%
print(f"{genes.X.nnz / genes.X.shape[0]:.1f} terms a gene, classes of {np.bincount(genes.y)} genes")
best = hsel.rankers.Ig().fit(genes.X, genes.y)
for f in best.order_[:5]:
    name = genes.feature_names[f]
    print(f"{name}  information gain {best.scores_[f]:.3f}, {len(genes.hierarchy.ancestors(name))} terms above it")
genes.hierarchy.plot([genes.feature_names[best.order_[0]]], title="The best term and what is above it").save(folder / "best.dot")

# %% [markdown]
# ## Select
# An eager selector is a transformer: one set of features for all genes.

# %%
shsel = hsel.Shsel(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
print(f"SHSEL keeps {shsel.get_support().sum()} of {genes.X.shape[1]} terms")

# %% [markdown]
# A lazy selector chooses anew for each gene, from the terms that it has.

# %%
rpv = hsel.Rpv(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
mask = rpv.select(genes.X)
print(f"RPV keeps {mask.sum(axis=1).min()} to {mask.sum(axis=1).max()} terms a gene")

# %% [markdown]
# ## Classify
# `SelectThenPredict` predicts each gene from its own terms. Everything works with scikit-learn's tools …

# %%
model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=genes.hierarchy), hsel.Nb())
folds = StratifiedKFold(10, shuffle=True, random_state=1)
print(f"AUROC {cross_val_score(model, genes.X, genes.y, cv=folds, scoring='roc_auc').mean():.3f}")
grid = GridSearchCV(hsel.SelectThenPredict(hsel.Shsel(hierarchy=genes.hierarchy), hsel.Knn()),
                    {"selector__threshold": [0.9, 0.99], "classifier__k": [1, 5]}, cv=folds, scoring="roc_auc")
print("best of the grid:", grid.fit(genes.X, genes.y).best_params_)

# %% [markdown]
# … and the package's own cross-validation has the folds, metrics and numbers of `hsel eval`, in a fraction of the time.

# %%
for name in ("none", "hip", "rpv", "shsel"):
    print(hsel.cross_validate(genes, selector=name, classifier="nb", repeats=5, n_jobs=-1))

# %% [markdown]
# One data set says little about methods. Over several, the tests of the literature say which differ.

# %%
methods = ["none", "hip", "rpv", "shsel"]
several = [hsel.generate("ontology:instances=200,features=150,depth=7,positives=25", random_state=seed) for seed in range(8)]
table = [[hsel.cross_validate(data, selector=name)["gm"] for name in methods] for data in several]
print(hsel.compare(table, methods=methods, control="none"))

# %% [markdown]
# ## Explain
# Why is the first gene predicted as it is? The picture shows the terms that were used, on their part of the hierarchy.

# %%
model.fit(genes.X, genes.y)
why = model.explain(genes.X, 0, top=6)
print(why)
why.plot().save(folder / "why.dot")
