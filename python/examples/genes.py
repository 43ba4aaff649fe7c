# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Genes and the terms that describe them
#
# Each instance is a gene of the worm *C. elegans*, each feature a term of the Gene Ontology: 1 if the gene is annotated with it. Terms form an
# IS-A hierarchy, and a gene that has a term has all terms above it. Which terms tell whether a gene prolongs or shortens the life of worms?
#
# The cells run in order, as a notebook or as a program from the top folder of hsel: `python3 python/examples/genes.py [FOLDER]` writes its pictures
# to the folder. `scripts/notebook` makes the notebook from this file.

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
# `hsel.read` reads the same formats as the command, with the same options. The root carries no information: every gene has it.

# %%
genes = hsel.read("data/rpv/CE-BP", drop_roots=True)
print(genes)
print(genes.hierarchy)

# %% [markdown]
# ## Look
# X is a scipy sparse matrix and y has class numbers. The hierarchy has the names of the columns and their labels.

# %%
print(f"{genes.X.nnz / genes.X.shape[0]:.1f} terms per gene; {dict(zip(genes.class_names, np.bincount(genes.y)))}")
best = hsel.rankers.Ig().fit(genes.X, genes.y)
for f in best.order_[:5]:
    print(f"{genes.feature_labels[f]:55} information gain {best.scores_[f]:.3f}, {len(genes.hierarchy.ancestors(genes.feature_names[f]))} terms above it")

# %% [markdown]
# Translation and the terms above it:

# %%
picture = genes.hierarchy.plot(["GO:0006412"])
picture.save(folder / "best.dot")
picture

# %% [markdown]
# ## Select
# An eager selector is a transformer: it keeps one set of features for all genes. A fitted selector shows what it keeps.

# %%
shsel = hsel.Shsel(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
print(f"SHSEL keeps {shsel.get_support().sum()} of {genes.X.shape[1]} terms")
shsel

# %% [markdown]
# A lazy selector chooses features for each gene from its terms.

# %%
rpv = hsel.Rpv(hierarchy=genes.hierarchy).fit(genes.X, genes.y)
mask = rpv.select(genes.X)
print(f"RPV keeps {mask.sum(axis=1).min()} to {mask.sum(axis=1).max()} terms per gene")

# %% [markdown]
# ## Classify
# `SelectThenPredict` predicts each gene from its own terms. It works with scikit-learn's tools:

# %%
model = hsel.SelectThenPredict(hsel.Rpv(hierarchy=genes.hierarchy), hsel.Nb())
folds = StratifiedKFold(10, shuffle=True, random_state=1)
print(f"AUROC {cross_val_score(model, genes.X, genes.y, cv=folds, scoring='roc_auc').mean():.3f}")
grid = GridSearchCV(hsel.SelectThenPredict(hsel.Shsel(hierarchy=genes.hierarchy), hsel.Knn()),
                    {"selector__threshold": [0.9, 0.99], "classifier__n_neighbors": [1, 5]}, cv=folds, scoring="roc_auc")
print("best of the grid:", grid.fit(genes.X, genes.y).best_params_)

# %% [markdown]
# A lazy selector can be combined with any scikit-learn classifier:

# %%
lazy = hsel.LazyWrapper(hsel.Rpv(hierarchy=genes.hierarchy), LogisticRegression(max_iter=1000), how="mask")
print(f"AUROC {cross_val_score(lazy, genes.X, genes.y, cv=folds, scoring='roc_auc').mean():.3f}")

# %% [markdown]
# The package's own cross-validation has the folds, metrics and numbers of `hsel eval`, in a fraction of the time:

# %%
methods = ["none", "hip", "rpv", "shsel"]
for name in methods:
    print(hsel.cross_validate(genes, selector=name, classifier="nb", repeats=5, n_jobs=-1))

# %% [markdown]
# One data set says little about methods. Tests over several data sets show which methods differ:

# %%
several = [hsel.read(path, drop_roots=True) for path in sorted(pathlib.Path("data/rpv").glob("[CD]*-*")) if path.is_dir()]
table = [[hsel.cross_validate(data, selector=name)["gm"] for name in methods] for data in several]
print(hsel.compare(table, methods=methods, datasets=[data.name for data in several], control="none"))

# %% [markdown]
# ## Explain
# Why does the first gene get its class? The picture shows the terms used in their part of the hierarchy. A DataFrame and class names give the explanation
# names.

# %%
frame, longevity = genes.frame(), np.array(genes.class_names)[genes.y]
why = model.fit(frame, longevity).explain(frame, 0, top=6)
print(why)
why.plot().save(folder / "why.dot")
why
