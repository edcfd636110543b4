"""A kernel out of a running interpreter, by fork: "Warm interpreters" in protocol/README.md.

`template` is the interpreter that forks, `parent` its conversation with the host, `ahead` what it imports ahead, `child` the
child on its way to a kernel, `renewal` what must not be the same in two processes.
"""
