/**
 * The protocol between evaluators and policies: its messages, both encodings, and an evaluator's two ways to
 * talk to a policy, dialling and listening.
 *
 * @packageDocumentation
 */

export { decodeFrame, encodeFrame } from "./codec/frame.js";
export { type Dtype, NdArray } from "./codec/ndarray.js";
export { decodeObservation, encodeObservation } from "./codec/observation.js";
export {
  type Capabilities,
  type Conventions,
  type Encoding,
  MESSAGE_TYPES,
  type Message,
  type MessageOf,
  type MessageType,
  PROTOCOL_VERSION,
} from "./messages/base.js";
export { protocolJsonSchema } from "./messages/json-schema.js";
export { readMessage } from "./messages/read.js";
export { type ActionFields, parseActionMessage } from "./parse-action.js";
export { createResetMessage } from "./protocol.js";
export type { EpisodeOptions } from "./sent-episode.js";
export type { Accepted } from "./websocket/accept.js";
export { Link, type LinkHandlers } from "./websocket/link.js";
export { type ServerOptions, WebSocketServer } from "./websocket/server.js";
export { type ProtocolOptions, WebSocketProtocol } from "./websocket-protocol.js";
