"""Names the packages: the layers stand in the root, but import as `fairdeal.<layer>`."""

from setuptools import find_packages, setup

LAYERS = ("domain", "application", "infrastructure")

setup(
    packages=[
        "fairdeal",
        "fairdeal.testing",
        *(f"fairdeal.{name}" for name in find_packages(include=[p for a in LAYERS for p in (a, f"{a}.*")])),
    ]
)
