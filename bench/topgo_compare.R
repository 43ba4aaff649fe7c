# SPDX-License-Identifier: GPL-3.0-or-later
# The p-values of terms in hsel beside those of topGO (Bioconductor; not in Debian), node by node, on human genes: the graph, the genes of
# each term and the classes are those of topGO's own object, from GO.db and org.Hs.eg.db. Genes of a KEGG map are the class of interest.
# Usage: Rscript bench/topgo_compare.R [HSEL [PATH [ONTOLOGY]]]     (build/release/hsel, map 05200, BP)
if (!requireNamespace("topGO", quietly = TRUE)) stop("topGO is not installed")
suppressMessages({library(topGO); library(org.Hs.eg.db)})
given <- commandArgs(TRUE)
hsel <- if (length(given) > 0) given[1] else "build/release/hsel"
map <- if (length(given) > 1) given[2] else "05200"
ontology <- if (length(given) > 2) given[3] else "BP"

annotated <- suppressMessages(AnnotationDbi::select(org.Hs.eg.db, keys(org.Hs.eg.db), c("GO", "ONTOLOGY")))
annotated <- annotated[!is.na(annotated$GO) & annotated$ONTOLOGY == ontology, ]
in_map <- suppressMessages(AnnotationDbi::select(org.Hs.eg.db, keys(org.Hs.eg.db), "PATH"))
in_map <- unique(in_map$ENTREZID[!is.na(in_map$PATH) & in_map$PATH == map])
genes <- unique(annotated$ENTREZID)
object <- suppressMessages(new("topGOdata", ontology = ontology, allGenes = factor(setNames(as.integer(genes %in% in_map), genes)),
                               annot = annFUN.gene2GO, gene2GO = split(annotated$GO, annotated$ENTREZID), nodeSize = 10))

# The same for hsel.
folder <- tempfile("topgo"); dir.create(folder)
put <- function(table, name, header = FALSE) {
  file <- file.path(folder, name)
  write.table(table, file, sep = "\t", quote = FALSE, row.names = FALSE, col.names = header)
  file
}
parents <- graph::edges(graph(object))
members <- genesInTerm(object)
edges <- put(data.frame(rep(names(parents), lengths(parents)), unlist(parents)), "edges.tsv")
pairs <- put(data.frame(unlist(members), rep(names(members), lengths(members))), "pairs.tsv")
labels <- put(data.frame(gene = topGO::genes(object), class = ifelse(topGO::genes(object) %in% sigGenes(object), "in", "out")), "labels.tsv", TRUE)
data <- file.path(folder, "genes.hsel")
run <- function(...) {
  out <- system2(hsel, c(...), stdout = TRUE)
  if (!is.null(attr(out, "status"))) stop("hsel failed")
  out
}
invisible(run("build", "-q", "--hierarchy", edges, "--annotations", pairs, "--labels", labels, "--positive", "in", "-o", data))
ours <- function(method) {
  table <- read.csv(text = run("rank", "-q", data, "--by", "ig", "--p-values", "--tail", "more", "--adjust", method, "--top", "0", "--csv"))
  setNames(if (method == "bh") table$p else table[[paste0("p_", gsub("-", ".", method))]], table$feature)
}
cat(sprintf("%s of GO, KEGG map %s: %d genes, %d in the map, %d terms\n\n", ontology, map, length(topGO::genes(object)),
            length(sigGenes(object)), length(members)))
cat("| | terms | greatest relative difference | terms that differ by more than 1e-9 | of them in decision at 0.01 | Spearman |\n|---|--:|--:|--:|--:|--:|\n")
compare <- function(what, method, test) {
  theirs <- score(suppressMessages(getSigGroups(object, test)))
  mine <- ours(method)[names(theirs)]
  off <- abs(mine - theirs) / pmax(theirs, 1e-300)
  cat(sprintf("| %s | %d | %.1e | %d | %d | %.6f |\n", what, length(theirs), max(off), sum(off > 1e-9), sum((mine <= 0.01) != (theirs <= 0.01)),
              cor(mine, theirs, method = "spearman")))
  invisible(data.frame(mine, theirs, off)[order(-off), ])
}
replace <- function(name, by) assignInNamespace(name, by, "topGO")
test <- function(class, ...) new(class, testStatistic = GOFisherTest, name = "Fisher test", ...)
compare("classic", "bh", test("classicCount"))
compare("`elim`, cut 0.01", "elim", test("elimCount", cutOff = 0.01))
compare("`weight01`, topGO as it is", "weight01", test("weight01Count"))
compare("`weight01-topgo`, topGO as it is", "weight01-topgo", test("weight01Count"))
compare("`weight`, topGO as it is", "weight", test("weightCount"))
compare("`weight`, topGO with the ratio of logarithms and without penalty", "weight", test("weightCount", sigRatio = "log", penalise = "less"))
# topGO with the two rules that hsel reads otherwise put in place of its own.
replace(".sigRatio.01", function(a, b, tolerance = 0) if (a <= b * (1 + 1e-9) && a < 1 - 1e-9) 2 else 0)
compare("`weight01`, topGO with hsel's rule: a child wins if it is as significant, and p < 1", "weight01", test("weight01Count"))
original <- topGO:::.sigRatio.log
replace(".sigRatio.log", function(a, b, tolerance = 1e-50) if (abs(a - b) <= 1e-9 * b) 1 else original(a, b, tolerance))
compare("`weight`, topGO with the ratio of logarithms, without penalty, equal p-values change nothing", "weight",
        test("weightCount", sigRatio = "log", penalise = "less"))
# And counts of each class rounded down, where topGO rounds those of the class of interest and of both together.
down <- function(x) floor(x + 1e-9)
in_class <- function(object) object@members %in% sigAllMembers(object)
setMethod("numSigMembers", "weightCount", function(object) down(sum(object@weights[in_class(object)])))
setMethod("numMembers", "weightCount", function(object) numSigMembers(object) + down(sum(object@weights[!in_class(object)])))
setMethod("numAllMembers", "weightCount", function(object) length(object@allMembers) - length(object@members) + numMembers(object))
setMethod("numSigAll", "weightCount", function(object) length(sigAllMembers(object)) - sum(in_class(object)) + numSigMembers(object))
compare("`weight`, the same and each class rounded down", "weight", test("weightCount", sigRatio = "log", penalise = "less"))
