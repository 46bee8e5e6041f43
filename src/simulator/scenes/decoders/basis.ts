import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import { basisContainer, basisLevels, levelWithin } from "./basis-levels.js";
import { WasmDecoder, withMemoryLimit } from "./wasm-module.js";

/** The part of three's `basis_transcoder.js` that is used here. */
interface BasisModule {
  readonly HEAPU8: Uint8Array;
  initializeBasis(): void;
  readonly BasisFile: new (bytes: Uint8Array) => BasisFile;
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
}

interface TextureFile {
  startTranscoding(): boolean | number;
  close(): void;
  delete(): void;
}

interface BasisFile extends TextureFile {
  getImageTranscodedSizeInBytes(image: number, level: number, format: number): number;
  transcodeImage(
    out: Uint8Array,
    image: number,
    level: number,
    format: number,
    unused: number,
    alphaForOpaqueFormats: number,
  ): boolean | number;
}

interface Ktx2File extends TextureFile {
  isValid(): boolean;
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  transcodeImage(
    out: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    alphaForOpaqueFormats: number,
    channel0: number,
    channel1: number,
  ): boolean | number;
}

/** `transcoder_texture_format.cTFRGBA32`: four bytes per texel. */
const RGBA32 = 13;

/** Largest level that is transcoded, in texels: 256 MB. */
const MAX_TEXELS = 64 * 1024 * 1024;

/** The build copies the transcoder to `dist/basis/`; in `src/` and `build/` it comes from the package `three`. */
const BUILT = fileURLToPath(new URL("../../../basis/", import.meta.url));
const PACKAGED = fileURLToPath(
  new URL("../../../../node_modules/three/examples/jsm/libs/basis/", import.meta.url),
);

const transcoder = new WasmDecoder(load);

async function load(): Promise<BasisModule> {
  const folder = existsSync(BUILT) ? BUILT : PACKAGED;
  const file = `${folder}basis_transcoder.js`;
  const wasmBinary = withMemoryLimit(await readFile(`${folder}basis_transcoder.wasm`));
  // The file is CommonJS, but this package and `three` declare all `.js` files to be ES modules.
  const module: { exports: unknown } = { exports: {} };
  compileFunction(
    await readFile(file, "utf8"),
    ["module", "exports", "require", "__filename", "__dirname"],
    { filename: file },
  )(module, module.exports, createRequire(file), file, dirname(file));
  const start = module.exports as (options: object) => Promise<BasisModule>;
  const started = await start({ wasmBinary });
  started.initializeBasis();
  return started;
}

export interface BasisImage {
  readonly width: number;
  readonly height: number;
  /** r, g, b, a, row by row from the top. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/**
 * Transcodes a KTX2 or .basis texture to RGBA: the largest mip level in the file whose sides are at most
 * `side`, else the smallest.
 *
 * @throws Error that says what is wrong with the file
 */
export async function decodeBasis(bytes: Uint8Array, side: number): Promise<BasisImage> {
  const container = basisContainer(bytes);
  if (container === undefined) throw new Error("it is neither KTX2 nor .basis");
  const levels = basisLevels(bytes, container);
  const level = levelWithin(levels, side);
  const { width, height } = levels[level] ?? { width: 0, height: 0 };
  if (width * height > MAX_TEXELS) {
    throw new Error(
      `its smallest mip level has ${width} x ${height} texels; at most ${MAX_TEXELS} are supported`,
    );
  }
  const data = await transcoder.use((module) => {
    const out = new Uint8Array(width * height * 4);
    // The transcoder calls the constructor of what it is given, and that of Node's Buffer prints a warning.
    const file = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (container === "ktx2") transcodeKtx2(new module.KTX2File(file), level, out);
    else transcodeBasis(new module.BasisFile(file), level, out);
    return out;
  });
  // HM3D's .basis images start with the bottom row, as OpenGL's textures do; glTF's images start with the top row.
  if (container === "basis") flipRows(data, width * 4);
  return { width, height, data };
}

function transcodeKtx2(file: Ktx2File, level: number, out: Uint8Array): void {
  using(file, () => {
    if (!file.isValid()) throw new Error("it is not a valid KTX2 file of Basis Universal");
    if (!file.startTranscoding()) throw new Error("its KTX2 data is damaged");
    check(file.getImageTranscodedSizeInBytes(level, 0, 0, RGBA32), out, level);
    const done = file.transcodeImage(out, level, 0, 0, RGBA32, 0, -1, -1);
    if (!done) throw new Error(`mip level ${level} of its KTX2 data is damaged`);
  });
}

function transcodeBasis(file: BasisFile, level: number, out: Uint8Array): void {
  using(file, () => {
    if (!file.startTranscoding()) throw new Error("its .basis data is damaged");
    check(file.getImageTranscodedSizeInBytes(0, level, RGBA32), out, level);
    const done = file.transcodeImage(out, 0, level, RGBA32, 0, 0);
    if (!done) throw new Error(`mip level ${level} of its .basis data is damaged`);
  });
}

function using(file: TextureFile, work: () => void): void {
  try {
    work();
  } finally {
    file.close();
    file.delete();
  }
}

function check(bytes: number, { length }: Uint8Array, level: number): void {
  if (bytes === length) return;
  throw new Error(`mip level ${level} has ${bytes} bytes of texels; expected ${length}`);
}

function flipRows(data: Uint8Array, stride: number): void {
  const row = new Uint8Array(stride);
  for (let top = 0, low = data.length - stride; top < low; top += stride, low -= stride) {
    row.set(data.subarray(top, top + stride));
    data.copyWithin(top, low, low + stride);
    data.set(row, low);
  }
}
