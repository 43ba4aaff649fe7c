#!/bin/bash
set -euo pipefail
# conda-forge has neither libRmath nor the headers of Random123 nor raptor: the first is built from R's sources, which meta.yaml fetches into r/,
# and linked statically; the second are fetched, too; without the third RDF is not read.
(cd r && ./configure --prefix="$PWD/../rmath" --with-x=no --with-readline=no --with-recommended-packages=no --without-ICU && make -C src/nmath/standalone static install)
export PKG_CONFIG_PATH="$PWD/rmath/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
# The page of hsel explore needs esbuild, d3 and dagre as Debian has them; without them hsel explore says so.
cmake -S . -B build -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG" -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_TESTING=OFF -DHSEL_RAPTOR=OFF -DHSEL_HDF5=ON -DHSEL_PYTHON_FOLDER= \
    -DRANDOM123_INCLUDE="$PWD/random123/include"
cmake --build build --parallel "${CPU_COUNT:-2}"
cmake --install build
