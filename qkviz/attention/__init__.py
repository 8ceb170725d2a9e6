"""The mathematics of one attention head: frozen inputs in, a frozen trace of every stage out.

Start with `qkviz.attention.trace`. Everything is PyTorch in float64 on the CPU; nothing here knows of a
window. Rows are queries and columns are keys, always: ``weights[query, key]``.
"""
