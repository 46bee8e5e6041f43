import { pointBounds } from "../geometry.js";

const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;
const UNSIGNED_INT = 5125;
/** Targets of buffer views: vertices or indices. */
const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;

/** Builds the binary chunk of a GLB: takes arrays and returns the indices of their accessors. */
export class GlbBuffer {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];

  /** Adds a buffer view and returns its index. Each starts at a multiple of four, as accessors require. */
  view(bytes: Uint8Array, target?: number): number {
    const view = { buffer: 0, byteOffset: this.#length, byteLength: bytes.byteLength };
    this.#push(bytes);
    this.#push(new Uint8Array(padding(bytes.byteLength)));
    return this.#views.push({ ...view, ...(target !== undefined && { target }) }) - 1;
  }

  floats(values: Float32Array, type: "VEC2" | "VEC3" | "VEC4", limits: object = {}): number {
    const count = values.length / Number(type.at(-1));
    return this.#accessor(values, { componentType: FLOAT, count, type, ...limits }, ARRAY_BUFFER);
  }

  /** Adds floats with their bounds, which glTF requires for positions. */
  positions(values: Float32Array): number {
    return this.floats(values, "VEC3", values.length > 0 ? pointBounds([values]) : {});
  }

  indices(values: Uint32Array): number {
    // glTF does not allow the largest value of a type as an index.
    const short = values.every((value) => value < 0xffff);
    const array = short ? Uint16Array.from(values) : values;
    const componentType = short ? UNSIGNED_SHORT : UNSIGNED_INT;
    const definition = { componentType, count: values.length, type: "SCALAR" };
    return this.#accessor(array, definition, ELEMENT_ARRAY_BUFFER);
  }

  /** The whole file: header, JSON chunk and binary chunk. */
  glb(json: Readonly<Record<string, unknown>>): Uint8Array {
    const whole = {
      ...json,
      ...(this.#length > 0 && {
        accessors: this.#accessors,
        bufferViews: this.#views,
        buffers: [{ byteLength: this.#length }],
      }),
    };
    const text = new TextEncoder().encode(JSON.stringify(whole));
    const jsonLength = text.length + padding(text.length);
    const binLength = this.#length > 0 ? 8 + this.#length : 0;
    const out = new Uint8Array(20 + jsonLength + binLength);
    const words = new DataView(out.buffer);
    const put = (at: number, ...values: number[]) => {
      values.forEach((value, i) => {
        words.setUint32(at + 4 * i, value, true);
      });
    };
    put(0, 0x46546c67, 2, out.length, jsonLength, 0x4e4f534a);
    out.set(text, 20);
    out.fill(0x20, 20 + text.length, 20 + jsonLength);
    if (binLength > 0) {
      let at = 20 + jsonLength;
      put(at, this.#length, 0x004e4942);
      at += 8;
      for (const chunk of this.#chunks) {
        out.set(chunk, at);
        at += chunk.length;
      }
    }
    return out;
  }

  #accessor(
    values: Float32Array | Uint16Array | Uint32Array,
    definition: object,
    target: number,
  ): number {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return this.#accessors.push({ bufferView: this.view(bytes, target), ...definition }) - 1;
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}
