"""One cell: from its source to how it ended."""
