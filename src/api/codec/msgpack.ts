import { raiseFreeThreshold } from "./frame-pool.js";
import { MsgpackReader } from "./msgpack-read.js";
import { type ArrayKeys, MsgpackWriter } from "./msgpack-write.js";

const writer = new MsgpackWriter();

/**
 * Encodes one value as MessagePack. Arrays (NdArray) are maps `{__ndarray__: true, data, dtype, shape}`, in this order, as
 * openpi's msgpack_numpy writes them. Undefined entries are omitted, as in JSON.
 */
export function packMsgpack(value: unknown, keys: ArrayKeys = "binary"): Buffer {
  return writer.write(value, keys);
}

/** Decodes one value from MessagePack: maps as plain objects, arrays as NdArray, NumPy's scalars as numbers or text. */
export function unpackMsgpack(bytes: Uint8Array): unknown {
  raiseFreeThreshold(bytes.length);
  return new MsgpackReader(bytes).read();
}
