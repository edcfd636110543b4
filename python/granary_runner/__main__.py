# Python does not cache compiled scripts, so this file stays short and only starts `boot`.
import os
import sys

if sys.version_info < (3, 8):
    _this = "%s, version %d.%d" % ((sys.executable,) + sys.version_info[:2])
    sys.exit("Granary needs Python 3.8 or newer; this is " + _this + ".")

_package = __file__.rpartition("/")[0]
_folder = _package.rpartition("/")[0]
if sys.path and sys.path[0] == _package:
    del sys.path[0]
sys.path.insert(0, _folder)
_writes_none = sys.dont_write_bytecode
sys.dont_write_bytecode = False  # meant for the user's modules; without a cache, ours would be compiled at every start
_prefix = sys.pycache_prefix
_own_cache = os.environ.get("GRANARY_PYCACHE")
if _own_cache and not os.path.isdir(_package + "/__pycache__"):
    sys.pycache_prefix = _own_cache  # a sandbox cannot write beside our files
from granary_runner import boot  # noqa: E402

sys.pycache_prefix = _prefix
sys.dont_write_bytecode = _writes_none
sys.path.remove(_folder)
# This is the outermost frame of every cell. Libraries (bokeh) take its file for the program's, and would write beside it.
del __file__, __loader__, _package, _folder, _prefix, _own_cache
globals().pop("__cached__", None)
boot.main()
