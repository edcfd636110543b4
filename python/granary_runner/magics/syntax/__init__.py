"""The syntax of magics: their forms, options and expanded arguments."""
