"""Descriptions of values, made without running user code."""
