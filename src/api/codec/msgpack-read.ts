import { ProtocolError, show } from "../../core/errors.js";
import { NdArray } from "./ndarray.js";

/** Maximum nesting depth, more than any observation needs. Bounds the recursion of the reader. */
const MAX_DEPTH = 64;

/**
 * Reads one MessagePack value from untrusted bytes. Allocates only for bytes that are present: a frame of five bytes
 * can announce 2^32 entries. Extension types are rejected.
 */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(): unknown {
    const value = this.#value();
    const left = this.#bytes.length - this.#at;
    if (left > 0) throw broken(`${left} bytes follow its value`);
    return value;
  }

  #value(): unknown {
    const lead = this.#take(1);
    const byte = this.#bytes[lead] ?? 0;
    if (byte < 0x80) return byte;
    if (byte >= 0xe0) return byte - 256;
    if (byte < 0x90) return this.#map(byte & 0x0f);
    if (byte < 0xa0) return this.#list(byte & 0x0f);
    if (byte < 0xc0) return this.#text(byte & 0x1f);
    return this.#long(byte);
  }

  #long(byte: number): unknown {
    const b = this.#bytes;
    switch (byte) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#length(byte - 0xc4));
      case 0xca:
        return b.readFloatBE(this.#take(4));
      case 0xcb:
        return b.readDoubleBE(this.#take(8));
      case 0xcc:
        return b.readUInt8(this.#take(1));
      case 0xcd:
        return b.readUInt16BE(this.#take(2));
      case 0xce:
        return b.readUInt32BE(this.#take(4));
      case 0xcf:
        return Number(b.readBigUInt64BE(this.#take(8)));
      case 0xd0:
        return b.readInt8(this.#take(1));
      case 0xd1:
        return b.readInt16BE(this.#take(2));
      case 0xd2:
        return b.readInt32BE(this.#take(4));
      case 0xd3:
        return Number(b.readBigInt64BE(this.#take(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#length(byte - 0xd9));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#length(byte - 0xdb));
      case 0xde:
      case 0xdf:
        return this.#map(this.#length(byte - 0xdd));
      case 0xc1:
        throw broken("it has the byte 0xc1, which MessagePack does not use");
      default:
        throw broken("it has an extension type; extension types are not supported");
    }
  }

  /** Reads a length stored in 2 ** `size` bytes. */
  #length(size: number): number {
    if (size === 0) return this.#bytes.readUInt8(this.#take(1));
    return size === 1
      ? this.#bytes.readUInt16BE(this.#take(2))
      : this.#bytes.readUInt32BE(this.#take(4));
  }

  #text(length: number): string {
    const start = this.#take(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  /** Returns a view of the frame, not a copy. */
  #binary(length: number): Buffer {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  #list(length: number): unknown[] {
    this.#enter(length);
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) list.push(this.#value());
    this.#depth--;
    return list;
  }

  #map(length: number): unknown {
    this.#enter(2 * length);
    const map: Record<string, unknown> = {};
    for (let i = 0; i < length; i++) {
      const key = keyText(this.#value());
      const value = this.#value();
      // Assigning to `__proto__` would change the object's prototype instead of adding a key.
      if (key === "__proto__") Object.defineProperty(map, key, { value, enumerable: true });
      else map[key] = value;
    }
    this.#depth--;
    return special(map);
  }

  #enter(values: number): void {
    if (values > this.#bytes.length - this.#at) {
      throw broken("it announces more values than it has bytes");
    }
    if (++this.#depth > MAX_DEPTH) throw broken(`it nests deeper than ${MAX_DEPTH}`);
  }

  /** Returns the offset of the next `length` bytes and skips them. */
  #take(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) throw broken("it ends within a value");
    this.#at = start + length;
    return start;
  }
}

/** Converts maps that encode NumPy arrays and scalars. */
function special(map: Record<string, unknown>): unknown {
  if (map.__ndarray__ === true) return NdArray.from(map.dtype, map.shape, map.data);
  if (map.__npgeneric__ !== true) return map;
  // openpi writes a scalar's value directly, others as bytes.
  if (!(map.data instanceof Uint8Array)) return map.data;
  return NdArray.from(map.dtype, [], map.data).numbers()[0];
}

function keyText(key: unknown): string {
  if (typeof key === "string") return key;
  if (key instanceof Uint8Array) return Buffer.from(key).toString("utf8");
  if (typeof key === "number") return String(key);
  throw broken(`a map's key is ${show(key)}, not text`);
}

function broken(why: string): ProtocolError {
  return new ProtocolError("bad_frame", `not a MessagePack message: ${why}`);
}
