"""The wheel: the module and, where `make` has built it, the shared library; else that of the system is used."""
import os
import re
import shutil

try:
    from setuptools import setup
    from setuptools.command.build_py import build_py
    from wheel.bdist_wheel import bdist_wheel
except ImportError as error:
    raise SystemExit(f"urlsift: {error}; first install the Python packages setuptools and wheel") from None

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
BUILT = [os.path.join(TOP, "build", name) for name in ("liburlsift.so", "liburlsift.dylib")]
LIBRARY = next(filter(os.path.exists, BUILT), None)


class Build(build_py):
    def run(self):
        super().run()
        if LIBRARY:
            shutil.copy(LIBRARY, os.path.join(self.build_lib, "urlsift"))


class Wheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = not LIBRARY

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


with open(os.path.join(TOP, "include", "urlsift.h"), encoding="utf-8") as header:
    numbers = re.findall(r"#define URLSIFT_VERSION_\w+ (\d+)", header.read())
work = os.path.join(TOP, "build", "python")  # nothing is left in the source tree
os.makedirs(work, exist_ok=True)
setup(version=".".join(numbers), cmdclass={"build_py": Build, "bdist_wheel": Wheel},
      options={"build": {"build_base": work}, "egg_info": {"egg_base": work}})
