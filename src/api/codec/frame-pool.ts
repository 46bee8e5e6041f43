/** Smaller frames are allocated without the pool. */
const MIN_BYTES = 2 ** 16;
const MAX_BYTES = 2 ** 25;
const MAX_IDLE = 4;

/**
 * Size of the block that raises glibc's threshold for returning freed memory to the system, less glibc's header. The
 * threshold starts at 128 KiB and grows to twice the largest block that was mapped and freed, up to 32 MiB
 * (mallopt(3), M_MMAP_THRESHOLD). Below it, every received image costs one page fault per 4 KiB, which takes longer
 * than decoding the image.
 */
const THRESHOLD_BLOCK_BYTES = 31 * 2 ** 20;
let isRaised = false;

/** Returned buffers that can be reused. */
const idle = new Set<Buffer>();

/**
 * Returns a buffer for a frame, reusing a returned one if possible. Mapping the pages of a new buffer takes longer
 * than copying an image into it.
 */
export function frameBuffer(length: number): Buffer {
  if (length < MIN_BYTES) return Buffer.allocUnsafe(length);
  raiseFreeThreshold(length);
  for (const buffer of idle) {
    if (buffer.length < length || buffer.length > 2 * length) continue;
    idle.delete(buffer);
    return buffer.subarray(0, length);
  }
  // Round up: the next frame may be a few bytes longer, for example when a number in it gains a digit.
  return Buffer.allocUnsafeSlow(Math.ceil(length / MIN_BYTES) * MIN_BYTES).subarray(0, length);
}

/**
 * Returns a frame's buffer to the pool. Call it only from the code that made the frame, once the frame will not be
 * sent again.
 */
export function recycleFrame(frame: string | Buffer): void {
  if (typeof frame === "string" || frame.length < MIN_BYTES || frame.length > MAX_BYTES) return;
  const whole = Buffer.from(frame.buffer);
  for (const buffer of idle) if (buffer.buffer === whole.buffer) return;
  idle.add(whole);
  // Drop the oldest buffer, or sizes that are no longer requested would fill the pool.
  if (idle.size > MAX_IDLE) for (const oldest of idle) return void idle.delete(oldest);
}

/**
 * Raises glibc's threshold once; call it with the size of each frame. The block is never written, so it takes no
 * memory.
 */
export function raiseFreeThreshold(frameBytes: number): void {
  if (isRaised || frameBytes < MIN_BYTES) return;
  isRaised = true;
  Buffer.allocUnsafeSlow(THRESHOLD_BLOCK_BYTES);
}
