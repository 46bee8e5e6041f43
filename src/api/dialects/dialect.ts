import type { AgentEpisode, AgentEpisodeEnd, AgentTask } from "../../core/interfaces/agent.js";
import type { PolicyInput } from "../mapping/observation.js";
import type { Mapping } from "../mapping/resolve.js";
import type { PeerSocket } from "../websocket/peer-socket.js";

/** What stands before `+ws` in the address of a policy. */
export type DialectName = "openpi" | "behavior" | "roboarena" | "vla-eval";

/** What the two sides of a new connection should fit. */
export interface Meeting {
  readonly task: AgentTask | undefined;
  /** What the benchmark says; a dialect fills in what it leaves open. */
  readonly mapping: Mapping;
  /** Of a chunk, how many actions are done; all if undefined. */
  readonly execute: number | undefined;
  /** Milliseconds for the greeting. */
  readonly waitMs: number;
}

/** A protocol of another project, in which its policies are served. */
export interface Dialect {
  readonly name: DialectName;
  readonly description: string;
  /** Headers of the request that opens the connection. */
  headers?(token: string): Readonly<Record<string, string>>;
  /** Greets a policy, and throws a ConfigError when it does not fit the task. */
  greet(peer: PeerSocket, meeting: Meeting): Promise<Conversation>;
}

/** One connection to a policy, past its greeting. */
export interface Conversation {
  /** What the policy said of itself. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly mapping: Mapping;
  /** Keys of a reply under which actions may stand, the usual first. */
  readonly actionKeys: readonly string[];
  begin(episode: AgentEpisode, waitMs: number): Promise<void>;
  /** The policy's reply to an observation, as a map. */
  infer(observation: PolicyInput, waitMs: number): Promise<Readonly<Record<string, unknown>>>;
  end(end: AgentEpisodeEnd, waitMs: number): Promise<void>;
}
