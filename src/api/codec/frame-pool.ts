/** Smaller frames are not worth the trouble. */
const SMALLEST = 2 ** 16;
const LARGEST = 2 ** 25;
const MOST = 4;

/** Buffers of frames that nobody needs any more. */
const idle = new Set<Buffer>();

/**
 * Room for a frame. Memory that was used before is taken where there is some: the pages of a new buffer have to be
 * mapped one by one, which for a picture takes longer than to copy it.
 */
export function frameBuffer(length: number): Buffer {
  if (length < SMALLEST) return Buffer.allocUnsafe(length);
  for (const buffer of idle) {
    if (buffer.length < length || buffer.length > 2 * length) continue;
    idle.delete(buffer);
    return buffer.subarray(0, length);
  }
  return Buffer.allocUnsafeSlow(length);
}

/** Only for who made the frame, once it has been sent and will not be sent again. */
export function recycleFrame(frame: string | Buffer): void {
  if (typeof frame === "string" || frame.length < SMALLEST || frame.length > LARGEST) return;
  if (idle.size >= MOST) return;
  const whole = Buffer.from(frame.buffer);
  for (const buffer of idle) if (buffer.buffer === whole.buffer) return;
  idle.add(whole);
}
