"""Attacks: what breaks where a promise was not meant, not kept, or never made."""
