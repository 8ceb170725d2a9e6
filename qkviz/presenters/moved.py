"""Which vectors were moved by hand."""

from __future__ import annotations

import numpy as np

from qkviz.attention.inputs import ProjectedInputs
from qkviz.document.document import Role
from qkviz.document.session import Snapshot


def moved_rows(snapshot: Snapshot, role: Role) -> frozenset[int]:
    """Return the tokens of a role whose vector was moved by hand away from its projection."""
    inputs = snapshot.document.inputs
    if not isinstance(inputs, ProjectedInputs):
        return frozenset()
    offsets = inputs.query_offsets if role is Role.QUERY else inputs.key_offsets
    if offsets is None:
        return frozenset()
    return frozenset(np.flatnonzero(offsets.numpy().any(axis=1)).tolist())
