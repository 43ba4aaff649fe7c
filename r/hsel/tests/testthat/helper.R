# SPDX-License-Identifier: GPL-3.0-or-later
# The command beside the package: HSEL_COMMAND, or hsel on the path; tests that need it are skipped without.

command <- function(...) {
  said <- system2(hsel_command(), shQuote(c(...)), stdout = TRUE, stderr = FALSE)
  if (!is.null(attr(said, "status"))) stop("hsel ", paste(c(...), collapse = " "), " failed")
  said
}

skip_without_command <- function() skip_if(!nzchar(hsel_command()), "the command hsel is not there")

# Numbers as the C library reads them; as.numeric() may be off by the last bit.
exact <- function(texts) as.numeric(jsonlite::fromJSON(paste0("[", paste(sub("^$", "null", texts), collapse = ","), "]")))

# A small data set, and the pack of it that the command reads.
small <- hsel_generate("ontology", features = 60, instances = 120, seed = 5)
pack <- tempfile(fileext = ".hsel")
hsel_write(small, pack)

lazy <- with(hsel_methods("selector"), name[grepl("lazy", flags)])

animals <- local({
  x <- rbind(c(1, 1, 1, 0, 0), c(1, 1, 0, 1, 0), c(1, 0, 0, 0, 1), c(1, 1, 1, 1, 0), c(1, 0, 0, 0, 1), c(1, 1, 0, 0, 0))
  colnames(x) <- c("animal", "mammal", "dog", "cat", "bird")
  list(x = x, y = c("pet", "pet", "wild", "pet", "wild", "wild"),
       edges = data.frame(child = c("dog", "cat", "mammal", "bird"), parent = c("mammal", "mammal", "animal", "animal")))
})
