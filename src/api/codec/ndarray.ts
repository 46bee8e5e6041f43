import { DataError, show } from "../../core/errors.js";

/** Supported element types, by NumPy's names with byte order. */
const TYPES = {
  "|u1": Uint8Array,
  "|i1": Int8Array,
  "|b1": Uint8Array,
  "<u2": Uint16Array,
  "<i2": Int16Array,
  "<u4": Uint32Array,
  "<i4": Int32Array,
  "<u8": BigUint64Array,
  "<i8": BigInt64Array,
  "<f4": Float32Array,
  "<f8": Float64Array,
} as const;

export type Dtype = keyof typeof TYPES;
type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/**
 * An array of numbers with its shape, in C order (row-major), as in NumPy.
 *
 * @example
 * const image = new NdArray("|u1", [480, 640, 3], new Uint8Array(480 * 640 * 3));
 * NdArray.of([0.1, -0.2]).numbers(); // [0.1, -0.2]
 */
export class NdArray {
  constructor(
    readonly dtype: Dtype,
    readonly shape: readonly number[],
    readonly data: TypedArray,
  ) {}

  static of(values: readonly number[] | Float64Array): NdArray {
    return new NdArray("<f8", [values.length], Float64Array.from(values));
  }

  /** Checks and reads the fields of an untrusted message. */
  static from(dtype: unknown, shape: unknown, data: unknown): NdArray {
    if (!(data instanceof Uint8Array)) throw bad(`its data is ${show(data)}, not bytes`);
    if (!isShape(shape)) throw bad(`its shape is ${show(shape)}, not a list of whole numbers`);
    if (dtype === "<f2") return halves(shape, data);
    if (!isDtype(dtype)) {
      throw bad(`its dtype is ${show(dtype)}; readable are ${Object.keys(TYPES).join(" ")} <f2`);
    }
    const { BYTES_PER_ELEMENT } = TYPES[dtype];
    checkLength(shape, data, BYTES_PER_ELEMENT);
    return new NdArray(dtype, shape, typed(TYPES[dtype], data));
  }

  /** The bytes as sent on the wire; a view, not a copy. */
  bytes(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.data;
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  /** All numbers in order, for any element type. */
  numbers(): number[] {
    return Array.from(this.data as ArrayLike<number | bigint>, Number);
  }

  /** One list per row: a (2, 7) array gives two lists of 7. */
  rows(): number[][] {
    const width = this.shape.slice(1).reduce((product, n) => product * n, 1);
    const all = this.numbers();
    return Array.from({ length: this.shape[0] ?? 0 }, (_, i) =>
      all.slice(i * width, (i + 1) * width),
    );
  }
}

/**
 * Views the bytes as numbers. Copies only if they are not aligned to the element size. Does not use `slice`, which
 * copies nothing for a Buffer.
 */
function typed(Kind: (typeof TYPES)[Dtype], data: Uint8Array): TypedArray {
  const size = Kind.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } = byteAligned(data, size) ? data : new Uint8Array(data);
  return new Kind(buffer as ArrayBuffer, byteOffset, byteLength / size);
}

function byteAligned(data: Uint8Array, size: number): boolean {
  return data.byteOffset % size === 0;
}

function isDtype(value: unknown): value is Dtype {
  return typeof value === "string" && Object.hasOwn(TYPES, value);
}

function isShape(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

function checkLength(shape: readonly number[], data: Uint8Array, size: number): void {
  const expected = shape.reduce((product, n) => product * n, size);
  if (data.length === expected) return;
  throw bad(`its shape ${show(shape)} needs ${expected} bytes, it has ${data.length}`);
}

/** Reads half floats, for which Node 20 has no typed array, as 32-bit floats. */
function halves(shape: readonly number[], data: Uint8Array): NdArray {
  checkLength(shape, data, 2);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const wide = Float32Array.from({ length: data.length / 2 }, (_, i) =>
    half(view.getUint16(i * 2, true)),
  );
  return new NdArray("<f4", shape, wide);
}

/** IEEE 754 binary16: 1 bit sign, 5 exponent, 10 fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function bad(why: string): DataError {
  return new DataError("bad_array", `not a readable array: ${why}`);
}
