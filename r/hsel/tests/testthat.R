# SPDX-License-Identifier: GPL-3.0-or-later
library(testthat)
library(hsel)
test_check("hsel")
