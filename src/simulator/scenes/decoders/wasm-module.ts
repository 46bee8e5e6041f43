import { errorMessage } from "../../../core/errors.js";

/** A WebAssembly program made by Emscripten. */
interface EmscriptenModule {
  readonly HEAPU8: Uint8Array;
}

/** Most memory that a decoder may use, in WebAssembly pages of 64 KiB: 768 MB. */
const MAX_PAGES = 12_288;

/** A decoder with a larger heap is dropped after use: WebAssembly memory grows but never shrinks. */
const KEPT_BYTES = 64 * 1024 * 1024;

const MEMORY_SECTION = 5;

/**
 * A decoder that is loaded on first use. After an error it is loaded again, because a program that has
 * aborted, or stopped half way, is in an unknown state.
 */
export class WasmDecoder<M extends EmscriptenModule> {
  #module: Promise<M> | undefined;

  constructor(private readonly load: () => Promise<M>) {}

  /** Runs `decode`, which must be synchronous: calls of one decoder may not overlap. */
  async use<T>(decode: (module: M) => T): Promise<T> {
    this.#module ??= this.load();
    const loading = this.#module;
    try {
      const module = await loading;
      const result = decode(module);
      if (module.HEAPU8.length > KEPT_BYTES) this.#drop(loading);
      return result;
    } catch (error) {
      this.#drop(loading);
      throw isAbort(error) ? new Error(`the decoder failed: ${errorMessage(error)}`) : error;
    }
  }

  #drop(loading: Promise<M>): void {
    if (this.#module === loading) this.#module = undefined;
  }
}

/** Emscripten throws a RuntimeError on abort, or the address of a C++ exception, which says nothing. */
function isAbort(error: unknown): boolean {
  return typeof error === "number" || (error instanceof Error && error.name === "RuntimeError");
}

/**
 * The same program with less memory. Emscripten's programs may use 2 GB; a file that declares huge
 * sizes would make them allocate that much before they fail.
 */
export function withMemoryLimit(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(wasm);
  let at = 8;
  const unsigned = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const next = out[at++] ?? 0;
      value += (next & 0x7f) * 2 ** shift;
      if (next < 0x80) return value;
    }
  };
  while (at < out.length) {
    const id = out[at++];
    const size = unsigned();
    const start = at;
    if (id === MEMORY_SECTION) {
      unsigned(); // The number of memories.
      const hasMaximum = unsigned() === 1;
      unsigned(); // The initial size.
      const from = at;
      if (hasMaximum && unsigned() > MAX_PAGES) writePadded(out.subarray(from, at), MAX_PAGES);
      return out;
    }
    at = start + size;
  }
  return out;
}

/** Writes an unsigned LEB128 number that fills `out`. */
function writePadded(out: Uint8Array, value: number): void {
  for (let i = 0; i < out.length; i++) {
    const isLast = i === out.length - 1;
    out[i] = ((value >>> (7 * i)) & 0x7f) | (isLast ? 0 : 0x80);
  }
}
