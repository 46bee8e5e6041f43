import type { Hdf5Library } from "./hdf5-library.js";

export type Metadata = ReturnType<Hdf5Library["get_dataset_metadata"]>;
export type Hdf5Value = number | string | boolean | readonly Hdf5Value[];

/** Decodes the bytes of a dataset or an attribute. */
export class Hdf5Type {
  readonly #kind: "text" | "float" | "integer" | "boolean" | undefined;

  constructor(
    private readonly metadata: Metadata,
    private readonly library: Hdf5Library,
  ) {
    this.#kind = this.#kindOf(metadata);
  }

  /** The reason why this type cannot be read, if any. */
  get problem(): string | undefined {
    const { size, vlen, type } = this.metadata;
    switch (this.#kind) {
      case "text":
        return vlen || size > 0 ? undefined : "strings without a length";
      case "float":
        return size === 4 || size === 8 ? undefined : `${size * 8}-bit floating point`;
      case "integer":
      case "boolean":
        return [1, 2, 4, 8].includes(size) ? undefined : `${size * 8}-bit integers`;
      default:
        return `data of HDF5 type class ${type}`;
    }
  }

  /** Returns undefined if an integer exceeds the safe integer range. */
  values(bytes: Uint8Array): Hdf5Value[] | undefined {
    const { size, vlen, signed } = this.metadata;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const read = this.#reader(view, size, signed, vlen);
    const values: Hdf5Value[] = [];
    for (let at = 0; at + size <= bytes.length; at += size) {
      const value = read(at);
      if (this.#kind === "integer" && !Number.isSafeInteger(value)) return undefined;
      values.push(value);
    }
    return values;
  }

  #reader(view: DataView, size: number, signed: boolean, vlen: boolean): (at: number) => Hdf5Value {
    if (this.#kind === "text")
      return vlen ? this.#pointed(view) : (at) => fixedText(view, at, size);
    if (this.#kind === "float") {
      return size === 8 ? (at) => view.getFloat64(at, true) : (at) => view.getFloat32(at, true);
    }
    const integer = integerReader(view, size, signed);
    return this.#kind === "boolean" ? (at) => integer(at) !== 0 : integer;
  }

  #pointed(view: DataView): (at: number) => string {
    const memory = this.library.HEAPU8;
    return (at) => {
      const pointer = view.getUint32(at, true);
      return pointer === 0 ? "" : text(memory.subarray(pointer, memory.indexOf(0, pointer)));
    };
  }

  #kindOf({ type, enum_type }: Metadata): "text" | "float" | "integer" | "boolean" | undefined {
    const classes = this.library.H5T_class_t;
    if (type === classes.H5T_STRING.value) return "text";
    if (type === classes.H5T_FLOAT.value) return "float";
    if (type === classes.H5T_INTEGER.value) return "integer";
    // h5py writes booleans as an enum with these two members.
    const { FALSE, TRUE } = type === classes.H5T_ENUM.value ? (enum_type?.members ?? {}) : {};
    return FALSE === 0 && TRUE === 1 ? "boolean" : undefined;
  }
}

function integerReader(view: DataView, size: number, signed: boolean): (at: number) => number {
  switch (size) {
    case 1:
      return signed ? (at) => view.getInt8(at) : (at) => view.getUint8(at);
    case 2:
      return signed ? (at) => view.getInt16(at, true) : (at) => view.getUint16(at, true);
    case 4:
      return signed ? (at) => view.getInt32(at, true) : (at) => view.getUint32(at, true);
    default:
      return signed
        ? (at) => Number(view.getBigInt64(at, true))
        : (at) => Number(view.getBigUint64(at, true));
  }
}

/** Fixed-length strings are padded with zeros. */
function fixedText(view: DataView, at: number, size: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, size);
  const end = bytes.indexOf(0);
  return text(end < 0 ? bytes : bytes.subarray(0, end));
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
