"""The window: PySide6 widgets that draw snapshots and emit edits."""
