import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { NdArray } from "./ndarray.js";
import { readNpy, writeNpy } from "./npy.js";

// Written by `numpy.save` of NumPy 2.
const MATRIX =
  "934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c2032292c207d202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020200a0000803f000020400000000000000080";
const VECTOR =
  "934e554d5059010076007b276465736372273a20273c6638272c2027666f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028332c292c207d2020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020200a000000000000f03f00000000000000400000000000000840";

describe("npy codec", () => {
  it.each([
    ["a matrix", MATRIX, new NdArray("<f4", [2, 2], Float32Array.of(1, 2.5, 0, -0))],
    ["a vector", VECTOR, new NdArray("<f8", [3], Float64Array.of(1, 2, 3))],
  ])("the npy codec writes %s byte for byte as NumPy does", (_, hex, array) => {
    expect(readNpy(Buffer.from(hex, "hex"))).toEqual(array);
    expect(writeNpy(array).toString("hex")).toBe(hex);
  });

  it("the npy codec keeps every bit of a depth image, including NaN and infinities", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 24, maxLength: 24 }), (bytes) => {
        const back = readNpy(writeNpy(NdArray.from("<f4", [2, 3], bytes)));
        expect(Buffer.from(back.bytes()).equals(Buffer.from(bytes))).toBe(true);
      }),
    );
  });

  it("the npy codec reads random bytes as an array or throws a RobotEvalError", () => {
    const file = Buffer.from(MATRIX, "hex");
    const change = fc.record({ at: fc.nat(file.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(file.length), (changes, length) => {
        const bytes = Buffer.from(file);
        for (const { at, to } of changes) bytes[at] = to;
        for (const part of [bytes, bytes.subarray(0, length)]) {
          try {
            readNpy(part);
          } catch (error) {
            expect(error).toBeInstanceOf(DataError);
          }
        }
      }),
    );
  });

  it("the npy codec rejects Fortran order and other format versions", () => {
    const text = Buffer.from(MATRIX, "hex").toString("latin1");
    const fortran = Buffer.from(text.replace("False,", "True, "), "latin1");
    expect(() => readNpy(fortran)).toThrow("unsupported .npy header");
    const version2 = Buffer.from(MATRIX, "hex");
    version2[6] = 2;
    expect(() => readNpy(version2)).toThrow("version 1.0");
  });
});
