"""One cell, from its source to its outcome."""
