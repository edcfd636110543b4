"""Values looked at without running any code of the user's."""
