"""What Granary wants to know about a Python, asked by running this file with it.

It has to run on Python 2.7 too: an old Python is to say how old it is, not to stumble over the question.
"""

import os
import sys

MODULES = ("ipykernel", "jupyter_client", "kernel_gateway", "IPython", "pip")

# A line that begins like this is the answer; a sitecustomize or an activation script may print lines of its own.
MARK = "granary-probe: "


def main():
    forget_own_folder()
    dumps, find_spec = borrow_from_standard_library()
    watched = [
        os.__file__,  # gone when the Python under a virtual environment was removed
        os.path.join(sys.prefix, "pyvenv.cfg"),
    ] + package_folders()
    facts = {
        # First the times, then the modules: an installation between the two is noticed the next time.
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
    """Python puts a script's folder first on its path, unless it was told to be safe."""
    if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]


def borrow_from_standard_library():
    """An empty entry in PYTHONPATH means the working folder, and there may be anybody's `json.py` in it."""
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
    """Where packages are looked for: all of the path but the standard library, and where `pip --user` would install."""
    standard_library = os.path.dirname(os.__file__)
    folders = [path for path in sys.path if path != standard_library and is_for_packages(path)]
    site = sys.modules.get("site")
    if getattr(site, "ENABLE_USER_SITE", False) and site.USER_SITE not in folders:
        folders.append(site.USER_SITE)
    return folders


def is_for_packages(path):
    return os.path.basename(path) != "lib-dynload" and not path.endswith(".zip")


def changed_at(path):
    """In nanoseconds and as text, because JavaScript's numbers are too short for it."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return str(getattr(stat, "st_mtime_ns", None))


def is_importable(name, find_spec):
    """Found, not imported. A folder that merely has the name, without a package in it, has no origin."""
    try:
        spec = find_spec(name)
    except Exception:
        return False
    return spec is not None and spec.origin is not None


main()
