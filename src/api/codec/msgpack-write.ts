import { ProtocolError, show } from "../../core/errors.js";
import { frameBuffer } from "./frame-pool.js";
import { NdArray } from "./ndarray.js";

/** How the keys of an array's map are encoded: openpi uses binary keys, vla-eval text keys. */
export type ArrayKeys = "binary" | "text";

/** Values of at least this many bytes are copied directly into the frame, so that images are copied once. */
const LARGE = 1024;

/**
 * Bytes of an array's map before its data: the map header, two keys with one-byte lengths, `true` and the data's
 * length.
 */
const BEFORE_DATA = 1 + (2 + 11) + 1 + (2 + 4) + 5;

/**
 * Type bytes of the two keys before an array's data (0xc4, 0xc5, 0xc6: a length of one, two or four bytes), indexed
 * by the number of padding bytes. Readers accept a length field that is longer than necessary. The padding starts the
 * data at a multiple of four, so that a reader with typed arrays needs no copy.
 */
const PADDED_KEYS = [
  [0xc4, 0xc4],
  [0xc5, 0xc4],
  [0xc5, 0xc5],
  [0xc4, 0xc6],
] as const;

/**
 * Writes one value. Small values go into a buffer that is reused for every frame; large ones are recorded with their
 * offset and copied at the end.
 */
export class MsgpackWriter {
  #keys: ArrayKeys = "binary";
  #small = Buffer.allocUnsafe(8192);
  #at = 0;
  #large: { readonly at: number; readonly bytes: Uint8Array }[] = [];

  write(value: unknown, keys: ArrayKeys): Buffer {
    this.#keys = keys;
    this.#at = 0;
    this.#large = [];
    this.#value(value);
    return this.#frame();
  }

  #frame(): Buffer {
    const frame = frameBuffer(this.#length());
    let from = 0;
    let to = 0;
    for (const { at, bytes } of this.#large) {
      to += this.#small.copy(frame, to, from, at);
      from = at;
      frame.set(bytes, to);
      to += bytes.length;
    }
    this.#small.copy(frame, to, from, this.#at);
    this.#large = [];
    return frame;
  }

  /** Length of the frame so far. */
  #length(): number {
    return this.#large.reduce((sum, { bytes }) => sum + bytes.length, this.#at);
  }

  #value(value: unknown): void {
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "boolean") this.#byte(value ? 0xc3 : 0xc2);
    else if (value === undefined || value === null) this.#byte(0xc0);
    else if (typeof value === "object") this.#object(value);
    else throw new ProtocolError("not_sendable", `${show(value)} cannot be sent`);
  }

  #object(value: object): void {
    if (value instanceof NdArray) this.#array(value);
    else if (value instanceof Uint8Array) this.#bytes(value);
    else if (Array.isArray(value)) this.#list(value);
    else this.#map(Object.entries(value).filter(([, item]) => item !== undefined));
  }

  #list(list: readonly unknown[]): void {
    this.#head(list.length, 0x90, 0x0f, 0xdc);
    for (const item of list) this.#value(item);
  }

  #map(entries: readonly (readonly [string, unknown])[]): void {
    this.#head(entries.length, 0x80, 0x0f, 0xde);
    for (const [key, value] of entries) {
      this.#text(key);
      this.#value(value);
    }
  }

  /** Writes the keys in the order of openpi's msgpack_numpy: some peers compare bytes. */
  #array(array: NdArray): void {
    const bytes = array.bytes();
    const [first, second] = PADDED_KEYS[this.#padding(array)] ?? [0xc4, 0xc4];
    this.#head(4, 0x80, 0x0f, 0xde);
    this.#key("__ndarray__", first);
    this.#byte(0xc3);
    this.#key("data", second);
    this.#bytes(bytes);
    this.#key("dtype");
    this.#text(array.dtype);
    this.#key("shape");
    this.#list(array.shape);
  }

  /** Padding bytes that align a large array of 4-byte numbers, so that a reader can use it without a copy. */
  #padding({ data }: NdArray): number {
    if (this.#keys === "text" || data.byteLength < 65536 || data.BYTES_PER_ELEMENT !== 4) return 0;
    return -(this.#length() + BEFORE_DATA) & 3;
  }

  #key(name: string, kind: 0xc4 | 0xc5 | 0xc6 = 0xc4): void {
    if (this.#keys === "text") {
      this.#text(name);
      return;
    }
    this.#reserve(5 + name.length);
    this.#small[this.#at++] = kind;
    const size = 2 ** (kind - 0xc4);
    this.#at = this.#small.writeUIntBE(name.length, this.#at, size);
    this.#at += this.#small.write(name, this.#at, "latin1");
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    if (length > 31 && length < 256) {
      this.#byte(0xd9);
      this.#byte(length);
    } else this.#head(length, 0xa0, 0x1f, 0xda);
    this.#reserve(length);
    this.#at += this.#small.write(text, this.#at);
  }

  #bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length < 256) {
      this.#byte(0xc4);
      this.#byte(length);
    } else this.#head(length, 0, -1, 0xc5);
    if (length >= LARGE) this.#large.push({ at: this.#at, bytes });
    else {
      this.#reserve(length);
      this.#small.set(bytes, this.#at);
      this.#at += length;
    }
  }

  /** Writes a length inside the type byte, or in the two or four bytes after it. */
  #head(length: number, short: number, shortest: number, long: number): void {
    this.#reserve(5);
    if (length <= shortest) this.#at = this.#small.writeUInt8(short + length, this.#at);
    else if (length < 65536) {
      this.#at = this.#small.writeUInt8(long, this.#at);
      this.#at = this.#small.writeUInt16BE(length, this.#at);
    } else {
      this.#at = this.#small.writeUInt8(long + 1, this.#at);
      this.#at = this.#small.writeUInt32BE(length, this.#at);
    }
  }

  /**
   * Writes whole numbers as integers, so that Python reads the same types as from JSON. Minus zero becomes 0, as in
   * JSON.
   */
  #number(value: number): void {
    this.#reserve(9);
    if (!Number.isSafeInteger(value)) {
      this.#small[this.#at] = 0xcb;
      this.#at = this.#small.writeDoubleBE(value, this.#at + 1);
    } else if (value >= -32 && value < 128) this.#small[this.#at++] = value & 0xff;
    else this.#whole(value);
  }

  /** Uses the fewest bytes: 1, 2, 4 or 8. */
  #whole(value: number): void {
    const isNegative = value < 0;
    const most = isNegative ? -2 * value - 1 : value;
    const size = most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : most < 2 ** 32 ? 4 : 8;
    this.#small[this.#at++] = (isNegative ? 0xd0 : 0xcc) + Math.log2(size);
    if (size === 8) this.#at = this.#small.writeBigInt64BE(BigInt(value), this.#at);
    else if (isNegative) this.#at = this.#small.writeIntBE(value, this.#at, size);
    else this.#at = this.#small.writeUIntBE(value, this.#at, size);
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#small[this.#at++] = byte;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#small.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#small.length * 2, this.#at + length));
    this.#small.copy(larger, 0, 0, this.#at);
    this.#small = larger;
  }
}
