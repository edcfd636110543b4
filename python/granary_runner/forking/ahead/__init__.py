"""Modules that a warm interpreter imports ahead of its kernels: which, what they may not do, and what of them a cell gets."""
