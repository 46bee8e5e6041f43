import type { PolicySettings } from "../../config/policy.js";
import type { PolicyIdentity } from "../../core/policy-identity.js";
import type { Capabilities, Encoding } from "../messages/base.js";
import type { Link } from "../websocket/link.js";
import type { PolicyConnection } from "./connection.js";

/** Makes connections to a policy, by dialling it or by accepting it. */
export interface PolicySource {
  /** Address, for messages. */
  readonly label: string;
  /** Resolves when one more connection has been passed to `onConnection`. */
  connect(options: ConnectOptions): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Keeps trying while the policy is busy. A policy may count our own broken connection as another client. */
  readonly waitsForTurn?: boolean;
}

export interface SourceHooks {
  onConnection(connection: PolicyConnection): void;
  /** Called when a connection from this source was resumed or ended. */
  onChange(connection: PolicyConnection): void;
  /** Reports to the user what the source waits for. */
  onWait?(text: string): void;
}

export interface SourceOptions {
  readonly policy: PolicySettings;
  readonly token: string | undefined;
  /** Number of concurrent episodes. */
  readonly sessions: number;
  readonly hooks: SourceHooks;
}

/** Timeouts in milliseconds. */
export interface Times {
  /** For the first episode_ready and the first action of a connection. */
  readonly coldStart: number;
  /** For every reply after those of `coldStart`. */
  readonly answer: number;
  /** For resuming a broken connection. */
  readonly grace: number;
}

/** Result of a handshake. */
export interface Established {
  readonly link: Link;
  readonly sessionId: string;
  readonly capabilities: Capabilities;
  /** Undefined if the policy does not declare it. */
  readonly policy?: PolicyIdentity | undefined;
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

export function timesOf(policy: PolicySettings): Times {
  return {
    coldStart: policy.cold_start_timeout * 1000,
    answer: policy.action_timeout * 1000,
    grace: policy.reconnect_grace * 1000,
  };
}

/** The capabilities that the evaluator declares. */
export function evaluatorCapabilities({ policy, sessions }: SourceOptions): Capabilities {
  const known: Readonly<Record<PolicySettings["encoding"], readonly Encoding[]>> = {
    auto: ["msgpack", "json"],
    json: ["json"],
    msgpack: ["msgpack"],
  };
  return {
    encodings: [...known[policy.encoding]],
    sessions: Math.max(1, Math.min(policy.sessions, sessions)),
  };
}
