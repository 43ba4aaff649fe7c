# SPDX-License-Identifier: GPL-3.0-or-later
# Shortcuts on top of CMake's presets (cmake --list-presets). `make run` and `make check` do everything on a fresh Debian 12.
.PHONY: all setup run test check reproduce asan tsan fuzz cover bench docs r-package dist deb reproducible install clean
PREFIX ?= /usr/local

all: build/release/build.ninja
	@cmake --build build/release

setup:
	@scripts/setup

build/%/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset $* >build.$*.log || { cat build.$*.log; rm -f build.$*.log; exit 1; }
	@rm -f build.$*.log

run: setup all
	@scripts/run

test: build/dev/build.ninja # the quick lane: build, unit and style tests
	@cmake --build build/dev
	@ctest --test-dir build/dev -L '^(unit|style)$$' -j"$$(nproc)" --output-on-failure --progress

check: setup # make check EXTRA=1 also installs packages-extra.txt, so that no test is skipped
	@EXTRA=$(EXTRA) scripts/check

reproduce: setup all
	@scripts/reproduce

asan tsan: setup
	@EXTRA=$(EXTRA) scripts/check $@

fuzz: setup
	@scripts/fuzz

cover: setup
	@scripts/cover

bench: setup all
	@bench/run

docs: setup all
	@scripts/docs

r-package: setup all # a package for R with the library's source in it: build/r/hsel_VERSION.tar.gz
	@scripts/setup r-base-core r-cran-matrix r-cran-jsonlite r-cran-knitr r-cran-markdown
	@r/make_package build/release build/r

dist: # the last commit as build/dist/hsel-VERSION.tar.gz
	@scripts/dist

deb: setup # packages for Debian of it: build/deb
	@scripts/setup lintian debhelper dh-python r-base-dev r-cran-jsonlite r-cran-matrix
	@packaging/deb build/deb

reproducible: setup # built twice in two folders: the same bytes?
	@packaging/reproducible

install: setup all
	@cmake --install build/release --prefix $(PREFIX)

clean:
	@rm -rf build
