"""Canvases: widgets that paint one thing and tell what the hand did on it."""
