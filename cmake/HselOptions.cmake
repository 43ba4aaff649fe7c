# SPDX-License-Identifier: GPL-3.0-or-later
# Parts that can be left out: AUTO takes what is there, ON insists, OFF leaves it out. `hsel version` shows the result.
foreach(part RAPTOR HDF5)
  set(HSEL_${part} AUTO CACHE STRING "AUTO, ON or OFF")
  set_property(CACHE HSEL_${part} PROPERTY STRINGS AUTO ON OFF)
endforeach()
option(HSEL_WERROR "Treat warnings as errors" OFF)
option(HSEL_32BIT "Allow a build for 32 bits, for tests: products of the sizes of data and models are not checked against overflow there" OFF)
option(HSEL_COVERAGE "Measure test coverage" OFF)
option(HSEL_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(HSEL_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
