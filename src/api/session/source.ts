import type { PolicySettings } from "../../config/policy.js";
import type { Capabilities, Encoding } from "../messages/base.js";
import type { PolicyConnection } from "./connection.js";
import type { Times } from "./terms.js";

/** Where connections to a policy come from: it is dialled, or dials in. */
export interface PolicySource {
  /** For people. */
  readonly label: string;
  /** Resolves when one more connection has been handed over. */
  connect(options: ConnectOptions): Promise<void>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Waits for a policy that is at somebody else's episode, as ours may seem to it when we come back. */
  readonly waitsForTurn?: boolean;
}

export interface SourceHooks {
  onConnection(connection: PolicyConnection): void;
  /** Of one that was handed over. */
  onChange(connection: PolicyConnection): void;
  /** A word for people about what is waited for. */
  onWait?(text: string): void;
}

export interface SourceOptions {
  readonly policy: PolicySettings;
  readonly token: string | undefined;
  /** Episodes that will run side by side. */
  readonly sessions: number;
  readonly hooks: SourceHooks;
}

export function timesOf(policy: PolicySettings): Times {
  return {
    coldStart: policy.cold_start_timeout * 1000,
    answer: policy.action_timeout * 1000,
    grace: policy.reconnect_grace * 1000,
  };
}

/** What the evaluator says of itself. */
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
