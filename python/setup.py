# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the shared libraries into the wheel: the one that HSEL_LIBRARY names and that for studies beside it, else those built here by
CMake."""
import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent


def build_library(folder: pathlib.Path) -> pathlib.Path:
    source = HERE.parent
    if not (source / "CMakeLists.txt").exists():
        raise SystemExit("hsel: HSEL_LIBRARY must name libhsel.so, as the sources of the library are not beside this folder")
    subprocess.run(["cmake", "-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "hsel_shared", "hsel_study_shared", "--parallel"], check=True)
    return folder / "libhsel.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "hsel"
        named = os.environ.get("HSEL_LIBRARY")
        library = pathlib.Path(named) if named else build_library(pathlib.Path(self.build_lib).parent / "library")
        shutil.copyfile(library, target / "libhsel.so")
        shutil.copyfile(library.with_name(library.name.replace("libhsel", "libhsel-study")), target / "libhsel-study.so")


class BinaryDistribution(Distribution):
    """The wheel is for one platform, and for any Python that has ctypes."""

    def has_ext_modules(self):
        return True


def tag_for_any_python():
    from wheel.bdist_wheel import bdist_wheel

    class Tagged(bdist_wheel):
        def get_tag(self):
            return ("py3", "none", super().get_tag()[2])
    return Tagged


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": tag_for_any_python()}, distclass=BinaryDistribution)
