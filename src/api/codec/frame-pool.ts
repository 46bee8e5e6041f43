/** Smaller frames are not worth the trouble. */
const SMALLEST = 2 ** 16;
const LARGEST = 2 ** 25;
const MOST = 4;

/**
 * The largest block by which glibc learns how much to keep, less its own header. It gives freed memory back to the
 * system above a threshold that begins at 128 KiB and becomes twice the size of the largest block that was mapped
 * and freed, up to 32 MiB (mallopt(3), M_MMAP_THRESHOLD). Until then every picture that is received costs a page
 * fault for each 4 KiB of it, again and again, which takes longer than all else that is done with it.
 */
const TEACHING_BYTES = 31 * 2 ** 20;
let hasTaught = false;

/** Buffers of frames that nobody needs any more. */
const idle = new Set<Buffer>();

/**
 * Room for a frame. Memory that was used before is taken where there is some: the pages of a new buffer have to be
 * mapped one by one, which for a picture takes longer than to copy it.
 */
export function frameBuffer(length: number): Buffer {
  if (length < SMALLEST) return Buffer.allocUnsafe(length);
  keepFreedMemory(length);
  for (const buffer of idle) {
    if (buffer.length < length || buffer.length > 2 * length) continue;
    idle.delete(buffer);
    return buffer.subarray(0, length);
  }
  // Whole steps: the next frame may be a byte longer, because a number in it has grown a digit.
  return Buffer.allocUnsafeSlow(Math.ceil(length / SMALLEST) * SMALLEST).subarray(0, length);
}

/** Only for who made the frame, once it has been sent and will not be sent again. */
export function recycleFrame(frame: string | Buffer): void {
  if (typeof frame === "string" || frame.length < SMALLEST || frame.length > LARGEST) return;
  const whole = Buffer.from(frame.buffer);
  for (const buffer of idle) if (buffer.buffer === whole.buffer) return;
  idle.add(whole);
  // The oldest goes: sizes that nobody asks for any more would fill the pool for good.
  if (idle.size > MOST) for (const oldest of idle) return void idle.delete(oldest);
}

/** To be called with the size of frames that come or go. The block is never written to, so it takes no memory. */
export function keepFreedMemory(frameBytes: number): void {
  if (hasTaught || frameBytes < SMALLEST) return;
  hasTaught = true;
  Buffer.allocUnsafeSlow(TEACHING_BYTES);
}
