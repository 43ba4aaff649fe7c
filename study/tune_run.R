suppressPackageStartupMessages(library(irace))
scenario <- readScenario('scenario.txt')
parameters <- readParameters(scenario$parameterFile, digits = scenario$digits)
best <- irace(scenario = scenario, parameters = parameters)[1, ]
given <- Filter(function(name) !is.na(best[[name]]), parameters$names)
said <- vapply(given, function(name)
    paste0(parameters$switches[[name]], format(best[[name]], digits = 15,
                                               scientific = FALSE, trim = TRUE)), '')
writeLines(said, 'best.txt')
load('irace.Rdata')
values <- iraceResults$experiments[, as.character(best$.ID.)]
writeLines(format(sign * mean(values, na.rm = TRUE), digits = 15), 'mean.txt')
