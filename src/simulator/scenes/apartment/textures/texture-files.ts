import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Textures as files of raw pixels (r, g, b, a), which `scripts/build.mjs` draws into `dist/textures`. Drawing
 * the textures of the first apartment takes a third of its generation time. If the files are missing, as in
 * `src/`, textures are drawn on first use.
 */
const FOLDER = fileURLToPath(new URL("../../../../textures", import.meta.url));

/** Undefined if the file is missing or has a different size. */
export function readTexture(name: string, bytes: number): Uint8Array | undefined {
  let data: Buffer;
  try {
    data = readFileSync(join(FOLDER, `${name}.rgba`));
  } catch {
    return undefined;
  }
  // Returns a Uint8Array: `slice` of a Buffer shares memory, while that of other arrays copies.
  return data.length === bytes
    ? new Uint8Array(data.buffer, data.byteOffset, data.length)
    : undefined;
}
