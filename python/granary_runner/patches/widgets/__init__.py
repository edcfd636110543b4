"""Widgets of ipywidgets and of the packages that build on it."""
