"""qkviz from Python: what `import qkviz` offers, each part loaded when it is first asked for."""
