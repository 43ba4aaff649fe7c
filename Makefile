# SPDX-License-Identifier: GPL-3.0-or-later
# Shortcuts on top of CMake's presets (cmake --list-presets). `make run` and `make check` do everything on a fresh Debian 12.
.PHONY: all setup run check reproduce asan tsan fuzz cover bench docs r-package dist deb reproducible install clean
PREFIX ?= /usr/local
export EXTRA # make check EXTRA=1: with packages-extra.txt, so that no test is skipped

all: build/release/build.ninja
	@cmake --build build/release

setup:
	@scripts/setup

build/%/build.ninja: CMakeLists.txt CMakePresets.json
	@cmake --preset $* >build.$*.log || { cat build.$*.log; rm -f build.$*.log; exit 1; }
	@rm -f build.$*.log

run: setup all
	@scripts/run

check: setup
	@scripts/check

reproduce: setup all
	@scripts/reproduce

asan tsan: setup
	@scripts/check $@

fuzz: setup
	@scripts/fuzz

cover: setup
	@scripts/cover

bench: setup all
	@bench/run

docs: setup all
	@scripts/docs

r-package: all # a package for R with the library's source in it: build/r/hsel_VERSION.tar.gz
	@r/make_package build/release build/r

dist: # the last commit as build/dist/hsel-VERSION.tar.gz
	@scripts/dist

deb: # packages for Debian of it: build/deb
	@packaging/deb build/deb

reproducible: # built twice in two folders: the same bytes?
	@packaging/reproducible

install: all
	@cmake --install build/release --prefix $(PREFIX)

clean:
	@rm -rf build
