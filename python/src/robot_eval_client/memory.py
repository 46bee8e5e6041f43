"""Lets the allocator keep what large frames leave behind."""

from __future__ import annotations

# glibc gives freed memory back to the system above a threshold that begins at 128 KiB and becomes twice the size of
# the largest block that was mapped and freed, up to 32 MiB (mallopt(3), M_MMAP_THRESHOLD). Until then each copy of a
# picture costs a page fault for every 4 KiB, again and again, which can take longer than all else that is done with it.
_TEACHING_BYTES = 31 * 1024 * 1024
_LARGE_FRAME = 64 * 1024
_has_taught = False


def keep_freed_memory(frame_bytes: int) -> None:
    """To be called with the size of each frame. The block is never written to, so it takes no memory."""
    global _has_taught
    if not _has_taught and frame_bytes >= _LARGE_FRAME:
        _has_taught = True
        bytearray(_TEACHING_BYTES)
