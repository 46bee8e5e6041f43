import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Image } from "../../core/interfaces/observation.js";
import { ENCODINGS, type Encoding } from "../messages/base.js";
import { decodeFrame, encodeFrame } from "./frame.js";
import { NdArray } from "./ndarray.js";
import { decodeObservation, encodeObservation } from "./observation.js";

/** Encodes an observation, sends it through a whole frame and decodes it. */
async function travelled(observation: Record<string, unknown>, encoding: Encoding) {
  const wire = await encodeObservation(observation, Object.keys(observation), encoding);
  const frame = encodeFrame(
    { type: "get_action", session_id: "S", task_type: "vln", observation: wire },
    encoding,
  );
  const bytes = typeof frame === "string" ? Buffer.from(frame) : frame;
  const message = decodeFrame(bytes, encoding === "msgpack");
  return decodeObservation(message.type === "get_action" ? message.observation : {});
}

function bits(image: unknown): Buffer {
  const { data } = image as Image;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

const size = fc.record({
  width: fc.integer({ min: 1, max: 9 }),
  height: fc.integer({ min: 1, max: 9 }),
});
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const image = fc.oneof(
  size.chain(({ width, height }) =>
    bytes(width * height * 3).map((data): Image => ({ kind: "rgb", width, height, data })),
  ),
  size.chain(({ width, height }) =>
    bytes(width * height * 4).map(
      (data): Image => ({
        kind: "depth",
        width,
        height,
        data: new Float32Array(data.slice().buffer),
      }),
    ),
  ),
  size.chain(({ width, height }) =>
    bytes(width * height * 2).map(
      (data): Image => ({
        kind: "semantic",
        width,
        height,
        data: new Uint16Array(data.slice().buffer),
      }),
    ),
  ),
);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

describe("observation codec", () => {
  it("the observation codec keeps every pixel in both encodings, including NaN and infinities in depth", async () => {
    await fc.assert(
      fc.asyncProperty(image, async (picture) => {
        for (const encoding of ENCODINGS) {
          const { seen } = await travelled({ seen: picture }, encoding);
          const { kind, width, height } = picture;
          expect(seen).toMatchObject({ kind, width, height });
          expect(bits(seen).equals(bits(picture))).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("the observation codec keeps every number in both encodings, except that minus zero becomes zero", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(finite), finite, async (vector, number) => {
        const expected = { vector: vector.map((n) => n + 0), number: number + 0 };
        for (const encoding of ENCODINGS) {
          expect(await travelled({ vector, number }, encoding)).toEqual(expected);
          expect(await travelled({ vector: Float64Array.from(vector), number }, encoding)).toEqual(
            expected,
          );
        }
      }),
    );
  });

  it("the observation codec keeps strings and objects in both encodings", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.jsonValue(), async (text, object) => {
        const [msgpack, json] = await Promise.all(
          ENCODINGS.map((encoding) => travelled({ text, object: { object } }, encoding)),
        );
        expect(msgpack).toEqual(json);
        expect(json?.text).toBe(text);
      }),
    );
  });

  it("the observation codec accepts typed arrays of any kind at any depth", async () => {
    const observation = {
      floats: Float32Array.of(0.5, 1),
      bytes: Uint8Array.of(1, 2),
      pose: { position: Float64Array.of(1, 2, 3), parts: [Int32Array.of(4)] },
    };
    for (const encoding of ENCODINGS) {
      expect(await travelled(observation, encoding)).toEqual({
        floats: [0.5, 1],
        bytes: [1, 2],
        pose: { position: [1, 2, 3], parts: [[4]] },
      });
    }
  });

  it("the observation codec sends NaN and infinities outside of images as null in JSON", async () => {
    const observation = { vector: [1, Number.NaN], number: Number.POSITIVE_INFINITY };
    expect(await travelled(observation, "msgpack")).toEqual(observation);
    expect(await travelled(observation, "json")).toEqual({ vector: [1, null], number: null });
  });

  it("the observation codec sends only the requested entries and renders nothing else", async () => {
    const observation = {
      gps: [1, 2],
      get rgb(): never {
        throw new Error("rendered without a request");
      },
    };
    expect(await encodeObservation(observation, ["gps"], "json")).toEqual({ gps: [1, 2] });
  });

  it("the observation codec decodes arrays of another evaluator that are not images", async () => {
    const cube = new NdArray("<f8", [1, 2, 2], Float64Array.of(1, 2, 3, 4));
    const scalar = new NdArray("<f4", [], Float32Array.of(1.5));
    const vector = new NdArray("<f4", [2], Float32Array.of(1, -0));
    expect(await decodeObservation({ cube, scalar, vector })).toEqual({
      cube,
      scalar: 1.5,
      vector: [1, 0],
    });
  });
});
