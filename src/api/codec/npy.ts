import { DataError } from "../../core/errors.js";
import { NdArray } from "./ndarray.js";

/** Start of a .npy file: 0x93, NUMPY, version 1.0. */
const MAGIC = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 0x01, 0x00]);

/**
 * Writes an array as NumPy's `.npy`, version 1.0 (NEP 1): magic, header length, a Python dictionary as text, padded
 * to a multiple of 64 bytes, then the numbers.
 */
export function writeNpy(array: NdArray): Buffer {
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(", ");
  const header = `{'descr': '${array.dtype}', 'fortran_order': False, 'shape': (${shape}), }`;
  const length = Math.ceil((MAGIC.length + 2 + header.length + 1) / 64) * 64 - MAGIC.length - 2;
  const lengthBytes = Buffer.alloc(2);
  lengthBytes.writeUInt16LE(length);
  const text = `${header.padEnd(length - 1)}\n`;
  return Buffer.concat([MAGIC, lengthBytes, Buffer.from(text, "latin1"), array.bytes()]);
}

const HEADER =
  /^\{'descr': ?'([^']+)', ?'fortran_order': ?(False|True), ?'shape': ?\(([\d, ]*)\),? ?\}\s*$/;

export function readNpy(bytes: Uint8Array): NdArray {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 10 || !file.subarray(0, 8).equals(MAGIC)) {
    throw new DataError("bad_array", "not a NumPy .npy file of version 1.0");
  }
  const start = 10 + file.readUInt16LE(8);
  const header = HEADER.exec(file.subarray(10, start).toString("latin1"));
  if (!header || header[2] === "True") {
    throw new DataError("bad_array", "unsupported .npy header", {
      hint: "save a plain array in C order",
    });
  }
  const shape = (header[3] ?? "").split(",").flatMap((n) => (n.trim() === "" ? [] : [Number(n)]));
  return NdArray.from(header[1], shape, file.subarray(start));
}
