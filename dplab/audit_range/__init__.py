"""The range: releases that claim to be private, some of which are not, and proofs that they break.

`AuditRange(key)` has thirty releases. A `Witness` names two neighbours, an event and an epsilon,
and `verify` says whether it proves that a release breaks its claim.
"""

from dplab.audit_range.ranges import AuditRange
from dplab.audit_range.witness import Witness, WitnessVerdict, verify

__all__ = ["AuditRange", "Witness", "WitnessVerdict", "verify"]
