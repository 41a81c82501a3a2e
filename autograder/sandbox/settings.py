"""The settings of a room, as they go to the server that opens it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from autograder.wire.contract import Limits

PACKET_BYTES = 65_536  # the most of one message, to the server and from it


@dataclass(frozen=True)
class ProcessSettings:
    """`user` is whom to become, if anybody else; `cores` where to stay, all if empty.

    A room that `keeps_files` has no file system of its own: its home is a folder on the disk, and
    what else it may read is `readable`.
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
