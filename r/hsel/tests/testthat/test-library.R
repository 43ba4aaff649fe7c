# SPDX-License-Identifier: GPL-3.0-or-later
# Errors, warnings, interrupts, the command.

test_that("errors have the library's text and a class", {
  error <- tryCatch(hsel_read("/nowhere/at all"), error = identity)
  expect_s3_class(error, c("hsel_file_error", "hsel_error", "error"), exact = FALSE)
  expect_match(conditionMessage(error), "/nowhere/at all")
  file <- tempfile(fileext = ".arff")
  writeLines(c("@relation r", "@attribute a {0,1}", "@data", "7"), file)
  error <- tryCatch(hsel_read(file), error = identity)
  expect_s3_class(error, "hsel_format_error")
  expect_identical(error$line, 4)
  expect_error(hsel_methods("none"), "there is no kind none")
  expect_error(hsel_eval(small, folds = 1), "folds must be a whole number from 2")
  expect_error(hsel_eval(small, folds = 1:3), "the fold of each of the 120 instances")
  for (i in 1:50) try(hsel_select(small, method = "no such method"), silent = TRUE)
  invisible(gc())
})

test_that("errors name options as they are given", {
  expect_error(hsel_eval(small, classify = classify_nb(inner_folds = 1), folds = 2), "option inner_folds takes", fixed = TRUE)
  expect_error(hsel_eval(small, classify = classify_nb(calibration = "none", inner_folds = 3), folds = 2), "inner_folds has no effect", fixed = TRUE)
  expect_error(hsel_select(small, method = "fdr", min_presen = 0), "no option 'min_presen'; did you mean 'min_present'?", fixed = TRUE)
})

test_that("every argument of a method is one of its options", {
  methods <- hsel_methods(c("selector", "classifier", "ranker", "measure"))
  prefixes <- c(selector = "select_", classifier = "classify_", ranker = "rank_", measure = "rank_")
  for (i in seq_len(nrow(methods))) {
    make <- get(paste0(prefixes[methods$kind[i]], gsub("-", "_", methods$name[i])), asNamespace("hsel"))
    options <- strsplit(methods$options[i], " ")[[1]]
    for (argument in names(formals(make)))
      expect_true(sub("=.*", "", sub("^[^:]*:", "", do.call(make, setNames(list(1), argument)))) %in% options)
  }
})

test_that("notes are warnings", {
  expect_warning(hsel_eval(small, classify = classify_svm(kernel = "rbf", max_steps = 1), folds = 2), "without converging")
})

test_that("an interrupt stops long work", {
  skip_on_os("windows")
  system(sprintf("(sleep 1; kill -INT %d)", Sys.getpid()), wait = FALSE)  # in parentheses: R ignores the signal while it waits
  stopped <- tryCatch(hsel_eval(worm, select = "rpv", repeats = 1000), interrupt = function(condition) "stopped")
  expect_identical(stopped, "stopped")
  expect_s3_class(hsel_select(small), "hsel_selection")
})

test_that("the command makes pages", {
  skip_without_command()
  page <- tempfile(fileext = ".html")
  expect_identical(hsel_explore(small, path = page, select = c("hip", "none"), folds = 2), page)
  expect_match(readChar(page, 15), "<!doctype html>", ignore.case = TRUE)
  expect_error(hsel_report(tempfile(), tempfile()), class = "hsel_error")
  old <- options(hsel.command = "/nowhere/hsel")
  on.exit(options(old))
  expect_error(suppressWarnings(hsel_explore(small, path = page)))
})
