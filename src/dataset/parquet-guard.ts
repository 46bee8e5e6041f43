import type { FileMetaData } from "hyparquet";

/**
 * A look at the sizes that a Parquet file gives of itself, before the reader relies on them. The reader
 * takes them as they are, so a damaged one can send it backwards through the file, around for ever.
 */

/** A structure of Thrift's compact protocol by field number; numbers and structures are all we ask for. */
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
    // Within a list, a truth value is a byte of its own.
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
 * The schema is a tree in preorder, in which each element says how many children follow it.
 *
 * @param footer the metadata at the end of the file, without length and mark
 */
export function checkFooter(footer: ArrayBuffer): void {
  const elements = new ThriftScanner(footer).struct().get(2);
  let expected = 1;
  for (const element of Array.isArray(elements) ? elements : []) {
    const children = element instanceof Map && element.has(5) ? numberOf(element, 5) : 0;
    if (!(children >= 0 && expected > 0)) expected = Number.NaN;
    expected += children - 1;
  }
  if (expected !== 0) throw new RangeError("the columns that it lists do not fit together");
}

/** The bytes of a column in a group of rows. */
export interface Chunk {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly values: number;
}

/** Where the column's pages are, one chunk for each of its leaves. */
export function chunksOf(metadata: FileMetaData, group: number, column: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const { meta_data: data } of metadata.row_groups[group]?.columns ?? []) {
    if (!data || data.path_in_schema[0] !== column) continue;
    // A dictionary, where there is one, stands before the data.
    const from = Number(data.dictionary_page_offset || data.data_page_offset);
    const to = from + Number(data.total_compressed_size);
    chunks.push({ name: data.path_in_schema.join("."), from, to, values: Number(data.num_values) });
  }
  return chunks;
}

/** Walks from page to page: each must fit, and together they must have the column's values. */
export function checkPages(bytes: ArrayBuffer, chunk: Chunk): void {
  const scanner = new ThriftScanner(bytes);
  let values = 0;
  while (scanner.left > 0 && values < chunk.values) {
    const page = pageOf(scanner.struct());
    if (!page || page.packed > scanner.left) {
      throw new RangeError(`column ${chunk.name} has a page of impossible size`);
    }
    scanner.offset += page.packed;
    values += page.values;
  }
  if (values === chunk.values) return;
  throw new RangeError(
    `column ${chunk.name} has ${values} values, and should have ${chunk.values}`,
  );
}

/** A page's size and how many values it adds to the column; undefined when its header makes no sense. */
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
    // Its values are written out, and the smallest takes a bit.
    sizes.push(numberOf(dictionary, 1), unpacked * 8 - numberOf(dictionary, 1));
  } else return undefined;
  return sizes.every((size) => size >= 0 && size < 2 ** 40) && unpacked < 2 ** 31
    ? { packed, values }
    : undefined;
}

function numberOf(struct: unknown, field: number): number {
  const value: unknown = struct instanceof Map ? struct.get(field) : undefined;
  return typeof value === "number" ? value : Number.NaN;
}
