# SPDX-License-Identifier: GPL-3.0-or-later
# Writes data/worm.rda of the package from data/rpv/CE-BP, with the package installed. Usage, in the folder of the sources: Rscript r/make_data.R
worm <- hsel::hsel_read("data/rpv/CE-BP", drop_roots = TRUE)
attr(worm, "pointer") <- NULL
save(worm, file = "r/hsel/data/worm.rda", compress = "xz", version = 2)
