import type { FileMetaData } from "hyparquet";

/**
 * Checks the sizes that a Parquet file declares before the reader relies on them. The reader trusts them,
 * so a damaged size can move it backwards through the file and loop forever.
 */

/**
 * Maximum bytes of a decompressed page, and maximum values of a column in a row group; each value takes up
 * to 32 bytes.
 */
const MAX_PAGE = 256 * 2 ** 20;
const MAX_VALUES = 2 ** 25;

/** A struct of Thrift's compact protocol by field number. Only its numbers and structs are used. */
type Struct = ReadonlyMap<number, unknown>;

class ThriftScanner {
  readonly #bytes: DataView;

  constructor(
    bytes: ArrayBuffer,
    public offset = 0,
  ) {
    this.#bytes = new DataView(bytes);
  }

  get left(): number {
    return this.#bytes.byteLength - this.offset;
  }

  struct(): Struct {
    const fields = new Map<number, unknown>();
    let id = 0;
    for (;;) {
      const head = this.#byte();
      if ((head & 15) === 0) return fields;
      const step = head >> 4;
      id = step === 0 ? this.#zigzag() : id + step;
      fields.set(id, this.#value(head & 15));
    }
  }

  #value(type: number): unknown {
    switch (type) {
      case 1:
      case 2:
        return type === 1;
      case 3:
        return this.#byte();
      case 4:
      case 5:
      case 6:
        return this.#zigzag();
      case 7:
        return this.#skip(8);
      case 8:
        return this.#skip(this.#varint());
      case 9:
      case 10:
        return this.#list();
      case 12:
        return this.struct();
      default:
        throw new RangeError(`a value of unknown type ${type}`);
    }
  }

  #list(): unknown[] {
    const head = this.#byte();
    const size = head >> 4 === 15 ? this.#varint() : head >> 4;
    if (size > this.left) throw new RangeError(`a list of ${size} in ${this.left} bytes`);
    const type = head & 15;
    // Within a list, each boolean takes one byte.
    return Array.from({ length: size }, () => (type < 3 ? this.#byte() : this.#value(type)));
  }

  #byte(): number {
    return this.#bytes.getUint8(this.offset++);
  }

  #skip(length: number): undefined {
    if (length > this.left) throw new RangeError(`a value of ${length} in ${this.left} bytes`);
    this.offset += length;
    return undefined;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/**
 * Checks the schema tree. It is stored in preorder, and each element gives the number of its children.
 *
 * @param footer the metadata at the end of the file, without length and magic bytes
 */
export function checkFooter(footer: ArrayBuffer): void {
  const elements = new ThriftScanner(footer).struct().get(2);
  let expected = 1;
  for (const element of Array.isArray(elements) ? elements : []) {
    const children = element instanceof Map && element.has(5) ? numberOf(element, 5) : 0;
    if (!(children >= 0 && expected > 0)) expected = Number.NaN;
    expected += children - 1;
  }
  if (expected !== 0) throw new RangeError("the columns in its schema are inconsistent");
}

/** The bytes of one column in one row group. */
export interface Chunk {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly values: number;
}

/** Locates the column's pages, one chunk for each of its leaves. */
export function chunksOf(metadata: FileMetaData, group: number, column: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const { meta_data: data } of metadata.row_groups[group]?.columns ?? []) {
    if (!data || data.path_in_schema[0] !== column) continue;
    // A dictionary, if any, precedes the data.
    const from = Number(data.dictionary_page_offset || data.data_page_offset);
    const to = from + Number(data.total_compressed_size);
    chunks.push({ name: data.path_in_schema.join("."), from, to, values: Number(data.num_values) });
  }
  return chunks;
}

/** Walks the pages: each must fit into the chunk, and together they must contain the column's values. */
export function checkPages(bytes: ArrayBuffer, chunk: Chunk): void {
  if (!(chunk.values >= 0 && chunk.values <= MAX_VALUES)) {
    throw new RangeError(
      `column ${chunk.name} has ${chunk.values} values in one row group; the limit is ${MAX_VALUES}`,
    );
  }
  const scanner = new ThriftScanner(bytes);
  let values = 0;
  while (scanner.left > 0 && values < chunk.values) {
    const page = pageOf(scanner.struct());
    if (!page || page.packed > scanner.left) {
      throw new RangeError(`column ${chunk.name} has a page of invalid size`);
    }
    scanner.offset += page.packed;
    values += page.values;
  }
  if (values === chunk.values) return;
  throw new RangeError(`column ${chunk.name} has ${values} values, expected ${chunk.values}`);
}

/** Returns a page's size and the number of values it adds to the column; undefined if its header is invalid. */
function pageOf(header: Struct): { readonly packed: number; readonly values: number } | undefined {
  const [unpacked, packed] = [numberOf(header, 2), numberOf(header, 3)];
  const [data, dictionary, data2] = [header.get(5), header.get(7), header.get(8)];
  const sizes = [unpacked, packed];
  let values = 0;
  if (data) {
    values = numberOf(data, 1);
    sizes.push(values, numberOf(data, 2), numberOf(data, 3), numberOf(data, 4));
  } else if (data2) {
    values = numberOf(data2, 1);
    const [nulls, rows] = [numberOf(data2, 2), numberOf(data2, 3)];
    const levels = numberOf(data2, 5) + numberOf(data2, 6);
    sizes.push(values, numberOf(data2, 4), numberOf(data2, 5), numberOf(data2, 6));
    sizes.push(values - nulls, nulls, values - rows, rows, packed - levels, unpacked - levels);
  } else if (dictionary) {
    // Dictionary values are stored unencoded, and the smallest takes one bit.
    sizes.push(numberOf(dictionary, 1), unpacked * 8 - numberOf(dictionary, 1));
  } else return undefined;
  return sizes.every((size) => size >= 0 && size < 2 ** 40) && unpacked <= MAX_PAGE
    ? { packed, values }
    : undefined;
}

function numberOf(struct: unknown, field: number): number {
  const value: unknown = struct instanceof Map ? struct.get(field) : undefined;
  return typeof value === "number" ? value : Number.NaN;
}
