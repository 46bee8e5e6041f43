import sharp from "sharp";
import { DataError, errorMessage } from "../../core/errors.js";
import type { Texture } from "./model.js";

/** Larger textures are halved until they fit: an image of 640 pixels shows no more detail. */
const MAX_SIDE = 2048;
/** Limit on the pixels of all textures of one scene: four bytes each, so a quarter of a gigabyte. */
const MAX_PIXELS = 64 * 1024 * 1024;

/** Opacity modes as in glTF: ignored, thresholded, or blended. */
export type Opacity = { mode: "opaque" } | { mode: "mask"; cutoff: number } | { mode: "blend" };

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export async function imageSize(bytes: Uint8Array, where: string): Promise<ImageSize> {
  const { width, height } = await decoding(where, () => sharp(bytes).metadata());
  return { width, height };
}

/** The largest side that keeps all images together within the limit. */
export function sideWithin(sizes: readonly ImageSize[]): number {
  let side = MAX_SIDE;
  while (side > 64 && pixels(sizes, side) > MAX_PIXELS) side /= 2;
  return side;
}

export async function decodeTexture(
  bytes: Uint8Array,
  where: string,
  side = MAX_SIDE,
  opacity: Opacity = { mode: "blend" },
): Promise<Texture> {
  const { data, info } = await decoding(where, () =>
    sharp(bytes)
      .toColourspace("srgb")
      .ensureAlpha()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true }),
  );
  const pixelsRgba = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  settleOpacity(pixelsRgba, opacity);
  return { width: info.width, height: info.height, data: pixelsRgba };
}

/** Detects KTX2 with Basis Universal, a GPU texture format, as in HM3D's `.basis.glb`. */
export function isKtx2(bytes: Uint8Array): boolean {
  return [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb].every((byte, i) => bytes[i] === byte);
}

function settleOpacity(rgba: Uint8Array, opacity: Opacity): void {
  if (opacity.mode === "blend") return;
  const cutoff = opacity.mode === "mask" ? opacity.cutoff * 255 : 0;
  for (let i = 3; i < rgba.length; i += 4) rgba[i] = (rgba[i] as number) < cutoff ? 0 : 255;
}

function pixels(sizes: readonly ImageSize[], side: number): number {
  let sum = 0;
  for (const { width, height } of sizes) {
    const scale = Math.min(1, side / Math.max(width, height));
    sum += width * scale * height * scale;
  }
  return sum;
}

async function decoding<T>(where: string, decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw new DataError("bad_texture", `a texture cannot be decoded: ${errorMessage(error)}`, {
      where,
      hint: "use PNG, JPEG or WebP",
      cause: error,
    });
  }
}
