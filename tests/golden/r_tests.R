# SPDX-License-Identifier: GPL-3.0-or-later
# Writes r_tests.csv: p-values of base R for random tables and samples. Rscript tests/golden/r_tests.R > tests/golden/r_tests.csv
# kind; numbers separated by blanks; p
set.seed(1)
say <- function(kind, numbers, p) cat(sprintf("%s;%s;%.15g\n", kind, paste(format(numbers, digits = 15, trim = TRUE), collapse = " "), p))
for (i in 1:150) {
  size <- c(sample(1:400, 1), sample(1:60, 1))
  rate <- runif(2) ^ 2
  a <- rbinom(2, size, rate)
  m <- rbind(a, size - a)
  for (tail in c("two.sided", "greater", "less")) say(paste0("fisher-", tail), c(a, size), fisher.test(m, alternative = tail)$p.value)
  if (all(rowSums(m) > 0)) {
    say("chi2", c(a, size), suppressWarnings(chisq.test(m, correct = FALSE)$p.value))
    e <- outer(rowSums(m), colSums(m)) / sum(m)
    g <- 2 * sum(ifelse(m > 0, m * log(m / e), 0))
    say("g", c(a, size), pchisq(g, 1, lower.tail = FALSE))
  }
}
for (i in 1:60) {
  k <- sample(3:4, 1)
  size <- sample(2:14, k, TRUE)
  a <- rbinom(k, size, runif(k))
  m <- rbind(a, size - a)
  if (all(rowSums(m) > 0)) {
    say("halton", c(a, size), fisher.test(m)$p.value)
    say("chi2", c(a, size), suppressWarnings(chisq.test(m, correct = FALSE)$p.value))
  }
}
for (i in 1:40) {
  s <- sample(2:5, 1)
  strata <- lapply(1:s, function(j) { size <- sample(4:40, 2, TRUE); a <- rbinom(2, size, runif(1, 0.2, 0.8)); rbind(a, size) })
  tables <- array(unlist(lapply(strata, function(x) rbind(x[1, ], x[2, ] - x[1, ]))), c(2, 2, s))
  say("cmh", unlist(lapply(strata, function(x) c(x[1, ], x[2, ]))), mantelhaen.test(tables, correct = FALSE)$p.value)
}
for (i in 1:60) {
  k <- if (i %% 3) 2 else sample(3:4, 1)
  n <- if (i %% 2) sample(8:30, 1) else sample(40:90, 1)
  class <- c(1:k, 1:k, sample(1:k, n, TRUE)) - 1
  x <- rnorm(length(class)) + class * runif(1)
  x <- if (i %% 5 == 0) round(x * 2) else round(x, 3)
  numbers <- c(k, rbind(x, class))
  # without ties R takes the exact distribution below 50 in each class, we for 50 in all
  exact <- length(x) <= 50 && !any(duplicated(x))
  p <- if (k == 2) suppressWarnings(wilcox.test(x[class == 0], x[class == 1], exact = exact)$p.value) else kruskal.test(x, class)$p.value
  say("ranks", numbers, p)
  say("means", numbers, oneway.test(x ~ class)$p.value)
}
for (i in 1:60) {
  s <- sample(2:6, 1)
  strata <- lapply(1:s, function(j) {
    size <- if (i %% 3) sample(4:40, 2, TRUE) else c(sample(200:900, 1), sample(2:12, 1))
    a <- rbinom(2, size, if (i %% 3) runif(2) else runif(2)^5)
    rbind(a, size)
  })
  tables <- array(unlist(lapply(strata, function(x) rbind(x[1, ], x[2, ] - x[1, ]))), c(2, 2, s))
  # R refuses strata in which nothing varies
  if (any(apply(tables, 3, function(t) any(rowSums(t) == 0)))) next
  for (tail in c("two.sided", "greater", "less"))
    say(paste0("strata-", tail), unlist(lapply(strata, function(x) c(x[1, ], x[2, ]))), mantelhaen.test(tables, exact = TRUE, alternative = tail)$p.value)
}
