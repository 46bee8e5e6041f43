import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DataError, type ErrorDetails, show } from "../../core/errors.js";
import { noteProgress } from "../reader/progress.js";
import { emptyFile, opening, rejectLfsFile } from "../source.js";
import { Hdf5Dataset, type RawSource } from "./hdf5-dataset.js";
import { callLibrary, Hdf5Failure, type Hdf5Library, hdf5Library } from "./hdf5-library.js";
import { Hdf5Type, type Hdf5Value, type Metadata } from "./hdf5-type.js";

/**
 * Limit for one read. Images are never read and a demonstration's numbers take kilobytes, so a larger
 * request means a wrong shape.
 */
const MAX_READ = 64 * 1024 * 1024;
const MAX_NAMES = 100;

type Kind = "group" | "dataset";

/** Lists the groups and datasets of the two top levels, for format detection. */
export function hdf5Names(path: string): Promise<string[]> {
  return withHdf5(path, (file) =>
    file
      .keys("")
      .slice(0, MAX_NAMES)
      .flatMap((name) => {
        const inner = file.kind(name) === "group" ? file.keys(name).slice(0, MAX_NAMES) : [];
        return [name, ...inner.map((child) => `${name}/${child}`)];
      }),
  );
}

export async function withHdf5<T>(
  path: string,
  use: (file: Hdf5File) => T | Promise<T>,
): Promise<T> {
  const file = await Hdf5File.open(path);
  try {
    return await use(file);
  } finally {
    file.close();
  }
}

/** An HDF5 file opened for reading. Every error is a DataError with the file and the path within it. */
export class Hdf5File {
  readonly #keys = new Map<string, readonly string[]>();
  readonly #kinds = new Map<string, Kind | undefined>();

  private constructor(
    readonly path: string,
    readonly library: Hdf5Library,
    readonly id: bigint,
  ) {}

  static async open(path: string): Promise<Hdf5File> {
    const { size } = await opening(path, () => stat(path));
    if (size === 0) throw emptyFile(path);
    await rejectLfsFile(path);
    const library = await hdf5Library();
    const full = resolve(path);
    try {
      const id = callLibrary(full, () => library.open(full, library.H5F_ACC_RDONLY, false, -1, -1));
      return new Hdf5File(path, library, id);
    } catch (cause) {
      if (!(cause instanceof Hdf5Failure)) throw cause;
      throw new DataError("bad_hdf5", `not an HDF5 file, or a damaged one: ${cause.message}`, {
        where: path,
        hint: `copy or download it again; this copy has ${size} bytes`,
        cause,
      });
    }
  }

  close(): void {
    try {
      callLibrary(resolve(this.path), () => this.library.close_file(this.id));
    } catch (error) {
      // A damaged file may fail to close; that failure must not hide the original error.
      if (!(error instanceof Hdf5Failure)) throw error;
    }
  }

  /** The members of a group, in natural order: `demo_2` before `demo_10`. */
  keys(group: string): readonly string[] {
    const known = this.#keys.get(group);
    if (known) return known;
    if (this.kind(group) !== "group") throw this.missing(group, "group");
    const names = this.callLibrary(group, () =>
      this.library.get_names(this.id, `/${group}`, false),
    );
    const sorted = [...names].sort(byNumber);
    this.#keys.set(group, sorted);
    return sorted;
  }

  /** The kind of object at a path; undefined if the path or the target of its link does not exist. */
  kind(path: string): Kind | undefined {
    if (this.#kinds.has(path)) return this.#kinds.get(path);
    const kind = this.#kindOf(path);
    this.#kinds.set(path, kind);
    return kind;
  }

  /**
   * Checks one path component at a time, because the library treats a path through a dataset or a loop as a
   * group.
   */
  #kindOf(path: string): Kind | undefined {
    if (path === "") return "group";
    const { parent, name } = split(path);
    if (this.kind(parent) !== "group" || !this.keys(parent).includes(name)) return undefined;
    const type = this.callLibrary(path, () => this.library.get_type(this.id, `/${path}`));
    if (type === this.library.H5G_GROUP) return "group";
    return type === this.library.H5G_DATASET ? "dataset" : undefined;
  }

  /** Returns an attribute's value; undefined if it does not exist. */
  attribute(path: string, name: string): Hdf5Value | undefined {
    if (this.kind(path) === undefined) throw this.missing(path, "group");
    const { library, id } = this;
    const at = `/${path}`;
    const place = `${path}@${name}`;
    const names = this.callLibrary(place, () => library.get_attribute_names(id, at));
    if (!names.includes(name)) return undefined;
    const metadata = this.callLibrary(place, () => library.get_attribute_metadata(id, at, name));
    if (!metadata.shape) return undefined;
    const values = this.read(place, metadata, metadata.shape, {
      fill: (pointer) => library.get_attribute_data(id, at, name, pointer),
      release: (pointer) => library.reclaim_vlen_memory(id, at, name, pointer),
    });
    return metadata.shape.length === 0 ? values[0] : values;
  }

  dataset(path: string): Hdf5Dataset {
    if (this.kind(path) !== "dataset") throw this.missing(path, "dataset");
    return new Hdf5Dataset(this, path);
  }

  /** @internal Reads `count` values of the given type. */
  read(
    place: string,
    metadata: Metadata,
    count: readonly number[],
    source: RawSource,
  ): Hdf5Value[] {
    const type = new Hdf5Type(metadata, this.library);
    const total = count.reduce((product, n) => product * n, 1);
    const size = total * metadata.size;
    if (type.problem) throw this.unsupported(place, type.problem);
    if (!(size <= MAX_READ)) {
      const problem = `a read of ${size} bytes exceeds the limit of ${MAX_READ}`;
      throw this.error(place, "hdf5_too_large", problem);
    }
    if (total === 0) return [];
    noteProgress();
    const { library } = this;
    const start = library._malloc(size);
    if (start === 0)
      throw this.error(place, "hdf5_too_large", `not enough memory for ${size} bytes`);
    try {
      // Zeroed, because variable-length strings are read through pointers.
      library.HEAPU8.fill(0, start, start + size);
      this.callLibrary(place, () => {
        if (source.fill(BigInt(start)) < 0)
          throw new Error("the HDF5 library failed to read the data");
      });
      // The WebAssembly memory may have been moved while the library allocated.
      const values = type.values(library.HEAPU8.slice(start, start + size));
      if (metadata.vlen) this.callLibrary(place, () => source.release(BigInt(start)));
      if (values) return values;
      throw this.unsupported(place, "integers beyond 2^53");
    } finally {
      library._free(start);
    }
  }

  /** @internal */
  callLibrary<T>(place: string, use: () => T): T {
    try {
      return callLibrary(resolve(this.path), use);
    } catch (cause) {
      if (!(cause instanceof Hdf5Failure)) throw cause;
      throw this.error(place, "damaged_hdf5", `cannot be read: ${cause.message}`, { cause });
    }
  }

  missing(path: string, what: Kind): DataError {
    const { parent, name } = split(path);
    const there = path !== "" && this.kind(parent) === "group" ? this.keys(parent) : [];
    const problem = there.includes(name) ? `this is not a ${what}` : `the ${what} does not exist`;
    const hint = `/${parent} contains ${show(there)}`;
    return this.error(path, "missing_hdf5_path", problem, { hint });
  }

  error(place: string, code: string, problem: string, details: ErrorDetails = {}): DataError {
    return new DataError(code, `/${place}: ${problem}`, { where: this.path, ...details });
  }

  unsupported(place: string, what: string): DataError {
    const hint = "write it again with 32- or 64-bit numbers, and gzip or no compression";
    return this.error(place, "unsupported_hdf5", `unsupported data: ${what}`, { hint });
  }
}

function split(path: string): { readonly parent: string; readonly name: string } {
  const cut = path.lastIndexOf("/");
  return { parent: path.slice(0, Math.max(0, cut)), name: path.slice(cut + 1) };
}

/** Compares by the number at the end of a name. */
function byNumber(a: string, b: string): number {
  const [first, second] = [numbered(a), numbered(b)];
  if (first.stem !== second.stem) return first.stem < second.stem ? -1 : 1;
  return first.number - second.number;
}

function numbered(name: string): { readonly stem: string; readonly number: number } {
  const digits = /\d*$/.exec(name)?.[0] ?? "";
  return { stem: name.slice(0, name.length - digits.length), number: Number(digits) };
}
