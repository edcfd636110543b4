"""Starts a program inside Landlock and seccomp: python -I -S granary_sandbox.py POLICY PROGRAM ARGUMENTS.

The interpreter must not come from the folder that is not trusted: this runs before the limits do. Python does not cache
compiled scripts, so this file stays short and only starts `granary_limits`.
"""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])
from granary_limits import start  # noqa: E402

start.main()
