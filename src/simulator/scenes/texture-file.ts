import sharp from "sharp";
import { DataError, errorMessage } from "../../core/errors.js";
import type { Texture } from "./model.js";

/** Larger sides are halved until they fit: a screen of 640 pixels shows no more. */
const LARGEST_SIDE = 2048;
/** Pixels of all textures of one scene together; four bytes each, so a quarter of a gigabyte. */
const MOST_PIXELS = 64 * 1024 * 1024;

/** How opacity counts, as in glTF: not at all, as yes or no from a threshold on, or by degrees. */
export type Opacity = { mode: "opaque" } | { mode: "mask"; cutoff: number } | { mode: "blend" };

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export async function imageSize(bytes: Uint8Array, where: string): Promise<ImageSize> {
  const { width, height } = await decoding(where, () => sharp(bytes).metadata());
  return { width, height };
}

/** The largest side at which these images together keep within bounds, given each one's size. */
export function sideWithin(sizes: readonly ImageSize[]): number {
  let side = LARGEST_SIDE;
  while (side > 64 && pixels(sizes, side) > MOST_PIXELS) side /= 2;
  return side;
}

export async function decodeTexture(
  bytes: Uint8Array,
  where: string,
  side = LARGEST_SIDE,
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

/** KTX2 with Basis Universal, as in HM3D's `.basis.glb`: a format for graphics cards. */
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
      hint: "PNG, JPEG and WebP are readable",
      cause: error,
    });
  }
}
