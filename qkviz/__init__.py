"""See why QKᵀ holds the relations between words."""

__version__ = "0.1.0"
