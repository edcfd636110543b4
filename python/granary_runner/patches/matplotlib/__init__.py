"""Figures of matplotlib as displays."""
