import { Packr, Unpackr } from "msgpackr";
import { errorMessage, ProtocolError, show } from "../../core/errors.js";
import { checkMsgpack } from "./msgpack-bounds.js";
import { NdArray } from "./ndarray.js";

/** How the keys of an array's map are written: openpi's are binary, vla-eval's are text. */
export type ArrayKeys = "binary" | "text";

const packr = new Packr({ useRecords: false, variableMapSize: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: false, int64AsType: "number" });

const KEYS = ["__ndarray__", "data", "dtype", "shape"] as const;
const BINARY_KEYS = KEYS.map((key) => Buffer.from(key));

/**
 * One value as MessagePack. Arrays (NdArray) are maps `{__ndarray__: true, data, dtype, shape}`, in this order,
 * as openpi's msgpack_numpy writes them; typed arrays other than bytes must come as NdArray.
 */
export function packMsgpack(value: unknown, keys: ArrayKeys = "binary"): Buffer {
  return packr.pack(outward(value, keys));
}

/** The value of a frame: maps as plain objects, arrays as NdArray, NumPy's scalars as numbers or text. */
export function unpackMsgpack(bytes: Uint8Array): unknown {
  checkMsgpack(bytes);
  try {
    return inward(unpackr.unpack(bytes));
  } catch (error) {
    throw new ProtocolError("bad_frame", `not a MessagePack message: ${errorMessage(error)}`);
  }
}

function outward(value: unknown, keys: ArrayKeys): unknown {
  if (value instanceof NdArray) return arrayMap(value, keys);
  if (Array.isArray(value)) return value.map((item) => outward(item, keys));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return new Map(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, outward(item, keys)]),
  );
}

function arrayMap(array: NdArray, keys: ArrayKeys): Map<unknown, unknown> {
  const bytes = array.bytes();
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = [true, data, array.dtype, array.shape];
  const names: readonly (string | Buffer)[] = keys === "binary" ? BINARY_KEYS : KEYS;
  return new Map(names.map((key, i) => [key, values[i]]));
}

function inward(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inward);
  if (!(value instanceof Map)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of value) entries.push([keyText(key), inward(item)]);
  const map = Object.fromEntries(entries);
  if (map.__ndarray__ === true) return NdArray.from(map.dtype, map.shape, map.data);
  if (map.__npgeneric__ === true) return scalar(map.dtype, map.data);
  return map;
}

function keyText(key: unknown): string {
  if (typeof key === "string") return key;
  if (key instanceof Uint8Array) return Buffer.from(key).toString("utf8");
  if (typeof key === "number") return String(key);
  throw new ProtocolError("bad_frame", `a map's key is ${show(key)}, not text`);
}

/** NumPy's scalars carry their value as it is (openpi) or as bytes. */
function scalar(dtype: unknown, data: unknown): unknown {
  if (!(data instanceof Uint8Array)) return data;
  return NdArray.from(dtype, [], data).numbers()[0];
}
