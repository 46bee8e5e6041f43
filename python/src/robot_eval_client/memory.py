"""Makes glibc's allocator keep the memory of large frames for reuse."""

from __future__ import annotations

# glibc maps blocks above a threshold, and returns them to the system when they are freed. The threshold starts at
# 128 KiB and rises to the size of the largest mapped block that was freed, up to 32 MiB (mallopt(3),
# M_MMAP_THRESHOLD). Until it rises, each copy of an image causes a page fault per 4 KiB, which can dominate its cost.
_BLOCK_BYTES = 31 * 1024 * 1024
_LARGE_FRAME = 64 * 1024
_threshold_raised = False


def keep_freed_memory(frame_bytes: int) -> None:
    """Raises the threshold at the first large frame, by freeing one large block. The block is never written to."""
    global _threshold_raised
    if not _threshold_raised and frame_bytes >= _LARGE_FRAME:
        _threshold_raised = True
        bytearray(_BLOCK_BYTES)
