import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, ProtocolError } from "../../core/errors.js";
import { ENCODINGS, type Encoding } from "../messages/base.js";
import { messages } from "../messages/messages.fixture.js";
import { decodeFrame, encodeFrame } from "./frame.js";

function bytesOf(frame: string | Buffer): Buffer {
  return typeof frame === "string" ? Buffer.from(frame) : frame;
}

describe("frame codec", () => {
  it.each(ENCODINGS)("round-trips any message in %s", (encoding) => {
    fc.assert(
      fc.property(messages, (message) => {
        const frame = encodeFrame(message, encoding);
        expect(decodeFrame(bytesOf(frame), encoding === "msgpack")).toEqual(message);
      }),
    );
  });

  it("the frame codec encodes JSON as text and MessagePack as bytes", () => {
    const message = { type: "disconnect", session_id: "S" } as const;
    expect(encodeFrame(message, "json")).toBe('{"type":"disconnect","session_id":"S"}');
    expect(encodeFrame(message, "msgpack")).toBeInstanceOf(Buffer);
  });

  const hostile = fc.tuple(fc.constantFrom<Encoding>(...ENCODINGS), fc.uint8Array());
  it("the frame codec decodes random bytes to a message or throws a RobotEvalError", () => {
    fc.assert(
      fc.property(hostile, ([encoding, bytes]) => readsOrRefuses(bytes, encoding)),
      { numRuns: 1000 },
    );
  });

  it("the frame codec decodes a message with changed bytes to a message or throws a RobotEvalError", () => {
    const change = fc.record({ at: fc.nat(), to: fc.nat(255) });
    fc.assert(
      fc.property(
        messages,
        fc.constantFrom<Encoding>(...ENCODINGS),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (message, encoding, changes) => {
          const bytes = Buffer.from(bytesOf(encodeFrame(message, encoding)));
          for (const { at, to } of changes) bytes[at % bytes.length] = to;
          readsOrRefuses(bytes, encoding);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function readsOrRefuses(bytes: Uint8Array, encoding: Encoding): void {
  try {
    decodeFrame(bytes, encoding === "msgpack");
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof DataError)) throw error;
  }
}
