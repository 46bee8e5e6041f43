import type { Capabilities } from "../messages/base.js";
import type { Link } from "../websocket/link.js";
import type { PolicyConnection } from "./connection.js";

/** Timeouts in milliseconds. */
export interface Times {
  /** For the first episode_ready and the first action of a connection. */
  readonly coldStart: number;
  /** For every later reply. */
  readonly answer: number;
  /** For resuming a broken connection. */
  readonly grace: number;
}

/** Result of a handshake. */
export interface Established {
  readonly link: Link;
  readonly sessionId: string;
  readonly capabilities: Capabilities;
  /** Undefined for peers that cannot resume a connection. */
  readonly resumeToken: string | undefined;
}

export interface ConnectionHooks {
  /** The link broke. `adopt` can resume the connection until the signal aborts. */
  onDrop?(connection: PolicyConnection, over: AbortSignal): void;
  /** The policy sent an invalid or unexpected message. It was answered with an error; no other action is needed. */
  onInvalidMessage?(what: string): void;
  /** The connection was resumed or ended for good, so the number of free sessions may have changed. */
  onChange(connection: PolicyConnection): void;
}
