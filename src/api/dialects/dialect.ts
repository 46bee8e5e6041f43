import type { AgentEpisode, AgentEpisodeEnd, AgentTask } from "../../core/interfaces/agent.js";
import type { PolicyInput } from "../mapping/observation.js";
import type { Mapping } from "../mapping/resolve.js";
import type { PeerSocket } from "../websocket/peer-socket.js";

/** The part before `+ws` in a policy's address. */
export type DialectName = "openpi" | "behavior" | "roboarena" | "vla-eval";

/** What a new connection is checked against. */
export interface HandshakeContext {
  readonly task: AgentTask | undefined;
  /** The benchmark's mapping; a dialect fills in the parts that it leaves open. */
  readonly mapping: Mapping;
  /** Number of actions to execute from each chunk; all if undefined. */
  readonly execute: number | undefined;
  /** Timeout for the greeting, in milliseconds. */
  readonly waitMs: number;
}

/** Another project's protocol for serving policies. */
export interface Dialect {
  readonly name: DialectName;
  /** Headers of the HTTP request that opens the connection. */
  headers?(token: string): Readonly<Record<string, string>>;
  /** Performs the handshake. Throws a ConfigError if the policy does not fit the task. */
  greet(peer: PeerSocket, context: HandshakeContext): Promise<Conversation>;
}

/** A connection to a policy after the handshake. */
export interface Conversation {
  /** What the policy declares about itself. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly mapping: Mapping;
  /** Keys of a reply that may hold actions, the most common first. */
  readonly actionKeys: readonly string[];
  begin(episode: AgentEpisode, waitMs: number): Promise<void>;
  /** Resolves with the policy's reply to an observation, as a map. */
  infer(observation: PolicyInput, waitMs: number): Promise<Readonly<Record<string, unknown>>>;
  end(end: AgentEpisodeEnd, waitMs: number): Promise<void>;
}
