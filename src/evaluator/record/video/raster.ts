import type { ColorImage } from "../../../core/interfaces/observation.js";
import type { Pixels } from "./canvas.js";

/** Loaded for the first film: most runs make none, and the library is slow to load. */
async function sharp() {
  return (await import("sharp")).default;
}

/** Renders an SVG document at its own size. */
export async function rasterise(svg: string): Promise<Pixels> {
  const draw = await sharp();
  const { data, info } = await draw(Buffer.from(svg))
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Scales an image to a height, keeping its aspect ratio. */
export async function scaledTo(image: ColorImage, height: number): Promise<Pixels> {
  if (image.height === height) return image;
  const draw = await sharp();
  const { width, data } = image;
  const { data: scaled, info } = await draw(data, {
    raw: { width, height: image.height, channels: 3 },
  })
    .resize({ height })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: scaled };
}

/**
 * Encodes a lossy WebP image. More effort takes several times as long and saves 5 %; less effort saves little
 * time and makes files 50 % larger.
 */
export async function webpOf({ width, height, data }: Pixels): Promise<Uint8Array> {
  const draw = await sharp();
  return draw(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: 60, effort: 2 })
    .toBuffer();
}
