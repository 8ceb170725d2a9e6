"""Pictures and numbers out of the session: to a file, to the clipboard."""
