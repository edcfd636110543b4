"""Magics that run something: code, scripts, programs of other languages."""
