"""Between Python and the host: frames, streams with their marks, and messages while a cell runs."""
