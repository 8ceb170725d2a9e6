"""Snapshot to content: pure functions that say in numbers, texts and arrays what a panel shows."""
