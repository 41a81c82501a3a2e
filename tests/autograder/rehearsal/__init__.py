"""Tests of how sure checks are."""
