# SPDX-License-Identifier: GPL-3.0-or-later
# Hierarchies of every form.

sorted <- function(hierarchy) with(as.data.frame(hierarchy), sort(paste(child, parent)))
wanted <- sort(paste(animals$edges$child, animals$edges$parent))

test_that("edges are a data frame, a matrix or a list", {
  expect_identical(sorted(hsel_hierarchy(animals$edges)), wanted)
  expect_identical(sorted(hsel_hierarchy(animals$edges[2:1])), wanted)
  expect_identical(sorted(hsel_hierarchy(as.matrix(animals$edges))), wanted)
  expect_identical(sorted(hsel_hierarchy(setNames(animals$edges, c("from", "to")))), wanted)
  expect_identical(sorted(hsel_hierarchy(setNames(as.list(animals$edges$parent), animals$edges$child))), wanted)
  found <- hsel_hierarchy(animals$edges, labels = c(dog = "Canis"))
  expect_identical(found$terms$label[found$terms$term == "dog"], "Canis")
  expect_identical(found$terms$depth[found$terms$term == "dog"], 2L)
  expect_output(print(found), "5 terms and 4 edges, depth 2, with 1 root")
})

test_that("what is not a hierarchy is refused", {
  loop <- rbind(animals$edges, data.frame(child = "animal", parent = "dog"))
  expect_error(hsel_hierarchy(loop), "cycle", class = "hsel_format_error")
  expect_error(hsel_hierarchy(data.frame(child = "a", parent = "a")), "a -> a", class = "hsel_format_error")
  expect_error(hsel_hierarchy(data.frame(a = 1, b = 2, c = 3)), "child and parent")
  expect_error(hsel_hierarchy(data.frame(child = NA, parent = "a")), "NA instead of a term")
  expect_error(hsel_hierarchy(TRUE), "not logical")
  expect_error(hsel_hierarchy(tempfile()), class = "hsel_file_error")
})

test_that("files have labels", {
  file <- tempfile(fileext = ".obo")
  writeLines(c("format-version: 1.2", "", "[Term]", "id: X:1", "name: root", "", "[Term]", "id: X:2", "name: leaf", "is_a: X:1"), file)
  found <- hsel_hierarchy(file)
  expect_identical(found$edges, data.frame(child = "X:2", parent = "X:1"))
  expect_identical(found$terms$label[match(c("X:1", "X:2"), found$terms$term)], c("root", "leaf"))
})

test_that("graphs of igraph go in both directions", {
  skip_if_not_installed("igraph")
  graph <- igraph::graph_from_data_frame(animals$edges)
  expect_identical(sorted(hsel_hierarchy(graph)), wanted)
  turned <- igraph::graph_from_data_frame(animals$edges[2:1])
  expect_identical(sorted(hsel_hierarchy(turned, direction = "parent-child")), wanted)
  expect_error(hsel_hierarchy(igraph::as.undirected(graph)), "the graph is undirected.*edges from child to parent")
  igraph::E(graph)$relation <- c("part_of", rep("is_a", igraph::ecount(graph) - 1))
  expect_message(some <- hsel_hierarchy(graph), "other relations than is_a are left out: part_of \\(1\\)")
  expect_equal(nrow(some$edges), nrow(animals$edges) - 1)
  expect_silent(all <- hsel_hierarchy(graph, relations = c("is_a", "part_of")))
  expect_equal(nrow(all$edges), nrow(animals$edges))
  expect_error(hsel_hierarchy(graph, relations = "has_part"), "there is no relation has_part: part_of, is_a")
})

test_that("trees of ape have names for inner nodes", {
  skip_if_not_installed("ape")
  named <- ape::read.tree(text = "((dog,cat)mammal,bird)animal;")
  expect_identical(sorted(hsel_hierarchy(named)), wanted)
  expect_identical(sort(hsel_hierarchy(ape::read.tree(text = "((a,b),c);"))$terms$term), c("a", "b", "c", "node4", "node5"))
})

test_that("the Gene Ontology of Bioconductor has its terms' names", {
  skip_if_not_installed("GO.db")
  found <- suppressMessages(hsel_hierarchy(GO.db::GOCCPARENTS))
  expect_identical(found$terms$label[found$terms$term == "GO:0005575"], "cellular_component")
  expect_identical(found$terms$depth[found$terms$term == "GO:0005575"], 0L)
  expect_identical(sorted(hsel_hierarchy(GO.db::GO.db, ontology = "CC")), sorted(found))
  both <- hsel_hierarchy(GO.db::GOCCPARENTS, relations = c("isa", "part of"))
  expect_gt(nrow(both$edges), nrow(found$edges))
  expect_error(hsel_hierarchy(GO.db::GOCCPARENTS, relations = "eats"), "no relation eats")
})

test_that("objects of Bioconductor are data", {
  skip_if_not_installed("SummarizedExperiment")
  object <- SummarizedExperiment::SummarizedExperiment(list(terms = t(animals$x)), colData = data.frame(kind = animals$y))
  data <- hsel_data(object, y = "kind", hierarchy = animals$edges)
  expect_identical(unname(as.matrix(data$x)), unname(animals$x))
  expect_identical(hsel_rank(data)$auc, hsel_rank(animals$x, animals$y)$auc)
  model <- hsel_train(object, "kind", animals$edges, select = "hip")
  expect_identical(unname(predict(model, object, "prob")), unname(predict(model, animals$x, "prob")))
  expect_error(hsel_data(object, y = "colour"), "no column colour")
})

test_that("phyloseq has taxa as features and its own hierarchy", {
  skip_if_not_installed("phyloseq")
  counts <- matrix(c(5, 0, 2, 0, 1, 0, 0, 3, 0), 3, dimnames = list(c("t1", "t2", "t3"), c("s1", "s2", "s3")))
  taxa <- phyloseq::tax_table(matrix(c("B", "B", "B", "P", "P", "Q"), 3, dimnames = list(c("t1", "t2", "t3"), c("Kingdom", "Phylum"))))
  samples <- phyloseq::sample_data(data.frame(site = c("x", "y", "x"), row.names = c("s1", "s2", "s3")))
  object <- phyloseq::phyloseq(phyloseq::otu_table(counts, taxa_are_rows = TRUE), taxa, samples)
  data <- hsel_data(object, y = "site")
  expect_identical(dim(data), c(3L, 3L))
  expect_length(predict(hsel_train(object, "site", classify = "knn"), object), 3)
  raised <- hsel_propagate(data, add = TRUE)
  expect_identical(as.matrix(raised$x)[, "B;P"], c(s1 = 1, s2 = 1, s3 = 1))
  expect_identical(as.matrix(raised$x)[, "B;Q"], c(s1 = 1, s2 = 0, s3 = 0))
  expect_identical(raised$hierarchy$terms$label[raised$hierarchy$terms$term == "B;Q"], "Q")
})
