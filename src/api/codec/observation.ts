import { type Image, isImage, type Observation } from "../../core/interfaces/observation.js";
import type { Encoding } from "../messages/base.js";
import { decodeImage, encodeImage } from "./image.js";
import { type Dtype, NdArray } from "./ndarray.js";
import { readNpy, writeNpy } from "./npy.js";

/**
 * Encodes the requested entries of an observation for a frame. Reads only these, so that no other camera is rendered.
 * Both encodings keep images without loss.
 *
 * @example
 * const observation = { gps: [1, 0, 2], instruction: { text: "Walk to the kitchen" } };
 * await encodeObservation(observation, ["gps"], "json"); // { gps: [1, 0, 2] }
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

/**
 * The inverse of `encodeObservation`: images, vectors as lists, and other arrays unchanged, from either encoding.
 *
 * @example
 * const { gps } = await decodeObservation({ gps: NdArray.of([1, 0, 2]) }); // [1, 0, 2]
 */
export async function decodeObservation(
  wire: Readonly<Record<string, unknown>>,
): Promise<Observation> {
  const entries = Object.entries(wire).map(
    async ([name, value]) => [name, await readValue(value)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Uses PNG for colour and semantic images. Depth is .npy, because a PNG would round it to millimetres. */
async function jsonValue(value: unknown): Promise<unknown> {
  if (!isImage(value)) return plain(value);
  const bytes = value.kind === "depth" ? writeNpy(pixels(value)) : await encodeImage(value);
  return bytes.toString("base64");
}

function binaryValue(value: unknown): unknown {
  if (isImage(value)) return pixels(value);
  const lists = plain(value);
  return isVector(lists) ? NdArray.of(lists) : lists;
}

/** Converts typed arrays to lists at any depth: JSON would write them as objects. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, Number);
  if (Array.isArray(value)) return value.some(isObject) ? value.map(plain) : value;
  if (!isObject(value) || !Object.values(value).some(isObject)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const DTYPES = { rgb: "|u1", depth: "<f4", semantic: "<u2" } as const satisfies Record<
  Image["kind"],
  Dtype
>;

/** Converts an image to NumPy's layout: (height, width[, 3]). */
export function pixels(image: Image): NdArray {
  const { kind, width, height, data } = image;
  const shape = kind === "rgb" ? [height, width, 3] : [height, width];
  return new NdArray(DTYPES[kind], shape, data);
}

/** First base64 characters of a PNG, a .npy and a JPEG file, which ordinary text never starts with. */
const PNG = "iVBORw0KGgo";
const NPY = "k05VTVBZ";
const JPEG = "/9j/";

async function readValue(value: unknown): Promise<unknown> {
  if (value instanceof NdArray) return readArray(value);
  if (typeof value === "number") return positiveZero(value);
  if (isVector(value)) return value.map(positiveZero);
  if (typeof value !== "string") return value;
  if (value.startsWith(NPY)) return readArray(readNpy(Buffer.from(value, "base64")));
  if (!value.startsWith(PNG) && !value.startsWith(JPEG)) return value;
  const bytes = Buffer.from(value, "base64");
  return decodeImage(bytes, value.startsWith(PNG) && bytes[24] === 16 ? "semantic" : "rgb");
}

function readArray(array: NdArray): unknown {
  if (array.shape.length > 1) return imageOf(array) ?? array;
  const numbers = array.numbers().map(positiveZero);
  return array.shape.length === 0 ? numbers[0] : numbers;
}

/** Replaces minus zero, which JSON cannot express, so that both encodings agree. */
function positiveZero(value: number): number {
  return value + 0;
}

/** Converts an array with the shape and type of an image; undefined for other arrays. */
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
