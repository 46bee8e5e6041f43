import { ProtocolError } from "../../core/errors.js";
import type { Encoding, Message } from "../messages/base.js";
import { readMessage } from "../messages/read.js";
import { packMsgpack, unpackMsgpack } from "./msgpack.js";

/**
 * Encodes a message as one WebSocket frame: JSON as text, MessagePack as bytes.
 *
 * @example
 * encodeFrame({ type: "disconnect", session_id: "s1" }, "json");
 */
export function encodeFrame(message: Message, encoding: Encoding): string | Buffer {
  return encoding === "msgpack" ? packMsgpack(message) : JSON.stringify(message);
}

/**
 * Decodes and validates one WebSocket frame of either encoding, whichever was negotiated.
 *
 * @example
 * const frame = Buffer.from('{"type":"disconnect","session_id":"s1"}');
 * decodeFrame(frame, false).type; // "disconnect"
 */
export function decodeFrame(data: Uint8Array, isBinary: boolean): Message {
  return readMessage(frameValue(data, isBinary));
}

/** Decodes a frame without checking that it is a message. */
export function frameValue(data: Uint8Array, isBinary: boolean): unknown {
  return isBinary ? unpackMsgpack(data) : parseJson(data);
}

function parseJson(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8"));
  } catch {
    throw new ProtocolError("bad_frame", "a text frame that is not JSON", {
      hint: "send one JSON object a frame, or MessagePack as a binary frame",
    });
  }
}
