"""rich in a cell: HTML for notebooks, plain progress bars."""
