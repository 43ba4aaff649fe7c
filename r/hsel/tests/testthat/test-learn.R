# SPDX-License-Identifier: GPL-3.0-or-later

test_that("every method has a function, which writes what was given", {
  methods <- hsel_methods(c("selector", "classifier", "ranker", "measure"))
  prefix <- c(selector = "select_", classifier = "classify_", ranker = "rank_", measure = "rank_")
  for (i in seq_len(nrow(methods))) {
    made <- get(paste0(prefix[[methods$kind[i]]], gsub("-", "_", methods$name[i])), envir = asNamespace("hsel"))
    expect_identical(as.character(made()), methods$name[i])
  }
  expect_identical(as.character(select_shsel(threshold = 0.9)), "shsel:threshold=0.9")
  expect_identical(as.character(select_shsel(thr = 0.1 + 0.2)), "shsel:threshold=0.30000000000000004")
  value <- 3
  expect_identical(as.character(classify_knn(k = value)), "knn:k=3")
  expect_identical(as.character(select_cfs(locally_predictive = TRUE)), "cfs:locally-predictive=true")
  expect_output(print(select_rpv(measure = "ig")), "selector rpv:measure=ig")
  expect_identical(hsel_select(small, method = "shsel", threshold = 0.5)$selected, hsel_select(small, method = select_shsel(threshold = 0.5))$selected)
  expect_error(hsel_eval(small, select = classify_nb()), "nb is a classifier, not a selector")
  expect_error(hsel_select(small, NULL, NULL, "shsel", 0.9), "every option needs a name")
  expect_error(hsel_select(small, method = "shsel", thresh = 0.9), "thresh", class = "hsel_usage_error")
})

test_that("predictions are by name, as classes, probabilities, scores and features", {
  model <- hsel_train(small, select = "rpv")
  all <- predict(model, small, "all")
  expect_identical(all$predicted, unname(predict(model, small)))
  expect_equal(rowSums(predict(model, small, "prob")), rep(1, 120), ignore_attr = TRUE)
  expect_identical(unname(as.integer(Matrix::rowSums(predict(model, small, "features")))), all$selected)
  turned <- cbind(small$x[, rev(colnames(small$x))], extra = 1)
  expect_identical(predict(model, turned, "score"), predict(model, small, "score"))
  expect_identical(predict(model, unname(as.matrix(small$x)), "prob"), predict(model, small, "prob"), ignore_attr = TRUE)
  expect_error(predict(model, small$x[, -1]), "no column")
  expect_error(predict(model, unname(as.matrix(small$x))[, -1]), "59 columns without names")
  one <- predict(model, small$x[1, ], "prob")
  expect_identical(unname(one), unname(predict(model, small, "prob")[1, , drop = FALSE]))
  eager <- hsel_train(small, select = "shsel")
  expect_identical(unname(which(summary(eager)$selected)), unname(which(hsel_select(small)$support[summary(eager)$feature])))
  expect_output(print(eager), "selected: [0-9]+ features")
})

test_that("weights count, seeds decide, threads do not", {
  weights <- rep(c(1, 0), 60)
  half <- small[weights == 1, ]
  expect_identical(predict(hsel_train(small, weights = weights), small, "prob"), predict(hsel_train(half), small, "prob"))
  expect_error(hsel_train(small, weights = 1:3), "one for each of the 120 rows")
  forest <- function(seed, threads = 1) predict(hsel_train(small, classify = classify_forest(trees = 5), seed = seed, threads = threads), small, "prob")
  expect_identical(forest(1), forest(1, 2))
  expect_false(identical(forest(1), forest(2)))
  set.seed(7)
  before <- .Random.seed
  forest(3)
  expect_identical(.Random.seed, before)
  expect_error(hsel_eval(small, seed = -1), "seed must be a whole number from 0")
})

test_that("a model can be saved, and explanations add up", {
  model <- hsel_train(worm[-570, ], select = "rpv")
  file <- tempfile()
  saveRDS(model, file)
  expect_identical(predict(readRDS(file), worm[1:9, ], "prob"), predict(model, worm[1:9, ], "prob"))
  why <- hsel_explain(model, worm, "174050", top = 5)
  expect_identical(why$predicted, "pro-longevity")
  expect_identical(nrow(as.data.frame(why)), 5L)
  expect_identical(why$log_odds_of, "before calibration")
  plain <- hsel_explain(hsel_train(worm[-570, ], select = "rpv", classify = classify_nb(calibration = "none")), worm, "174050", top = 5)
  expect_null(plain$log_odds_of)
  expect_identical(plain[c("predicted", "prior", "features", "rest")], unclass(why)[c("predicted", "prior", "features", "rest")])
  expect_equal(plain$prior + sum(plain$features$log_odds) + plain$rest, log(plain$probabilities[["pro-longevity"]] / plain$probabilities[["anti-longevity"]]))
  expect_lt(why$probabilities[["pro-longevity"]], plain$probabilities[["pro-longevity"]])
  expect_output(print(why), "vacuole organization")
  expect_output(print(summary(why)), "label +feature .*\n1 +vacuole organization GO:0007033")
  expect_output(print(summary(model)), "label +feature.*and 980 more")
  expect_error(hsel_explain(model, worm, "nobody"), "no row nobody")
  expect_error(hsel_explain(model, worm, 1000), "from 1 to 657")
  expect_error(hsel_explain("rpv", worm), "a model of hsel_train")
})

test_that("rankings have the best first", {
  ranking <- hsel_rank(worm, by = list("ig", rank_relieff(k = 5)))
  expect_identical(names(ranking), c("feature", "label", "ig", "relieff:k=5", "rank(ig)", "rank(relieff:k=5)"))
  expect_false(is.unsorted(-ranking$ig))
  expect_identical(ranking$label[1], "locomotion")
  expect_output(print(ranking), "label +feature.*\n1 +locomotion GO:0040011.*and 980 more")  # names before identifiers
  expect_error(hsel_rank(worm, by = c("ig", "ig")), "given twice")
})

test_that("comparisons take matrices and data frames", {
  table <- matrix(c(1, 2, 1, 2, 3, 4, 3, 4, 5), 3, dimnames = list(c("x", "y", "z"), c("a", "b", "c")))
  found <- hsel_compare(table, control = "a")
  expect_identical(found$methods$method[1], "c")
  expect_identical(hsel_compare(data.frame(set = rownames(table), table), control = 1)$text, found$text)
  expect_identical(hsel_compare(as.data.frame(table), control = "a")$text, found$text)
  expect_output(print(hsel_compare(table, lower = TRUE)), "a has the best mean rank")
  expect_error(hsel_compare(table, control = "d"), "not one of the methods: a, b, c")
  expect_error(hsel_compare(letters), "a row per data set")
})

test_that("pictures have the terms that matter and their ancestors", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  selection <- hsel_select(worm, method = "hip-mr")
  drawn <- plot(selection, nodes = 15)
  expect_lte(nrow(drawn), 15)
  expect_identical(anyDuplicated(drawn$line), 0L)
  edges <- worm$hierarchy$edges[worm$hierarchy$edges$child %in% drawn$term, ]
  expect_true(all(edges$parent %in% drawn$term))
  model <- hsel_train(worm, select = "shsel")
  for (object in list(worm, worm$hierarchy, hsel_select(worm), model, hsel_explain(model, worm, 1), hsel_eval(worm, select = "hip", folds = 2)))
    expect_gt(nrow(plot(object, nodes = 8)), 0)
  expect_s3_class(plot(hsel_rank(worm)), "hsel_ranking")
  expect_error(plot(worm$hierarchy, terms = "nothing"), "nothing is not a term")
  expect_error(plot(hsel_select(small$x, small$y, method = "cfs")), "no hierarchy to draw")
})

test_that("a number is predicted, as the command does", {
  skip_without_command()
  data <- small
  data$y <- as.numeric(small$x %*% sin(seq_len(ncol(small$x)))) + 0.25
  file <- tempfile(fileext = ".hsel")
  hsel_write(data, file)
  cv <- hsel_eval(data, classify = classify_knn(k = 3), folds = 3, seed = 2)
  shown <- jsonlite::fromJSON(paste(command("eval", "-q", file, "--classify", "knn:k=3", "--folds", "3", "--seed", "2", "--json"), collapse = "\n"),
                              simplifyVector = FALSE)[[1]]$metrics
  for (metric in c("rmse", "r2", "spearman")) expect_identical(cv$metrics$fold_mean[cv$metrics$metric == metric], shown[[metric]]$fold_mean)
  expect_identical(cv$predictions$target, data$y)
  expect_equal(sqrt(mean((cv$predictions$predicted - data$y)^2)), cv$metrics$pooled[cv$metrics$metric == "rmse"])
  expect_output(print(cv), "rmse")
  expect_true("rmse" %in% summary(cv)$metric && !"auroc" %in% summary(cv)$metric)
  model <- hsel_train(data, classify = "knn")
  expect_identical(unname(predict(model, data)), predict(model, data, "all")$predicted)
  expect_error(predict(model, data, "prob"), "has no probabilities")
  expect_output(print(model), "predicts a number")
  expect_error(hsel_train(data, classify = "nb"), class = "hsel_error")
})

# Flowers with a nominal column of each kind, and missing ones.
flowers <- local({
  x <- iris[c(1, 3, 4)]
  x$wide <- factor(ifelse(iris$Sepal.Width > 3, "wide", ifelse(iris$Sepal.Width > 2.7, "middle", "narrow")), levels = c("narrow", "middle", "wide", "never"))
  x$long <- ifelse(iris$Petal.Length > 4, "long", "short")
  x$wide[c(3, 80)] <- NA
  x$long[c(5, 90)] <- NA
  x$Sepal.Length[7] <- NA
  x
})

test_that("factors and texts are nominal features, as in files", {
  skip_without_command()
  data <- hsel_data(flowers, iris$Species, name = "flowers")
  file <- tempfile(fileext = ".arff")
  hsel_write(data, file)
  read <- hsel_read(file)
  expect_identical(levels(read$x$wide), c("narrow", "middle", "wide", "never"))
  expect_identical(as.character(read$x$long), flowers$long)
  for (classify in c("nb", "tree", "knn:k=5", "forest:trees=10")) {
    cv <- hsel_eval(data, classify = classify, folds = 3)
    expect_identical(hsel_eval(read, classify = classify, folds = 3)$predictions$P, cv$predictions$P)
    shown <- jsonlite::fromJSON(paste(command("eval", "-q", file, "--classify", classify, "--folds", "3", "--json"), collapse = "\n"),
                                simplifyVector = FALSE)[[1]]$metrics
    expect_identical(cv$metrics$fold_mean[cv$metrics$metric == "accuracy"], shown$accuracy$fold_mean)
  }
  model <- hsel_train(data, classify = "tree")
  wanted <- predict(model, flowers, "prob")
  turned <- flowers
  turned$wide <- factor(turned$wide, levels = c("wide", "middle", "narrow"))
  turned$long <- factor(turned$long)
  expect_identical(predict(model, turned, "prob"), wanted)
  expect_identical(predict(unserialize(serialize(model, NULL)), turned, "prob"), wanted)
  unknown <- missing <- flowers
  unknown$long <- "longer"
  missing$long <- NA_character_
  expect_identical(predict(model, unknown, "prob"), predict(model, missing, "prob"))
  expect_error(predict(model, data.matrix(flowers)), "give a data frame")
  wrong <- flowers
  wrong$Petal.Width <- "much"
  expect_error(predict(model, wrong), "Petal.Width")
  wrong$Petal.Width <- as.list(flowers$Petal.Width)
  expect_error(hsel_data(wrong, iris$Species), "Petal.Width of x is neither")
  expect_error(hsel_train(data, classify = "aode"), "binary")
})

test_that("whole numbers may be a target", {
  data <- hsel_data(flowers, target = round(10 * iris$Sepal.Width))
  cv <- hsel_eval(data, classify = "forest:trees=20", folds = 3)
  expect_identical(cv$predictions$target, round(10 * iris$Sepal.Width))
  expect_gt(cv$metrics$pooled[cv$metrics$metric == "r2"], 0.5)
  expect_error(hsel_data(flowers, iris$Species, target = iris$Sepal.Width), "give only one")
  expect_error(hsel_data(flowers, target = 1:3), "one for each of the 150 rows")
})

test_that("a choice is that of the command", {
  skip_without_command()
  file <- tempfile(fileext = ".hsel")
  hsel_write(small, file)
  choice <- hsel_auto(small, select = c("none", "hip"), classify = list("nb", classify_knn(k = 3)), folds = 3, inner_folds = 3, seed = 4)
  shown <- jsonlite::fromJSON(paste(command("auto", "-q", file, "--select", "none", "--select", "hip", "--classify", "nb", "--classify", "knn:k=3", "--folds", "3",
                                            "--inner-folds", "3", "--seed", "4", "--json"), collapse = "\n"))
  expect_identical(choice$estimate, shown$estimate)
  expect_identical(choice$candidates$mean, shown$candidates$mean)
  expect_identical(choice$choice, shown$choice)
  expect_output(print(choice), choice$choice$classifier, fixed = TRUE)
  expect_identical(predict(choice, small), predict(choice$model, small))
  expect_error(hsel_auto(small, race = 2), "race must be a number above 0")
  expect_error(hsel_auto(small, select = "nothing"), class = "hsel_error")
})

test_that("candidates are those of the command", {
  skip_without_command()
  file <- tempfile(fileext = ".hsel")
  named <- small
  rownames(named$x) <- paste0("Gene", seq_len(nrow(named$x)))
  hsel_write(named, file)
  known <- rownames(named$x)[seq(1, nrow(named$x), 4)]
  found <- hsel_discover(named, tolower(known), top = 6, fdr = 0.3, correct_bias = TRUE, classify = "nb", folds = 4, seed = 2)
  shown <- jsonlite::fromJSON(paste(command("discover", "-q", file, "--positives", paste(known, collapse = ","), "--top", "6", "--fdr", "0.3",
                                            "--correct-bias", "--classify", "nb", "--folds", "4", "--seed", "2", "--json"), collapse = "\n"))
  expect_identical(found$score, shown$candidates$score)
  expect_identical(found$id, shown$candidates$id)
  expect_identical(summary(found)$validation, shown$validation)
  expect_output(print(found), "held out", fixed = TRUE)
  expect_match(attr(found, "report"), "^Methods")
  mask <- rownames(named$x) %in% known
  all <- hsel_discover(named, mask, top = NULL, correct_bias = TRUE, classify = "nb", folds = 4, seed = 2)
  expect_identical(nrow(all), sum(!mask))
  expect_identical(all$score[1:6], found$score)
  expect_warning(hsel_discover(named, c(known, "nobody"), classify = "nb"), "match no instance: nobody")
  expect_error(hsel_discover(named, mask[-1]), "TRUE or FALSE for each")
  expect_error(hsel_discover(named, known, fdr = 2), "fdr must be a number")
  expect_error(hsel_discover(named, character()), "positives is empty")
  expect_error(hsel_discover(named), "which instances are known positives")
})

test_that("p-values from elsewhere", {
  edges <- data.frame(child = c("b", "c"), parent = "a")
  x <- matrix(c(1, 1, 1, 0, 2.5, 1.5, 0, 0.5), 4, dimnames = list(NULL, c("fever", "amount")))
  tested <- hsel_p_values(x, c("a", "a", "b", "b"), adjust = "holm")
  expect_equal(tested$p, c(1, 1 / 3))
  expect_equal(tested$adjusted, c(1, 2 / 3))
  expect_identical(tested$status, c("tested", "tested"))
  expect_error(hsel_p_values(x, c("a", "a", "b", "b"), adjust = "elim"), "needs a hierarchy")
  table <- hsel_terms(x, c("a", "a", "b", "b"), adjust = "holm", alpha = 0.7)
  expect_identical(table$feature, c("amount", "fever"))
  expect_equal(table$p, c(1 / 3, 1))
  expect_equal(table$"in a", c(2, 2))
  expect_identical(table$significant, c("yes", "no"))
  expect_match(hsel_terms(x, c("a", "a", "b", "b"), form = "latex"), "begin{table}", fixed = TRUE)
  scanned <- hsel_p_values(x[, "fever", drop = FALSE], c("a", "a", "b", "b"), adjust = "scan", permutations = 199)
  expect_true(all(scanned$p <= 1 & scanned$adjusted <= 1))
  found <- hsel_test(c(c = 0.5, a = 0.001, b = 0.004), edges)
  expect_identical(found$feature, c("a", "b", "c"))
  expect_identical(found$rejected, c(TRUE, TRUE, FALSE))
  p <- setNames(seq(0.001, 0.9, length.out = 20)^2, paste0("t", 1:20))
  for (method in c("bh", "by", "holm")) {
    found <- hsel_test(data.frame(names(p), p), method = method)
    expect_equal(setNames(found$adjusted, found$feature)[names(p)], stats::p.adjust(p, switch(method, bh = "BH", by = "BY", holm = "holm")))
  }
  expect_output(print(found), "holm at 0.05")
  expect_error(hsel_test(c(0.1, 0.2)), "with the names")
  expect_error(hsel_test(c(a = 2)), class = "hsel_error")
})

test_that("data sets are built by the command", {
  skip_without_command()
  folder <- tempfile()
  dir.create(folder)
  file <- function(name, ...) {
    writeLines(c(...), file.path(folder, name))
    file.path(folder, name)
  }
  built <- hsel_build(hierarchy = file("h.tsv", "dog\tmammal", "cat\tmammal", "mammal\tanimal", "bird\tanimal"), annotations = file("a.tsv", "x\tdog", "y\tcat", "z\tbird"),
                      labels = file("l.tsv", "x\tpet", "y\tpet", "z\twild"), drop_roots = TRUE, min_support = 1)
  expect_identical(colnames(built$x), c("bird", "cat", "dog", "mammal"))
  expect_identical(attr(built, "report")$result$instances, 3L)
  expect_error(hsel_build(nosuch = 1), "nosuch")
  expect_error(hsel_build(json = TRUE), "not an option")
})
