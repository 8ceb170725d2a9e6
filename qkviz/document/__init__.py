"""What the user edits: documents, edits, history, focus, session. No Qt and no torch of its own."""
