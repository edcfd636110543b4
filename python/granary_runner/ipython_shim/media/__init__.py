"""Pictures, sound and video as IPython's classes."""
