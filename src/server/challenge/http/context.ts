import type { Context, Hono } from "hono";
import type { Team } from "../store/store.js";

/** Properties of a request that `RequestGuard` sets. */
interface Variables {
  /** The client's address, behind trusted proxies. */
  caller: string;
  /** True if the request used TLS, to this server or to a trusted proxy. */
  secure: boolean;
  /** The team whose token was sent. */
  team: Team | undefined;
  /** Id of that token. */
  tokenId: string | undefined;
}

export type Environment = { Variables: Variables };
export type ChallengeContext = Context<Environment>;
export type ChallengeHono = Hono<Environment>;
