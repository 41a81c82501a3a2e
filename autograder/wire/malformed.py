"""The error for bytes that no honest room sends."""

from __future__ import annotations


class Malformed(ValueError):
    """Bytes that no honest encoder writes."""
