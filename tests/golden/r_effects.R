# SPDX-License-Identifier: GPL-3.0-or-later
# Writes r_effects.csv: effects with 95 % intervals of base R for random tables and samples. Rscript tests/golden/r_effects.R > tests/golden/r_effects.csv
# kind; numbers separated by blanks; value; low; high
set.seed(2)
say <- function(kind, numbers, value, interval)
  cat(sprintf("%s;%s;%.15g;%.15g;%.15g\n", kind, paste(format(numbers, digits = 15, trim = TRUE), collapse = " "), value, interval[1], interval[2]))
table_of <- function(a, size) rbind(a, size - a)
for (i in 1:60) {
  size <- c(sample(10:400, 1), sample(10:60, 1))
  a <- rbinom(2, size, runif(2, 0.1, 0.9))
  m <- table_of(a, size) + if (any(table_of(a, size) == 0)) 0.5 else 0
  log_odds <- log(m[1, 1] * m[2, 2] / (m[1, 2] * m[2, 1]))
  say("odds", c(a, size), exp(log_odds), exp(log_odds + c(-1, 1) * qnorm(0.975) * sqrt(sum(1 / m))))
}
for (i in 1:60) {
  s <- sample(2:6, 1)
  strata <- lapply(1:s, function(j) {
    size <- sample(4:60, 2, TRUE)
    rbind(rbinom(2, size, runif(2, 0.1, 0.9)), size)
  })
  tables <- array(unlist(lapply(strata, function(x) table_of(x[1, ], x[2, ]))), c(2, 2, s))
  if (any(apply(tables, 3, function(t) any(rowSums(t) == 0)))) next
  test <- mantelhaen.test(tables)
  if (is.finite(test$estimate) && test$estimate > 0) say("strata", unlist(lapply(strata, function(x) c(x[1, ], x[2, ]))), test$estimate, test$conf.int)
}
for (i in 1:40) {
  class <- c(0, 0, 1, 1, sample(0:1, sample(3:40, 1), TRUE))
  x <- round(rnorm(length(class)) * (1 + class) + class * runif(1), 3)
  test <- t.test(x[class == 0], x[class == 1])
  say("means", c(2, rbind(x, class)), -diff(test$estimate), test$conf.int)
}
