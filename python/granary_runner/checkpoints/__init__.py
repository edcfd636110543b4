"""Time travel: "Checkpoints" in protocol/README.md.

`checkpoint` forks a sleeping copy of the kernel and makes kernels out of it, `obstacles` says when that would not work,
`descriptors` separates the files of both, `waiting` keeps copies out of `os.wait()`.
"""
