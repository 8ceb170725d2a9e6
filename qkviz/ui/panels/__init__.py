"""One panel a file: what stands in a dock."""
