# SPDX-License-Identifier: GPL-3.0-or-later
# What is taken as data: every form gives the same.

scores <- function(...) hsel_rank(..., by = "ig")$ig

test_that("matrices of every kind are the same data", {
  x <- animals$x
  forms <- list(x, x == 1, `storage.mode<-`(x, "integer"), methods::as(x, "CsparseMatrix"), methods::as(x == 1, "CsparseMatrix"),
                methods::as(x, "RsparseMatrix"), methods::as(x, "TsparseMatrix"), methods::as(methods::as(x == 1, "CsparseMatrix"), "nMatrix"),
                as.data.frame(x), as.data.frame(x == 1))
  wanted <- hsel_train(x, animals$y, animals$edges, select = "hip")
  for (form in forms) {
    expect_identical(scores(form, animals$y), scores(x, animals$y))
    made <- hsel_train(form, animals$y, animals$edges, select = "hip")
    expect_identical(made$bytes, wanted$bytes)
    expect_identical(unname(predict(made, form, "prob")), unname(predict(wanted, x, "prob")))
  }
})

test_that("classes may be a factor, texts, numbers or truth values", {
  wanted <- scores(animals$x, animals$y)
  expect_identical(scores(animals$x, factor(animals$y)), wanted)
  expect_identical(scores(animals$x, animals$y == "wild"), wanted)
  expect_identical(scores(animals$x, as.integer(factor(animals$y))), wanted)
  expect_identical(levels(hsel_data(animals$x, factor(animals$y, levels = c("wild", "pet", "none")))$y), c("wild", "pet"))
  expect_identical(levels(hsel_data(animals$x, c("a", "B", "a", "B", "a", "B"))$y), c("B", "a"))
  target <- hsel_data(animals$x, c(1.5, 1, 1, 2, 2, NA))
  expect_identical(target$y, c(1.5, 1, 1, 2, 2, NA))
  expect_output(print(target), "numbers to predict, from 1 to 2")
  file <- tempfile(fileext = ".hsel")
  hsel_write(target, file)
  expect_identical(hsel_read(file)$y, c(1.5, 1, 1, 2, 2, NaN))
  expect_error(hsel_data(animals$x, 1:2), "2 values, but x has 6 rows")
  known <- hsel_eval(worm, folds = 3)$predictions
  expect_false(anyNA(known$predicted))
  some <- worm
  some$y[1:5] <- NA
  expect_identical(which(is.na(hsel_eval(some, folds = 3)$predictions$predicted)), 1:5)
})

test_that("numbers and missing values are numeric features", {
  x <- cbind(a = c(1.5, 2, NA, 4, 5, 6), b = c(0, 1, 0, 1, 0, 1))
  expect_identical(nrow(hsel_rank(x, animals$y, by = "auc")), 2L)
  expect_error(hsel_train(cbind(a = c(1, Inf, 1, 1, 1, 1)), animals$y), class = "hsel_format_error")
  expect_error(hsel_data(data.frame(a = I(as.list(1:6)))), "column a of x is neither numbers, TRUE and FALSE, a factor nor texts")
  expect_error(hsel_data(1:6), "a row per instance")
  expect_error(hsel_data(animals$x, covariates = "age"), "the covariate age is not a column of x")
  expect_error(hsel_data(animals$x, hierarchy = data.frame(child = "u", parent = "v")), "none of the terms of the hierarchy is a column of x")
  expect_error(hsel_data(unname(animals$x), hierarchy = animals$edges), "have no names")
})

test_that("parts can be taken and changed, and what is changed is what is used", {
  part <- worm[worm$y == "pro-longevity" | seq_along(worm$y) < 300, ]
  expect_identical(dim(part), c(length(part$y), 990L))
  expect_identical(length(part$instances), nrow(part))
  named <- worm[rownames(worm$x)[c(3, 1)], ]
  expect_identical(named$y, worm$y[c(3, 1)])
  changed <- small
  before <- scores(changed)
  changed$y[1:10] <- rev(levels(changed$y))[as.integer(changed$y[1:10])]
  expect_false(identical(scores(changed), before))
  expect_error(changed$z <- 1, "not z")
  file <- tempfile(fileext = ".rds")
  saveRDS(small, file)
  expect_identical(hsel_eval(readRDS(file), select = "hip", folds = 3)$predictions, hsel_eval(small, select = "hip", folds = 3)$predictions)
})

test_that("the positive class is kept, or the evident or smaller one", {
  file <- tempfile(fileext = ".hsel")
  hsel_write(worm, file)
  metric <- function(data, name) with(hsel_eval(data, folds = 3)$metrics, fold_mean[metric == name])
  read <- hsel_read(file, positive = "anti-longevity")
  part <- order(worm$y, decreasing = TRUE)[1:300]  # most of them are pro-longevity, which stays the positive class
  expect_identical(metric(read[part, ], "sensitivity"), metric(worm[part, ], "specificity"))
  made <- hsel_data(worm$x, worm$y)
  expect_identical(metric(made[part, ], "sensitivity"), metric(hsel_data(worm$x[part, ], worm$y[part], positive = "pro-longevity"), "sensitivity"))
  expect_error(hsel_data(worm$x, worm$y, positive = "none"), "no class 'none'")
  read$y <- factor(read$y, levels = rev(levels(read$y)))
  expect_silent(hsel_eval(read[1:300, ], folds = 3))
})

test_that("all but the positive class can be unlabelled", {
  file <- tempfile(fileext = ".csv")
  writeLines(c("a,class", "1,x", "0,y", "1,z"), file)
  read <- hsel_read(file, pu = TRUE, positive = "z")
  expect_identical(as.character(read$y), c("unlabelled", "unlabelled", "z"))
  expect_identical(attr(read, "positive"), "z")
  expect_error(hsel_read(file, pu = TRUE), "give positive =")
})

test_that("rankings without negatives are evaluated", {
  found <- hsel_pu_metrics(12:1, 1:12 %in% c(1, 4), prior = 0.2)
  expect_equal(found$auroc_unlabelled$estimate, 0.9)
  expect_equal(found$auroc_corrected$estimate, 1)
  expect_equal(found$top$k, c(10, 1, 2))
  expect_equal(found$top$recall, c(1, 0.5, 0.5))
  expect_true(hsel_pu_metrics(12:1, 1:12 %in% c(1, 4))$prior$estimated)
  expect_error(hsel_pu_metrics(1:3, c(TRUE, NA, FALSE)), "TRUE or FALSE")
  expect_error(hsel_pu_metrics(1:3, c(TRUE, TRUE, TRUE)), "both are needed")
  grouped <- hsel_pu_metrics(c(1:100, 1:100), rep(1:100 %% 3 == 0, 2), groups = rep(1:100, 2))
  expect_lt(grouped$auroc_unlabelled$low, grouped$auroc_unlabelled$estimate + 1e-9)
})

test_that("sets are evaluated", {
  set.seed(1)
  x <- matrix(rbinom(600, 1, 0.3), 120, dimnames = list(paste0("g", 1:120), letters[1:5]))
  file <- tempfile(fileext = ".gmt")
  writeLines(c(paste(c("few", "", "g1", "g2"), collapse = "\t"), paste(c("a", "", toupper(rownames(x)[x[, "a"] == 1])), collapse = "\t")), file)
  found <- hsel_discover_sets(x, file)
  expect_identical(found$set, c("a", "few"))
  expect_identical(found$left_out, c(NA, "too small"))
  expect_equal(found$matched, c(sum(x[, "a"]), 2))
  expect_gt(found$auroc_unlabelled$estimate[1], 0.9)
})

test_that("files hold nominal features, which become factors", {
  file <- tempfile(fileext = ".arff")
  writeLines(c("@relation mixed", "@attribute a {red,green}", "@attribute b numeric", "@attribute class {no,yes}", "@data", "red,1.5,no", "green,?,yes"), file)
  read <- hsel_read(file)
  expect_identical(read$x$a, factor(c("red", "green"), levels = c("red", "green")))
  expect_identical(read$x$b, c(1.5, NaN))
})

test_that("propagation adds terms and makes ancestors positive", {
  x <- cbind(dog = c(2, 0), bird = c(0, 1))
  raised <- hsel_propagate(x, animals$edges, add = TRUE)
  expect_identical(sort(colnames(raised)), c("animal", "bird", "dog", "mammal"))
  expect_identical(as.matrix(raised)[, c("dog", "bird", "mammal", "animal")],
                   cbind(dog = c(1, 0), bird = c(0, 1), mammal = c(1, 0), animal = c(1, 1)))
  expect_error(hsel_propagate(-x, animals$edges), "negative or missing")
  broken <- hsel_data(rbind(animals$x, c(0, 0, 1, 0, 0)), c(animals$y, "pet"), animals$edges)
  expect_error(hsel_eval(broken, select = "hip", folds = 2), "hsel_propagate")
  expect_s3_class(hsel_eval(hsel_propagate(broken), select = "hip", folds = 2), "hsel_evaluation")
})
