import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packMsgpack, unpackMsgpack } from "./msgpack.js";
import { type Dtype, NdArray } from "./ndarray.js";

const SIZES: Readonly<Record<Dtype, number>> = {
  "|u1": 1,
  "|i1": 1,
  "|b1": 1,
  "<u2": 2,
  "<i2": 2,
  "<u4": 4,
  "<i4": 4,
  "<u8": 8,
  "<i8": 8,
  "<f4": 4,
  "<f8": 8,
};
const dtypes = Object.keys(SIZES) as Dtype[];

describe("NdArray", () => {
  const arrays = fc
    .record({
      dtype: fc.constantFrom(...dtypes),
      shape: fc.array(fc.nat(4), { maxLength: 4 }),
      before: fc.nat(9),
    })
    .chain(({ dtype, shape, before }) => {
      const length = shape.reduce((product, n) => product * n, SIZES[dtype]);
      return fc.record({
        dtype: fc.constant(dtype),
        shape: fc.constant(shape),
        before: fc.constant(before),
        data: fc.uint8Array({ minLength: length, maxLength: length }),
      });
    });

  it("NdArray keeps the bytes of every type and shape at any offset in a frame", () => {
    fc.assert(
      fc.property(arrays, ({ dtype, shape, data, before }) => {
        const array = NdArray.from(dtype, shape, data);
        const read = unpackMsgpack(packMsgpack(["x".repeat(before), array]));
        const [, back] = read as [string, NdArray];
        expect(back).toBeInstanceOf(NdArray);
        expect([back.dtype, back.shape]).toEqual([dtype, shape]);
        expect(Buffer.from(back.bytes()).equals(Buffer.from(data))).toBe(true);
      }),
    );
  });

  it("NdArray reads numbers as little endian", () => {
    const bytes = Buffer.from("0100000000000000feffffffffffffff", "hex");
    expect(NdArray.from("<i8", [2, 1], bytes).numbers()).toEqual([1, -2]);
    expect(NdArray.from("<u2", [8], bytes).numbers()).toEqual([
      1, 0, 0, 0, 65_534, 65_535, 65_535, 65_535,
    ]);
    expect(NdArray.from("<i8", [2, 1], bytes).rows()).toEqual([[1], [-2]]);
  });

  it("NdArray reads a Buffer that is part of a larger one", () => {
    const whole = Buffer.from([9, 9, 9, 1, 2, 3, 9]);
    expect(NdArray.from("|u1", [3], whole.subarray(3, 6)).numbers()).toEqual([1, 2, 3]);
    const floats = Buffer.concat([Buffer.of(9), Buffer.from(Float32Array.of(1.5, -2).buffer)]);
    expect(NdArray.from("<f4", [2], floats.subarray(1)).numbers()).toEqual([1.5, -2]);
  });

  it("NdArray widens half floats without loss", () => {
    // NumPy's float16 values 1.5, -2 and 65504.
    const bytes = Buffer.from("003e00c0ff7b", "hex");
    expect(NdArray.from("<f2", [3], bytes)).toEqual(
      new NdArray("<f4", [3], Float32Array.of(1.5, -2, 65_504)),
    );
    const all = Uint16Array.from({ length: 65_536 }, (_, i) => i);
    const { data } = NdArray.from("<f2", [65_536], new Uint8Array(all.buffer));
    expect(data[0x0001]).toBe(2 ** -24);
    expect(data[0x03ff]).toBe(1023 * 2 ** -24);
    expect(data[0x7c00]).toBe(Number.POSITIVE_INFINITY);
    expect(data[0xfc00]).toBe(Number.NEGATIVE_INFINITY);
    expect(data[0x7c01]).toBeNaN();
    const grows = (i: number) => Number(data[i]) > Number(data[i - 1]);
    const mirrors = (i: number) => data[i + 0x8000] === -Number(data[i]);
    const finite = Array.from({ length: 0x7bff }, (_, i) => i + 1);
    expect(finite.filter((i) => !grows(i) || !mirrors(i))).toEqual([]);
  });
});
