"""Numbers out of the program: one writer a format, without Qt."""
