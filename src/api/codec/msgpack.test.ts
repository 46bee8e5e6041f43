import fc from "fast-check";
import { Packr, Unpackr } from "msgpackr";
import { describe, expect, it } from "vitest";
import { DataError, ProtocolError } from "../../core/errors.js";
import { packMsgpack, unpackMsgpack } from "./msgpack.js";
import { NdArray } from "./ndarray.js";

/** Any JSON value, with whole numbers of every size. */
const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.maxSafeInteger(),
    fc.integer({ min: -70_000, max: 70_000 }),
    fc.double(),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.array(tie("value"), { maxLength: 20 }),
    fc.dictionary(fc.string({ maxLength: 40 }), tie("value"), { maxKeys: 20 }),
  ),
})).value;

describe("MessagePack written by Python", () => {
  // Written by openpi's msgpack_numpy (msgpack 1.x, NumPy 2.x).
  const OBSERVATION =
    "8aa5696d61676584c40b5f5f6e6461727261795f5fc3c40464617461c40c000102030405060708090a0bc4056474797065a37c7531c405736861706593020203a5737461746584c40b5f5f6e6461727261795f5fc3c40464617461c410000000000000e03f000000000000f4bfc4056474797065a33c6638c40573686170659102a670726f6d7074a77069636b207570a16ecd012ca36e6567d1ff7fa3626967cf0000010000000000a166cb3fb999999999999aa174c3a46e6f6e65c0a46c69737492019202ff";
  const value = {
    image: new NdArray(
      "|u1",
      [2, 2, 3],
      Uint8Array.from({ length: 12 }, (_, i) => i),
    ),
    state: NdArray.of([0.5, -1.25]),
    prompt: "pick up",
    n: 300,
    neg: -129,
    big: 2 ** 40,
    f: 0.1,
    t: true,
    none: null,
    list: [1, [2, -1]],
  };

  it("MessagePack written by Python is read and written byte for byte", () => {
    expect(unpackMsgpack(Buffer.from(OBSERVATION, "hex"))).toEqual(value);
    expect(packMsgpack(value).toString("hex")).toBe(OBSERVATION);
  });

  it("the MessagePack codec aligns large arrays, so that they are read without a copy", () => {
    const depth = new NdArray("<f4", [100, 200], new Float32Array(20_000).fill(0.5));
    for (let length = 0; length < 8; length++) {
      const frame = packMsgpack({ name: "x".repeat(length), depth, more: depth });
      const read = unpackMsgpack(new Uint8Array(frame)) as { depth: NdArray; more: NdArray };
      expect(read).toEqual({ name: "x".repeat(length), depth, more: depth });
      expect([read.depth.data.buffer, read.more.data.buffer].map((b) => b.byteLength)).toEqual([
        frame.length,
        frame.length,
      ]);
    }
  });

  it("the MessagePack codec decodes NumPy scalars to plain values", () => {
    const scalars =
      "84a16183c40d5f5f6e7067656e657269635f5fc3c40464617461cb3ff8000000000000c4056474797065a33c6634a16283c40d5f5f6e7067656e657269635f5fc3c40464617461f9c4056474797065a33c6938a16383c40d5f5f6e7067656e657269635f5fc3c40464617461c3c4056474797065a37c6231a175a368c3a9";
    expect(unpackMsgpack(Buffer.from(scalars, "hex"))).toEqual({ a: 1.5, b: -7, c: true, u: "hé" });
  });
});

describe("MessagePack of a float32 array of 1 and 2", () => {
  const array = new NdArray("<f4", [2], Float32Array.of(1, 2));

  it("MessagePack of a float32 array of 1 and 2 has 51 bytes with binary keys, as written by openpi", () => {
    const bytes = packMsgpack(array);
    expect(bytes.length).toBe(51);
    expect(bytes.toString("hex")).toBe(
      "84c40b5f5f6e6461727261795f5fc3c40464617461c4080000803f00000040c4056474797065a33c6634c40573686170659102",
    );
    expect(unpackMsgpack(bytes)).toEqual(array);
  });

  it("MessagePack of a float32 array of 1 and 2 has 47 bytes with text keys, as written by vla-eval", () => {
    const bytes = packMsgpack(array, "text");
    expect(bytes.length).toBe(47);
    expect(unpackMsgpack(bytes)).toEqual(array);
  });
});

describe("MessagePack round trips", () => {
  it("MessagePack round trips keep any value, except that minus zero becomes zero", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(unpackMsgpack(packMsgpack(value))).toEqual(withoutMinusZero(value));
      }),
    );
  });

  it("MessagePack round trips agree with another library in both directions", () => {
    const packr = new Packr({ useRecords: false, variableMapSize: true });
    const unpackr = new Unpackr({ useRecords: false, int64AsType: "number" });
    fc.assert(
      fc.property(plain, (value) => {
        fc.pre(!hasProto(value));
        expect(unpackr.unpack(packMsgpack(value))).toEqual(withoutMinusZero(value));
        expect(unpackMsgpack(packr.pack(value))).toEqual(withoutMinusZero(value));
      }),
    );
  });

  it("MessagePack round trips keep strings and bytes on both sides of every length encoding", () => {
    for (const length of [0, 31, 32, 255, 256, 1023, 1024, 65_535, 65_536, 100_000]) {
      const text = "x".repeat(length);
      expect(unpackMsgpack(packMsgpack({ text, after: 1 }))).toEqual({ text, after: 1 });
      const bytes = Buffer.alloc(length, 7);
      expect(unpackMsgpack(packMsgpack([bytes, bytes, "after"]))).toEqual([bytes, bytes, "after"]);
      const list = Array.from({ length }, () => 0);
      expect(unpackMsgpack(packMsgpack(list))).toEqual(list);
    }
  });

  it("MessagePack round trips reject a value that cannot be sent, and write the next one", () => {
    expect(() => packMsgpack({ a: 1, f: () => 1 })).toThrow(ProtocolError);
    expect(unpackMsgpack(packMsgpack({ b: 2 }))).toEqual({ b: 2 });
  });

  it("MessagePack leaves out undefined entries, as JSON does", () => {
    expect(unpackMsgpack(packMsgpack({ a: undefined, b: [undefined] }))).toEqual({ b: [null] });
  });
});

describe("MessagePack from an untrusted peer", () => {
  it("the MessagePack codec decodes random bytes to a value or throws a RobotEvalError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        readsOrRefuses(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  it("the MessagePack codec decodes a frame with changed, cut or repeated bytes to a value or throws a RobotEvalError", () => {
    const frame = packMsgpack({
      type: "get_action",
      observation: { rgb: new NdArray("|u1", [1, 2, 3], new Uint8Array(6)), gps: [1, 2.5] },
      seq: 70_000,
    });
    const change = fc.record({ at: fc.nat(frame.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), fc.nat(frame.length), (changes, length) => {
        const bytes = Buffer.from(frame);
        for (const { at, to } of changes) bytes[at] = to;
        readsOrRefuses(bytes);
        readsOrRefuses(bytes.subarray(0, length));
        readsOrRefuses(Buffer.concat([bytes, bytes.subarray(length)]));
      }),
      { numRuns: 2000 },
    );
  });

  const announced: [what: string, hex: string][] = [
    ["a list", "ddffffffff"],
    ["a map", "dfffffffff"],
    ["text", "dbffffffff"],
    ["bytes", "c6ffffffff"],
    ["a list within lists", "ddfffffff0ddfffffff0"],
  ];
  it.each(announced)(
    "the MessagePack codec allocates nothing for a frame that announces %s of 2^32 entries",
    (_, hex) => {
      expect(() => unpackMsgpack(Buffer.from(hex, "hex"))).toThrow(
        /more values than it has bytes|ends within a value/,
      );
    },
  );

  it("the MessagePack codec rejects nesting deeper than 64", () => {
    const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.of(0xc0)]);
    expect(() => unpackMsgpack(nested(64))).not.toThrow();
    expect(() => unpackMsgpack(nested(65))).toThrow("nests deeper than 64");
    expect(() => unpackMsgpack(nested(1_000_000))).toThrow("nests deeper than 64");
  });

  it("the MessagePack codec rejects a frame that ends early, has trailing bytes or uses an unassigned type", () => {
    expect(() => unpackMsgpack(Buffer.alloc(0))).toThrow("ends within a value");
    expect(() => unpackMsgpack(Buffer.of(0xc0, 0xc0))).toThrow("1 bytes follow");
    expect(() => unpackMsgpack(Buffer.of(0xc1))).toThrow("0xc1");
    expect(() => unpackMsgpack(Buffer.of(0xd4, 1, 1))).toThrow("extension type");
    expect(() => unpackMsgpack(Buffer.of(0x81, 0x90, 0x01))).toThrow("a map's key is []");
  });

  it("the MessagePack codec takes the last value of a repeated key, as JSON does", () => {
    expect(unpackMsgpack(Buffer.from("82a16101a16102", "hex"))).toEqual({ a: 2 });
  });

  it("the MessagePack codec stores the key __proto__ without changing the prototype of the object", () => {
    const frame = packMsgpack(JSON.parse('{"__proto__":{"polluted":1},"a":1}'));
    const read = unpackMsgpack(frame) as Record<string, unknown>;
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(read.polluted).toBeUndefined();
    expect(Object.keys(read)).toEqual(["__proto__", "a"]);
  });

  it("the MessagePack codec reports what is wrong with an invalid array", () => {
    const array = (fields: object) => packMsgpack({ __ndarray__: true, ...fields });
    const data = Buffer.alloc(8);
    const bad: [object, string][] = [
      [{ dtype: "|O8", shape: [1], data }, 'its dtype is "|O8"'],
      [{ dtype: ">f8", shape: [1], data }, "readable are"],
      [{ dtype: "<f8", shape: [2], data }, "needs 16 bytes, it has 8"],
      [{ dtype: "<f8", shape: [-1], data }, "not a list of whole numbers"],
      [{ dtype: "<f8", shape: [1] }, "not bytes"],
      [{ dtype: "<f8", shape: [2 ** 40, 2 ** 40], data }, "needs"],
    ];
    for (const [fields, part] of bad) expect(() => unpackMsgpack(array(fields))).toThrow(part);
  });
});

function readsOrRefuses(bytes: Uint8Array): void {
  try {
    unpackMsgpack(bytes);
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof DataError)) throw error;
  }
}

function withoutMinusZero(value: unknown): unknown {
  if (typeof value === "number") return value + 0;
  if (Array.isArray(value)) return value.map(withoutMinusZero);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, item]) => [k, withoutMinusZero(item)]));
}

/** The other library drops this key; ours stores it as an ordinary one. */
function hasProto(value: unknown): boolean {
  return JSON.stringify(value).includes("__proto__");
}
