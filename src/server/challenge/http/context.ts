import type { Context, Hono } from "hono";
import type { Team } from "../store.js";

/** What the gate has found out about a request before anything answers it. */
interface Variables {
  /** Whose it is, seen through our own proxies. */
  caller: string;
  /** Whether it came over TLS: to us, or to a proxy of ours that says so. */
  secure: boolean;
  /** The team whose token came along. */
  team: Team | undefined;
  /** Of that token. */
  tokenId: string | undefined;
}

export type Environment = { Variables: Variables };
export type ChallengeContext = Context<Environment>;
export type ChallengeHono = Hono<Environment>;
