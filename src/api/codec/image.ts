import sharp from "sharp";
import { DataError, errorMessage, ProtocolError } from "../../core/errors.js";
import type { Image } from "../../core/interfaces/observation.js";

/** Largest depth of a 16-bit PNG, in millimetres; larger depths are clamped to it. */
const MAX_DEPTH_MM = 65535;

/**
 * Encodes an image. Colour is PNG, or JPEG at quality 90 without chroma subsampling: 4:2:0 would smear objects that
 * are a few pixels wide. Depth is a 16-bit grey PNG in millimetres, clamped at 65.535 m, with 0 for no return;
 * semantic ids are a 16-bit grey PNG. Depth and semantic images cannot be JPEG, which would change their values.
 */
export async function encodeImage(image: Image, format: "png" | "jpeg" = "png"): Promise<Buffer> {
  checkSize(image);
  if (image.kind === "rgb") {
    const picture = sharp(image.data, { raw: { ...size(image), channels: 3 } });
    return format === "jpeg"
      ? picture.jpeg({ quality: 90, chromaSubsampling: "4:4:4" }).toBuffer()
      : picture.png({ compressionLevel: 1 }).toBuffer();
  }
  if (format === "jpeg") {
    throw new ProtocolError("lossy_image", `a ${image.kind} image cannot be sent as JPEG`, {
      hint: "its pixels are numbers that JPEG would change: use png",
    });
  }
  const values = image.kind === "depth" ? millimetres(image.data) : image.data;
  return sharp(values, { raw: { ...size(image), channels: 1 } })
    .toColourspace("grey16")
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The inverse of `encodeImage`; for `rgb` also reads PNG and JPEG files from other software. */
export async function decodeImage(bytes: Uint8Array, kind: Image["kind"]): Promise<Image> {
  try {
    if (kind === "rgb") return await decodeColor(bytes);
    const { data, width, height } = await decodeNumbers(bytes, kind);
    if (kind === "semantic") return { kind, width, height, data };
    return { kind, width, height, data: Float32Array.from(data, (mm) => mm / 1000) };
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError("bad_image", `not a readable ${kind} image: ${errorMessage(error)}`, {
      hint: kind === "rgb" ? "PNG and JPEG are readable" : "a 16-bit grey PNG is needed",
      cause: error,
    });
  }
}

async function decodeColor(bytes: Uint8Array): Promise<Image> {
  // Put transparent pixels on black: rendered frames have no alpha channel.
  const { data, info } = await sharp(bytes)
    .flatten()
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { kind: "rgb", width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function decodeNumbers(bytes: Uint8Array, kind: "depth" | "semantic") {
  const { depth, channels } = await sharp(bytes).metadata();
  if (depth !== "ushort" || channels !== 1) {
    throw new DataError(
      "bad_image",
      `a ${kind} image must be a PNG of one 16-bit channel; this one has ${channels} of type ${depth}`,
    );
  }
  const { data, info } = await sharp(bytes)
    .toColourspace("grey16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  // Copy: a Buffer from Node's pool may start at an odd byte offset.
  const values = new Uint16Array(new Uint8Array(data).buffer);
  return { data: values, width: info.width, height: info.height };
}

function millimetres(metres: Float32Array): Uint16Array {
  // NaN and depths behind the camera become 0, which means no return.
  return Uint16Array.from(metres, (m) =>
    m > 0 ? Math.min(MAX_DEPTH_MM, Math.round(m * 1000)) : 0,
  );
}

function size(image: Image): { width: number; height: number } {
  return { width: image.width, height: image.height };
}

function checkSize(image: Image): void {
  const { kind, width, height } = image;
  const whole = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
  const expected = width * height * (kind === "rgb" ? 3 : 1);
  if (whole && image.data.length === expected) return;
  throw new DataError(
    "bad_image",
    `a ${kind} image of ${width} x ${height} has ${image.data.length} values` +
      (whole ? `; it needs ${expected}` : "; its sides must be whole numbers above 0"),
  );
}
