# SPDX-License-Identifier: GPL-3.0-or-later
# ranger's forest of 100 probability trees on a Matrix Market file that hsel wrote: Rscript ranger_fit.R FILE. As peers.py, prints the
# processor's seconds of the work alone. A node of ranger of which no feature drawn is of use is a leaf; hsel and scikit-learn draw on.
suppressMessages({
  library(Matrix)
  library(ranger)
})
path <- commandArgs(TRUE)[1]
rows <- as(as(readMM(path), "dMatrix"), "CsparseMatrix")
colnames(rows) <- paste0("f", seq_len(ncol(rows)))
labels <- factor(readLines(sub("[.]mtx$", ".classes.txt", path)))
start <- sum(proc.time()[1:2])
invisible(ranger(x = rows, y = labels, num.trees = 100, mtry = floor(log2(ncol(rows))) + 1, min.node.size = 1, probability = TRUE,
                 num.threads = 1, seed = 1, verbose = FALSE))
cat(sprintf("alone %.6f\n", sum(proc.time()[1:2]) - start))
