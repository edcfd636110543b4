"""Comms: how widgets talk to their views in a front end of Jupyter's. Loaded when a cell imports the package `comm`."""
