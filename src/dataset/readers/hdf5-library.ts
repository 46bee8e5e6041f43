export type Hdf5Library = Awaited<typeof import("h5wasm/node")["ready"]>;

/** EACCES in WASI's numbering, which the library's C code uses. */
const DENIED = Object.assign(new Error("not allowed"), { name: "ErrnoError", errno: 2 });
const STDERR = 2;

/** The call in progress. The library is synchronous, so there is at most one. */
let current: { readonly file: string; errorOutput: string } | undefined;
let loaded: Promise<Hdf5Library> | undefined;

/** HDF5's C library in WebAssembly. It reads files in place through Node and never loads a whole file. */
export function hdf5Library(): Promise<Hdf5Library> {
  // The import compiles 4 MB of WebAssembly, so it waits until the first HDF5 file is read.
  loaded ??= import("h5wasm/node").then(({ ready }) => ready).then(sandbox);
  return loaded;
}

/**
 * Calls the library for one file. The C library reports most failures only on stderr and returns
 * uninitialised memory, so any output there counts as a failure.
 *
 * @throws Hdf5Failure with the library's last error message
 */
export function callLibrary<T>(file: string, use: () => T): T {
  const call = { file, errorOutput: "" };
  const outer = current;
  current = call;
  let result: T;
  try {
    result = use();
  } catch (cause) {
    // An error message or a WebAssembly trap: in both cases the file could not be read.
    const thrown = cause instanceof Error ? cause.message : String(cause);
    throw new Hdf5Failure(lastMessage(call.errorOutput) ?? thrown, { cause });
  } finally {
    current = outer;
  }
  const problem = lastMessage(call.errorOutput);
  if (problem !== undefined) throw new Hdf5Failure(problem);
  return result;
}

export class Hdf5Failure extends Error {}

/**
 * Blocks access to other files during a call. An HDF5 file can refer to any other file (external links and
 * storage, virtual datasets), so an untrusted one could otherwise read the user's private files.
 */
function sandbox(library: Hdf5Library): Hdf5Library {
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
    current.errorOutput += said.toString("latin1");
    return length;
  };
  return library;
}

/** The innermost message of the error stack: `#012: ... in H5Z__filter_deflate(): inflate() failed`. */
function lastMessage(errorOutput: string): string | undefined {
  if (errorOutput === "") return undefined;
  return [...errorOutput.matchAll(/ in \w+\(\): (.*)/g)].at(-1)?.[1] ?? errorOutput.trim();
}
