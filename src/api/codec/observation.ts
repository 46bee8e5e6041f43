import { type Image, isImage, type Observation } from "../../core/interfaces/observation.js";
import type { Encoding } from "../messages/base.js";
import { decodeImage, encodeImage } from "./image.js";
import { type Dtype, NdArray } from "./ndarray.js";
import { readNpy, writeNpy } from "./npy.js";

/**
 * What of an observation is sent, ready for a frame. Only what is named is looked at, so that nothing else is
 * drawn. Pictures lose nothing in either form: the same pixels arrive.
 */
export async function encodeObservation(
  observation: Observation,
  names: readonly string[],
  encoding: Encoding,
): Promise<Record<string, unknown>> {
  const entries = names.map(async (name) => {
    const value = observation[name];
    return [name, encoding === "json" ? await jsonValue(value) : binaryValue(value)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The inverse: pictures as images, vectors as lists, whichever form they came in. */
export async function decodeObservation(
  wire: Readonly<Record<string, unknown>>,
): Promise<Observation> {
  const entries = Object.entries(wire).map(
    async ([name, value]) => [name, await readValue(value)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** PNG for what it can hold; depth as .npy, since a PNG would round it to millimetres. */
async function jsonValue(value: unknown): Promise<unknown> {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (!isImage(value)) return value;
  const bytes = value.kind === "depth" ? writeNpy(pixels(value)) : await encodeImage(value);
  return bytes.toString("base64");
}

function binaryValue(value: unknown): unknown {
  if (isImage(value)) return pixels(value);
  if (value instanceof Float64Array || isVector(value)) return NdArray.of(value);
  return value;
}

const DTYPES = { rgb: "|u1", depth: "<f4", semantic: "<u2" } as const satisfies Record<
  Image["kind"],
  Dtype
>;

/** A picture as the array that NumPy would have: (height, width[, 3]). */
export function pixels(image: Image): NdArray {
  const { kind, width, height, data } = image;
  const shape = kind === "rgb" ? [height, width, 3] : [height, width];
  return new NdArray(DTYPES[kind], shape, data);
}

/** How base64 of a PNG, a .npy and a JPEG file begins: text never does. */
const PNG = "iVBORw0KGgo";
const NPY = "k05VTVBZ";
const JPEG = "/9j/";

async function readValue(value: unknown): Promise<unknown> {
  if (value instanceof NdArray) return imageOf(value) ?? value.numbers();
  if (typeof value !== "string") return value;
  if (value.startsWith(NPY)) {
    const array = readNpy(Buffer.from(value, "base64"));
    return imageOf(array) ?? array.numbers();
  }
  if (!value.startsWith(PNG) && !value.startsWith(JPEG)) return value;
  const bytes = Buffer.from(value, "base64");
  return decodeImage(bytes, value.startsWith(PNG) && bytes[24] === 16 ? "semantic" : "rgb");
}

/** The picture that an array is; undefined for other arrays. */
function imageOf({ shape, data }: NdArray): Image | undefined {
  const [height = 0, width = 0, channels] = shape;
  if (shape.length === 3 && channels === 3 && data instanceof Uint8Array) {
    return { kind: "rgb", width, height, data };
  }
  if (shape.length !== 2) return undefined;
  if (data instanceof Float32Array) return { kind: "depth", width, height, data };
  return data instanceof Uint16Array ? { kind: "semantic", width, height, data } : undefined;
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((n) => typeof n === "number");
}
