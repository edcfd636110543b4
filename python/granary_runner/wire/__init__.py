"""Between Python and the host: frames, the streams with their marks, and what goes back and forth while a cell runs."""
