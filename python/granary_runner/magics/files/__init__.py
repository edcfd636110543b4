"""Magics about files and folders."""
