# SPDX-License-Identifier: GPL-3.0-or-later
# Written by r/make_methods from the library's registry.

select_none <- function()
  given_method("selector", "none", c())

select_all_pos <- function()
  given_method("selector", "all-pos", c())

select_all_neg <- function()
  given_method("selector", "all-neg", c())

select_rpv <- function(measure = "lazyr", smoothing = "laplace", lazyr = "equation")
  given_method("selector", "rpv", c(measure = "measure", smoothing = "smoothing", lazyr = "lazyr"))

select_hip <- function()
  given_method("selector", "hip", c())

select_hip_plus <- function()
  given_method("selector", "hip-plus", c())

select_mr <- function(smoothing = "laplace")
  given_method("selector", "mr", c(smoothing = "smoothing"))

select_hip_mr <- function(smoothing = "laplace")
  given_method("selector", "hip-mr", c(smoothing = "smoothing"))

select_hnb <- function(k = 0, smoothing = "laplace")
  given_method("selector", "hnb", c(k = "k", smoothing = "smoothing"))

select_hnb_s <- function(smoothing = "laplace")
  given_method("selector", "hnb-s", c(smoothing = "smoothing"))

select_shsel <- function(similarity = "ig", threshold = 0.99, prune = "strict", mean = "all", paths = "original", cuts = "mdl",
                         bins = 4)
  given_method("selector", "shsel", c(similarity = "similarity", threshold = "threshold", prune = "prune", mean = "mean", paths =
               "paths", cuts = "cuts", bins = "bins"))

select_tsel <- function(reading = "iterative", score = "lift", chi2_top = 0, cuts = "mdl", bins = 4)
  given_method("selector", "tsel", c(reading = "reading", score = "score", chi2_top = "chi2-top", cuts = "cuts", bins = "bins"))

select_gtd <- function(reading = "path", ties = "root", score = "gr", cuts = "mdl", bins = 4)
  given_method("selector", "gtd", c(reading = "reading", ties = "ties", score = "score", cuts = "cuts", bins = "bins"))

select_hfe <- function(threshold = 0.7, prune = "strict", correlation = "pearson", cuts = "mdl", bins = 4)
  given_method("selector", "hfe", c(threshold = "threshold", prune = "prune", correlation = "correlation", cuts = "cuts", bins =
               "bins"))

select_hill_climbing <- function(direction = "bottom-up", k = 5, beta = 0.01, alpha = 0.99, similarity = "cosine")
  given_method("selector", "hill-climbing", c(direction = "direction", k = "k", beta = "beta", alpha = "alpha", similarity =
               "similarity"))

select_taxahfe <- function(prevalence = 0.01, abundance = 0, from = 3, to = 15, correlation = 0.95, seeds = 40, trees = 500, sure
                           = 5, filter = "on", final_seeds = 0)
  given_method("selector", "taxahfe", c(prevalence = "prevalence", abundance = "abundance", from = "from", to = "to", correlation
               = "correlation", seeds = "seeds", trees = "trees", sure = "sure", filter = "filter", final_seeds = "final-seeds"))

select_level <- function(classifier = "nb", metric = "auroc", folds = 5, from = 0)
  given_method("selector", "level", c(classifier = "classifier", metric = "metric", folds = "folds", from = "from"))

select_fdr <- function(method = "focused-bh", alpha = 0.05, test = "auto", tail = "both", mid = FALSE, permutations = 0,
                       min_present = 0.05, filter = "outer", similar = 0.7, outer = FALSE, cut = 0.01)
  given_method("selector", "fdr", c(method = "method", alpha = "alpha", test = "test", tail = "tail", mid = "mid", permutations =
               "permutations", min_present = "min-present", filter = "filter", similar = "similar", outer = "outer", cut = "cut"))

select_rnb <- function(k = 0, smoothing = "laplace")
  given_method("selector", "rnb", c(k = "k", smoothing = "smoothing"))

select_sig <- function(threshold = 0.01, normalize = FALSE, cuts = "mdl", bins = 4)
  given_method("selector", "sig", c(threshold = "threshold", normalize = "normalize", cuts = "cuts", bins = "bins"))

select_sc <- function(threshold = 0.95)
  given_method("selector", "sc", c(threshold = "threshold"))

select_cfs <- function(lookup = 1, termination = 5, locally_predictive = TRUE)
  given_method("selector", "cfs", c(lookup = "lookup", termination = "termination", locally_predictive = "locally-predictive"))

select_relieff <- function(threshold = 0.01, k = 10, weight = FALSE, sigma = 2, order = "index")
  given_method("selector", "relieff", c(threshold = "threshold", k = "k", weight = "weight", sigma = "sigma", order = "order"))

select_top <- function(by = "auc", k = 25, share = 0)
  given_method("selector", "top", c(by = "by", k = "k", share = "share"))

select_mrmr <- function(k = 20, related = "allowed")
  given_method("selector", "mrmr", c(k = "k", related = "related"))

select_jmi <- function(k = 20, related = "allowed")
  given_method("selector", "jmi", c(k = "k", related = "related"))

select_cmim <- function(k = 20, related = "allowed")
  given_method("selector", "cmim", c(k = "k", related = "related"))

select_ga <- function(preset = "auto", mutation = "auto", population = 0, generations = 0, elite = -1, tournament = 0, crossover =
                      -1, sp = -1, bp = -1, mutate = "simultaneous", classifier = "nb", metric = "gm", folds = 5, fitness =
                      "fast", seed = 0)
  given_method("selector", "ga", c(preset = "preset", mutation = "mutation", population = "population", generations =
               "generations", elite = "elite", tournament = "tournament", crossover = "crossover", sp = "sp", bp = "bp", mutate =
               "mutate", classifier = "classifier", metric = "metric", folds = "folds", fitness = "fitness", seed = "seed"))

select_stability <- function(of = "top", runs = 100, share = 0.5, threshold = 0.7, permutations = 10)
  given_method("selector", "stability", c(of = "of", runs = "runs", share = "share", threshold = "threshold", permutations =
               "permutations"))

select_ensemble <- function(of = "top", runs = 20, share = 0.632, by = "mean", k = 20)
  given_method("selector", "ensemble", c(of = "of", runs = "runs", share = "share", by = "by", k = "k"))

select_boruta <- function(runs = 100, trees = 500, alpha = 0.01, shadows = "independent")
  given_method("selector", "boruta", c(runs = "runs", trees = "trees", alpha = "alpha", shadows = "shadows"))

classify_nb <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none",
                        numeric = "gaussian", tails = "weka")
  given_method("classifier", "nb", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", numeric = "numeric", tails = "tails"))

classify_knn <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none", k
                         = 3, smoothing = "prior")
  given_method("classifier", "knn", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", k = "k", smoothing = "smoothing"))

classify_aode <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none",
                          frequency = 1, smoothing = "laplace", weight = 1, memory = 256)
  given_method("classifier", "aode", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", frequency = "frequency", smoothing = "smoothing", weight =
               "weight", memory = "memory"))

classify_hie_aode <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset =
                              "none", frequency = 1, smoothing = "laplace", weight = 1, memory = 256)
  given_method("classifier", "hie-aode", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", frequency = "frequency", smoothing = "smoothing", weight =
               "weight", memory = "memory"))

classify_hie_aode_lite <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset =
                                   "none", frequency = 1, smoothing = "laplace", weight = 1, memory = 256)
  given_method("classifier", "hie-aode-lite", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", frequency = "frequency", smoothing = "smoothing", weight =
               "weight", memory = "memory"))

classify_svm <- function(calibration = "none", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none",
                         kernel = "linear", solver = "auto", c = "auto", gamma = 0, degree = 3, coef0 = 0, grid = "none",
                         grid_folds = 5, metric = "accuracy", probability = "platt", normalise = TRUE, tolerance = 0.001,
                         max_steps = 1000000, cache = 256)
  given_method("classifier", "svm", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", kernel = "kernel", solver = "solver", c = "c", gamma =
               "gamma", degree = "degree", coef0 = "coef0", grid = "grid", grid_folds = "grid-folds", metric = "metric",
               probability = "probability", normalise = "normalise", tolerance = "tolerance", max_steps = "max-steps", cache =
               "cache"))

classify_tan <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none",
                         cmi = "smoothed")
  given_method("classifier", "tan", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", cmi = "cmi"))

classify_ban <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none")
  given_method("classifier", "ban", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset"))

classify_hre_tan <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset =
                             "none", memory = 256)
  given_method("classifier", "hre-tan", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", memory = "memory"))

classify_logistic <- function(calibration = "none", threshold = "none", cost = 1, inner_folds = 5, weights = "none", penalty =
                              "ridge", l1_ratio = 0.5, lambda = "auto", folds = 5, scale = "numeric")
  given_method("classifier", "logistic", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", penalty = "penalty", l1_ratio = "l1-ratio", lambda = "lambda", folds = "folds",
               scale = "scale"))

classify_proximal_graph <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", lambda
                                    = "auto", lambdas = 15, ratio = 0.02, folds = 5, tolerance = 0.001, iterations = 2000, scale =
                                    "numeric", groups = "none", free = "none")
  given_method("classifier", "proximal-graph", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds
               = "inner-folds", weights = "weights", lambda = "lambda", lambdas = "lambdas", ratio = "ratio", folds = "folds",
               tolerance = "tolerance", iterations = "iterations", scale = "scale", groups = "groups", free = "free"))

classify_tree <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset = "none",
                          confidence = 0.25, min = 2, pruning = TRUE, raising = TRUE, collapse = TRUE, mdl = TRUE, laplace = TRUE)
  given_method("classifier", "tree", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", confidence = "confidence", min = "min", pruning = "pruning",
               raising = "raising", collapse = "collapse", mdl = "mdl", laplace = "laplace"))

classify_forest <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", preset =
                            "none", trees = 500, features = 0, rule = "sqrt", retry = FALSE, depth = 0, min = 1, bootstrap =
                            "true", criterion = "gini", lineage = "any", permutation = FALSE, corrected = FALSE)
  given_method("classifier", "forest", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", preset = "preset", trees = "trees", features = "features", rule = "rule", retry
               = "retry", depth = "depth", min = "min", bootstrap = "bootstrap", criterion = "criterion", lineage = "lineage",
               permutation = "permutation", corrected = "corrected"))

classify_boost <- function(calibration = "none", threshold = "none", cost = 1, inner_folds = 5, weights = "none", rounds = "auto",
                           rate = 0.05, depth = 4, min_weight = 1, rows = 1, features = 0.2, folds = 5)
  given_method("classifier", "boost", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", rounds = "rounds", rate = "rate", depth = "depth", min_weight = "min-weight",
               rows = "rows", features = "features", folds = "folds"))

classify_blend <- function(calibration = "platt", threshold = "none", cost = 1, inner_folds = 3, weights = "none", members =
                           "default", by = "rank")
  given_method("classifier", "blend", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", members = "members", by = "by"))

classify_pu <- function(calibration = "auto", threshold = "none", cost = 1, inner_folds = 5, weights = "none", base = "default",
                        by = "bagging", rounds = 30, size = 2, limit = 0.3, held_out = 5, reliable = "auto", similarity =
                        "jaccard", k = 10, share = 0.5)
  given_method("classifier", "pu", c(calibration = "calibration", threshold = "threshold", cost = "cost", inner_folds =
               "inner-folds", weights = "weights", base = "base", by = "by", rounds = "rounds", size = "size", limit = "limit",
               held_out = "held-out", reliable = "reliable", similarity = "similarity", k = "k", share = "share"))

rank_f <- function()
  given_method("ranker", "f", c())

rank_or <- function(zero = "paper")
  given_method("ranker", "or", c(zero = "zero"))

rank_pow <- function()
  given_method("ranker", "pow", c())

rank_pr <- function(zero = "paper")
  given_method("ranker", "pr", c(zero = "zero"))

rank_gi <- function()
  given_method("ranker", "gi", c())

rank_mi <- function()
  given_method("ranker", "mi", c())

rank_ks <- function()
  given_method("ranker", "ks", c())

rank_dev <- function()
  given_method("ranker", "dev", c())

rank_gm <- function()
  given_method("ranker", "gm", c())

rank_auc <- function()
  given_method("ranker", "auc", c())

rank_prc <- function()
  given_method("ranker", "prc", c())

rank_relieff <- function(k = 10)
  given_method("ranker", "relieff", c(k = "k"))

rank_relieff_w <- function(k = 10, sigma = 2)
  given_method("ranker", "relieff-w", c(k = "k", sigma = "sigma"))

rank_pearson <- function()
  given_method("ranker", "pearson", c())

rank_spearman <- function()
  given_method("ranker", "spearman", c())

rank_lazyr <- function(form = "equation")
  given_method("measure", "lazyr", c(form = "form"))

rank_r <- function(smoothing = "laplace")
  given_method("measure", "r", c(smoothing = "smoothing"))

rank_ig <- function()
  given_method("measure", "ig", c())

rank_gr <- function()
  given_method("measure", "gr", c())

rank_su <- function()
  given_method("measure", "su", c())

rank_chi2 <- function()
  given_method("measure", "chi2", c())

rank_lift <- function()
  given_method("measure", "lift", c())

rank_phi <- function()
  given_method("measure", "phi", c())

rank_gini <- function()
  given_method("measure", "gini", c())
