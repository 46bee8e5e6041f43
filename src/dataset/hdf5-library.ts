export type Hdf5Library = Awaited<typeof import("h5wasm/node")["ready"]>;

/** EACCES by WASI's count, which is what the library's C code is told. */
const DENIED = Object.assign(new Error("not allowed"), { name: "ErrnoError", errno: 2 });
const STDERR = 2;

/** The call that is under way. The library is synchronous, so there is one at a time. */
let current: { readonly file: string; complaints: string } | undefined;
let loaded: Promise<Hdf5Library> | undefined;

/** HDF5's C library in WebAssembly. It reads files in place, through Node, and loads none whole. */
export function hdf5Library(): Promise<Hdf5Library> {
  // Importing it compiles 4 MB of WebAssembly, which whoever reads no HDF5 should not wait for.
  loaded ??= import("h5wasm/node").then(({ ready }) => ready).then(watch);
  return loaded;
}

/**
 * Calls the library on behalf of one file. The C library reports most failures only on its error output
 * and hands back whatever the memory held, so anything said there is a failure.
 *
 * @throws Hdf5Failure with the library's own last word
 */
export function calling<T>(file: string, use: () => T): T {
  const call = { file, complaints: "" };
  const outer = current;
  current = call;
  let result: T;
  try {
    result = use();
  } catch (cause) {
    // A message, or a trap inside the WebAssembly: either way the file could not be read.
    const thrown = cause instanceof Error ? cause.message : String(cause);
    throw new Hdf5Failure(lastWord(call.complaints) ?? thrown, { cause });
  } finally {
    current = outer;
  }
  const problem = lastWord(call.complaints);
  if (problem !== undefined) throw new Hdf5Failure(problem);
  return result;
}

export class Hdf5Failure extends Error {}

/**
 * A dataset can lie in any other file that its HDF5 file names (external links and storage, virtual
 * datasets): whoever opens a stranger's file must not thereby read his own. While a call of ours is
 * under way, no other file is opened.
 */
function watch(library: Hdf5Library): Hdf5Library {
  const files = library.FS;
  const { open, write } = files;
  files.open = (path, ...rest) => {
    if (current && path !== current.file) throw DENIED;
    return open(path, ...rest);
  };
  files.write = (stream, buffer, offset, length, ...rest) => {
    if (!current || !("nfd" in stream) || stream.nfd !== STDERR) {
      return write(stream, buffer, offset, length, ...rest);
    }
    const said = Buffer.from(buffer.buffer, buffer.byteOffset + offset, length);
    current.complaints += said.toString("latin1");
    return length;
  };
  return library;
}

/** Its innermost complaint: `#012: ... in H5Z__filter_deflate(): inflate() failed`. */
function lastWord(complaints: string): string | undefined {
  if (complaints === "") return undefined;
  return [...complaints.matchAll(/ in \w+\(\): (.*)/g)].at(-1)?.[1] ?? complaints.trim();
}
