"""Pictures: one QPainter routine for the screen, PNG, SVG, PDF, the clipboard and the preview."""
