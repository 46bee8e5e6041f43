import type { ColorImage } from "../../core/interfaces/observation.js";
import type { Pixels } from "./canvas.js";

/** Loaded when the first film is made: most runs make none, and the library takes a while to start. */
async function sharp() {
  return (await import("sharp")).default;
}

/** An SVG document as pixels, of its own size. */
export async function rasterise(svg: string): Promise<Pixels> {
  const draw = await sharp();
  const { data, info } = await draw(Buffer.from(svg))
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** A picture as high as asked, its shape kept. */
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
 * A picture as a lossy WebP file. More effort takes several times as long and saves a twentieth; less saves
 * little time, and files are half as large again.
 */
export async function webpOf({ width, height, data }: Pixels): Promise<Uint8Array> {
  const draw = await sharp();
  return draw(data, { raw: { width, height, channels: 3 } })
    .webp({ quality: 60, effort: 2 })
    .toBuffer();
}
