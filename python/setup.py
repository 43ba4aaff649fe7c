# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the shared libraries into the wheel: the one that HSEL_LIBRARY names and that for studies beside it, else those built here by
CMake; and with them, in hsel/needed, the libraries of this system that they need, with what their packages say of their licences."""
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


SYSTEM = ("linux-vdso", "ld-linux", "libc.", "libm.", "libpthread.", "libdl.", "librt.", "libgcc_s.")  # of every system


def needed(library: pathlib.Path) -> dict:
    """Name -> file of the libraries that this one needs, but for those of every system."""
    lines = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout.splitlines()
    found = dict(line.split("=>", 1) for line in lines if "=>" in line)
    return {name.strip(): pathlib.Path(rest.split("(")[0].strip()) for name, rest in found.items() if not name.strip().startswith(SYSTEM)}


def copyright_of(file: pathlib.Path):
    """What Debian's package that has the file says of it, or None."""
    for name in (file, file.resolve(), pathlib.Path("/usr") / str(file)[1:]):
        owner = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True).stdout if shutil.which("dpkg") else ""
        path = pathlib.Path("/usr/share/doc") / owner.split(":")[0] / "copyright"
        if owner and path.exists():
            return path
    return None


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "hsel"
        named = os.environ.get("HSEL_LIBRARY")
        library = pathlib.Path(named) if named else build_library(pathlib.Path(self.build_lib).parent / "library")
        study = library.with_name(library.name.replace("libhsel", "libhsel-study"))
        shutil.copyfile(library, target / "libhsel.so")
        shutil.copyfile(study, target / "libhsel-study.so")
        (target / "needed").mkdir(exist_ok=True)
        for name, file in {**needed(library), **needed(study)}.items():
            shutil.copyfile(file, target / "needed" / name)
            licence = copyright_of(file)
            if licence:
                shutil.copyfile(licence, target / "needed" / f"copyright-{name}")


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
