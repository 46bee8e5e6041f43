import sharp, { type Sharp } from "sharp";
import { DataError, errorMessage } from "../../core/errors.js";
import { basisContainer, basisLevels } from "./decoders/basis-levels.js";
import type { Texture } from "./model.js";

/** Opacity modes as in glTF: ignored, thresholded, or blended. */
export type Opacity = { mode: "opaque" } | { mode: "mask"; cutoff: number } | { mode: "blend" };

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Most pixels of a PNG, JPEG or WebP image that are decoded, before it is reduced. */
const MAX_IMAGE_PIXELS = 16_383 ** 2;

export async function imageSize(bytes: Uint8Array, where: string): Promise<ImageSize> {
  const container = basisContainer(bytes);
  const { width, height } = await decoding(where, async () => {
    if (container) return basisLevels(bytes, container)[0] ?? { width: 0, height: 0 };
    return sharp(bytes, { limitInputPixels: false }).metadata();
  });
  if (!container && width * height > MAX_IMAGE_PIXELS) {
    throw new DataError(
      "bad_texture",
      `a texture has ${width} x ${height} pixels; at most ${MAX_IMAGE_PIXELS} pixels are decoded`,
      {
        where,
        hint: "reduce it in the file: npx @gltf-transform/cli resize in.glb out.glb --width 4096 --height 4096",
      },
    );
  }
  return { width, height };
}

/** Decodes an image: PNG, JPEG, WebP, KTX2 or .basis, reduced to at most `side` pixels. */
export async function decodeTexture(
  bytes: Uint8Array,
  where: string,
  side: number,
  opacity: Opacity = { mode: "blend" },
): Promise<Texture> {
  const { width, height, data } = await decoding(where, () =>
    basisContainer(bytes) ? basisPixels(bytes, side) : pixelsOf(sharp(bytes), side),
  );
  settleOpacity(data, opacity);
  return { width, height, data };
}

/** A .basis or KTX2 file without mip levels, or with large ones only, is reduced like other images. */
async function basisPixels(bytes: Uint8Array, side: number): Promise<Texture> {
  // Loaded on first use: few scenes need the transcoder.
  const { decodeBasis } = await import("./decoders/basis.js");
  const image = await decodeBasis(bytes, side);
  const { width, height, data } = image;
  if (Math.max(width, height) <= side) return image;
  return pixelsOf(sharp(data, { raw: { width, height, channels: 4 } }), side);
}

async function pixelsOf(image: Sharp, side: number): Promise<Texture> {
  const { data, info } = await image
    .toColourspace("srgb")
    .ensureAlpha()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

function settleOpacity(rgba: Uint8Array, opacity: Opacity): void {
  if (opacity.mode === "blend") return;
  const cutoff = opacity.mode === "mask" ? opacity.cutoff * 255 : 0;
  for (let i = 3; i < rgba.length; i += 4) rgba[i] = (rgba[i] as number) < cutoff ? 0 : 255;
}

async function decoding<T>(where: string, decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw new DataError("bad_texture", `a texture cannot be decoded: ${errorMessage(error)}`, {
      where,
      hint: "use PNG, JPEG, WebP or KTX2 with Basis Universal; if the file is damaged, copy or download it again",
      cause: error,
    });
  }
}
