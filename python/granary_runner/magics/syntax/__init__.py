"""How magics are written: their forms, options and expanded arguments."""
