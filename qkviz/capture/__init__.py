"""Real models: what their attention layers compute on a text, taken from the model itself."""
