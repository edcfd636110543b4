"""Reports facts about a Python to Granary, which runs this file with that Python.

It must also run on Python 2.7: an old Python should report its version, not a syntax error.
"""

import os
import sys

MODULES = ("ipykernel", "jupyter_client", "kernel_gateway", "IPython", "pip")

# The answer begins like this; a sitecustomize or an activation script may print other lines.
MARK = "granary-probe: "


def main():
    forget_own_folder()
    dumps, find_spec = borrow_from_standard_library()
    watched = [
        os.__file__,  # missing if the Python under a virtual environment was removed
        os.path.join(sys.prefix, "pyvenv.cfg"),
    ] + package_folders()
    facts = {
        # First the times, then the modules, so that the next check notices an installation in between.
        "watched": dict((path, changed_at(path)) for path in watched),
        "version": "%d.%d.%d" % sys.version_info[:3],
        "implementation": sys.implementation.name if hasattr(sys, "implementation") else "cpython",
        "executable": sys.executable or "",
        "prefix": sys.prefix,
        "basePrefix": getattr(sys, "base_prefix", sys.prefix),
        "sitePackages": package_folders(),
        "modules": [name for name in MODULES if is_importable(name, find_spec)],
    }
    sys.stdout.write("\n" + MARK + dumps(facts) + "\n")
    sys.stdout.flush()


def forget_own_folder():
    """Python puts a script's folder first on its path, except in safe mode."""
    if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]


def borrow_from_standard_library():
    """An empty entry in PYTHONPATH means the working folder, which may have any `json.py`."""
    users = sys.path[:]
    sys.path.insert(0, os.path.dirname(os.__file__))
    try:
        from json import dumps

        try:
            from importlib.util import find_spec
        except ImportError:
            find_spec = None
    finally:
        sys.path[:] = users
    return dumps, find_spec


def package_folders():
    """The folders of packages: the path without the standard library, and the folder of `pip --user`."""
    standard_library = os.path.dirname(os.__file__)
    folders = [path for path in sys.path if path != standard_library and is_for_packages(path)]
    site = sys.modules.get("site")
    if getattr(site, "ENABLE_USER_SITE", False) and site.USER_SITE not in folders:
        folders.append(site.USER_SITE)
    return folders


def is_for_packages(path):
    return os.path.basename(path) != "lib-dynload" and not path.endswith(".zip")


def changed_at(path):
    """In nanoseconds and as text, because JavaScript's numbers have too few digits."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return str(getattr(stat, "st_mtime_ns", None))


def is_importable(name, find_spec):
    """Found, not imported. A folder of that name without a package in it has no origin."""
    try:
        spec = find_spec(name)
    except Exception:
        return False
    return spec is not None and spec.origin is not None


main()
