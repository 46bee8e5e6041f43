import type { Capabilities } from "../messages/base.js";
import type { Link } from "../websocket/link.js";
import type { PolicyConnection } from "./connection.js";

/** In milliseconds. */
export interface Times {
  /** For the first episode_ready and the first action of a connection. */
  readonly coldStart: number;
  /** For every later answer. */
  readonly answer: number;
  /** In which a broken connection may come back. */
  readonly grace: number;
}

/** What a handshake gave. */
export interface Established {
  readonly link: Link;
  readonly sessionId: string;
  readonly capabilities: Capabilities;
  /** Absent for peers that cannot take a connection up again. */
  readonly resumeToken: string | undefined;
}

export interface ConnectionHooks {
  /** The link broke, and the connection can be taken up: by `adopt`, until the signal says that it is over. */
  onDrop?(connection: PolicyConnection, over: AbortSignal): void;
  /** The policy sent what is no message, or none that a policy sends. It has been told, and nothing follows. */
  onOddity?(what: string): void;
  /** It came back, or ended for good: what could be had of it may have changed. */
  onChange(connection: PolicyConnection): void;
}
