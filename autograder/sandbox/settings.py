"""The settings of a student process, as sent to the server that forks it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from autograder.wire.contract import Limits

PACKET_BYTES = 65_536  # of the longest message to the server or from it


@dataclass(frozen=True)
class ProcessSettings:
    """The settings of a student process.

    `user` is the user to become, or None for no change. `cores` are the cores to stay on; if empty,
    all are allowed. A process that `keeps_files` has no separate file system: its home is a folder
    on the disk, and it may also read the paths in `readable`.
    """

    seed: bytes
    limits: Limits
    user: int | None
    keeps_files: bool
    readable: tuple[str, ...]
    cores: tuple[int, ...]

    def packed(self) -> dict:
        return asdict(self)

    @classmethod
    def unpacked(cls, fields: dict) -> ProcessSettings:
        lists = {name: tuple(fields[name]) for name in ("readable", "cores")}
        return cls(**fields | lists | {"limits": Limits(**fields["limits"])})
