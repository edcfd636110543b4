"""Profilers that look for the file of a function."""
