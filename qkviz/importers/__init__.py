"""Readers of files that hold matrices. They are pure and safe: nothing that a file says is ever run."""
