import { show } from "../../core/errors.js";
import type { Hdf5File } from "./hdf5.js";
import type { Hdf5Value, Metadata } from "./hdf5-type.js";

/** HDF5 decompresses whole chunks, even to read a few rows. */
const MAX_CHUNK = 256 * 1024 * 1024;

/**
 * The filters built into the library. With any other filter it would return the compressed bytes as
 * numbers.
 */
const FILTERS: ReadonlyMap<number, string> = new Map([
  [1, "gzip"],
  [2, "shuffle"],
  [3, "fletcher32"],
  [5, "nbit"],
  [6, "scaleoffset"],
]);

/** Fills a buffer with raw bytes, and frees what variable-length values point to. */
export interface RawSource {
  fill(pointer: bigint): number;
  release(pointer: bigint): number;
}

/** One array in the file. The shape is available at once; values are read by rows. */
export class Hdf5Dataset {
  readonly shape: readonly number[];
  readonly #metadata: Metadata;

  constructor(
    readonly file: Hdf5File,
    readonly path: string,
  ) {
    const { library, id } = file;
    const at = `/${path}`;
    this.#metadata = file.callLibrary(path, () => library.get_dataset_metadata(id, at));
    const { virtual_sources, chunks, size, shape } = this.#metadata;
    if (virtual_sources && virtual_sources.length > 0) {
      throw file.unsupported(path, "a dataset stored in external files");
    }
    const chunk = (chunks ?? []).reduce((product, n) => product * n, size);
    if (chunks && !(chunk <= MAX_CHUNK)) {
      const problem = `chunks of ${chunk} bytes exceed the limit of ${MAX_CHUNK}`;
      throw file.error(path, "hdf5_too_large", problem);
    }
    this.shape = shape ?? [0];
  }

  /** The number of rows: the length of the first axis. */
  get length(): number {
    return this.shape[0] ?? 1;
  }

  /** Reads rows `start` to `end` (exclusive) as strings or numbers. Booleans become 1 and 0. */
  values(start = 0, end = this.length): Hdf5Value[] {
    const { file, path } = this;
    const { library, id } = file;
    this.#checkFilters();
    const at = `/${path}`;
    const whole = this.shape.length === 0;
    const counts = whole ? [1] : [end - start, ...this.shape.slice(1)];
    const count = whole ? null : counts.map(BigInt);
    const offset = whole ? null : counts.map((_, axis) => BigInt(axis === 0 ? start : 0));
    const stride = whole ? null : counts.map(() => 1n);
    return file.read(path, this.#metadata, counts, {
      fill: (pointer) => library.get_dataset_data(id, at, count, offset, stride, pointer),
      release: (pointer) =>
        count
          ? library.reclaim_vlen_memory_count(id, at, "", pointer, count)
          : library.reclaim_vlen_memory(id, at, "", pointer),
    });
  }

  /** Reads rows of numbers. A one-dimensional array has rows of length one. */
  rows(start = 0, end = this.length): number[][] {
    const flat = this.values(start, end);
    const width = this.shape.slice(1).reduce((product, n) => product * n, 1);
    return Array.from({ length: end - start }, (_, row) =>
      flat.slice(row * width, (row + 1) * width).map((value, column) => {
        if (typeof value === "number" && Number.isFinite(value)) return value;
        const place = `${this.path}[${start + row}, ${column}]`;
        throw this.file.error(place, "bad_number", `expected a number, got ${show(value)}`);
      }),
    );
  }

  #checkFilters(): void {
    const { library, id } = this.file;
    const filters = this.file.callLibrary(this.path, () =>
      library.get_dataset_filters(id, `/${this.path}`),
    );
    const foreign = filters.find((filter) => !FILTERS.has(filter.id));
    if (!foreign) return;
    throw this.file.unsupported(this.path, `the compression ${foreign.name || foreign.id}`);
  }
}
