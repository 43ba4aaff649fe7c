# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Genes and the terms that describe them
#
# Each instance is a gene of the worm *C. elegans*, each feature a term of the Gene Ontology: 1 if the gene is annotated with it. Terms stand in an
# IS-A hierarchy, and a gene that has a term has all terms above it. Which terms tell whether a gene makes worms live longer or shorter?
#
# The cells run in order, as a notebook or as a program from the top folder of hsel: `python3 python/examples/genes.py [FOLDER]` writes its pictures
# to the folder. `scripts/notebook` makes the notebook of this file.

# %%
import pathlib
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score

import hsel

folder = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else ".")

# %% [markdown]
# ## Read
# Any format that the command reads, with the same options. The root says nothing: every gene has it.

# %%
genes = hsel.read("data/rpv/CE-BP", drop_roots=True)
print(genes)
print(genes.hierarchy)

# %% [markdown]
# ## Look
# X is a sparse matrix of scipy, y has class numbers; the hierarchy knows which columns it is about, and what people call them.

# %%
print(f"{genes.X.nnz / genes.X.shape[0]:.1f} terms per gene; {dict(zip(genes.class_names, np.bincount(genes.y)))}")
best = hsel.rankers.Ig().fit(genes.X, genes.y)
for f in best.order_[:5]:
    print(f"{genes.feature_labels[f]:55} information gain {best.scores_[f]:.3f}, {len(genes.hierarchy.ancestors(genes.feature_names[f]))} terms above it")

# %% [markdown]
# Translation and what is above it:

# %%
picture = genes.hierarchy.plot(["GO:0006412"])
picture.save(folder / "best.dot")
picture

# %% [markdown]
# ## Select
# An eager selector is a transformer: one set of features for all genes. Fitted, it shows what it keeps.

# %%
shsel = hsel.Shsel(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
print(f"SHSEL keeps {shsel.get_support().sum()} of {genes.X.shape[1]} terms")
shsel

# %% [markdown]
# A lazy selector chooses anew for each gene, from the terms that it has.

# %%
rpv = hsel.Rpv(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
mask = rpv.select(genes.X)
print(f"RPV keeps {mask.sum(axis=1).min()} to {mask.sum(axis=1).max()} terms per gene")

# %% [markdown]
# ## Classify
# `SelectThenPredict` predicts each gene from its own terms. Everything works with scikit-learn's tools …

# %%
model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=genes.hierarchy), hsel.Nb())
folds = StratifiedKFold(10, shuffle=True, random_state=1)
print(f"AUROC {cross_val_score(model, genes.X, genes.y, cv=folds, scoring='roc_auc').mean():.3f}")
grid = GridSearchCV(hsel.SelectThenPredict(hsel.Shsel(hierarchy=genes.hierarchy), hsel.Knn()),
                    {"selector__threshold": [0.9, 0.99], "classifier__n_neighbors": [1, 5]}, cv=folds, scoring="roc_auc")
print("best of the grid:", grid.fit(genes.X, genes.y).best_params_)

# %% [markdown]
# … a lazy selector goes with any of its classifiers …

# %%
lazy = hsel.LazyWrapper(hsel.Rpv(hierarchy=genes.hierarchy), LogisticRegression(max_iter=1000), how="mask")
print(f"AUROC {cross_val_score(lazy, genes.X, genes.y, cv=folds, scoring='roc_auc').mean():.3f}")

# %% [markdown]
# … and the package's own cross-validation has the folds, metrics and numbers of `hsel eval`, in a fraction of the time.

# %%
methods = ["none", "hip", "rpv", "shsel"]
for name in methods:
    print(hsel.cross_validate(genes, selector=name, classifier="nb", repeats=5, n_jobs=-1))

# %% [markdown]
# One data set says little about methods. Over several, the tests of the literature say which differ.

# %%
several = [hsel.read(path, drop_roots=True) for path in sorted(pathlib.Path("data/rpv").glob("[CD]*-*")) if path.is_dir()]
table = [[hsel.cross_validate(data, selector=name)["gm"] for name in methods] for data in several]
print(hsel.compare(table, methods=methods, datasets=[data.name for data in several], control="none"))

# %% [markdown]
# ## Explain
# Why is the first gene predicted as it is? The picture shows the terms that were used, on their part of the hierarchy. With a DataFrame and the names of
# the classes, the explanation has names, too.

# %%
frame, longevity = genes.frame(), np.array(genes.class_names)[genes.y]
why = model.fit(frame, longevity).explain(frame, 0, top=6)
print(why)
why.plot().save(folder / "why.dot")
why
