import { onTestFinished } from "vitest";
import { connectMs, type PolicySettings, policySchema } from "../../config/policy.js";
import { DialledPolicy } from "./dialled.js";
import { ListeningForPolicies } from "./listening.js";
import { SessionPool } from "./pool.js";

export interface PoolSettings extends Partial<PolicySettings> {
  /** Number of concurrent episodes. */
  readonly side_by_side?: number;
  readonly token?: string;
}

/** A pool of sessions with the policies at these addresses. */
export async function poolOf(
  urls: readonly string[],
  { side_by_side = 1, token, ...more }: PoolSettings = {},
): Promise<SessionPool> {
  const policy = policySchema.parse({ connect_timeout: 5, reconnect_grace: 5, ...more });
  const times = { openMs: connectMs(policy), connectMs: connectMs(policy) };
  const terms = { policy, token, sessions: side_by_side };
  const pool = await SessionPool.make(
    urls.map((url) => (hooks) => new DialledPolicy(url, { ...terms, hooks })),
    times,
  );
  onTestFinished(() => pool.close());
  return pool;
}

/** A pool of policies that dial in, with its address. */
export async function listeningPool({
  side_by_side = 1,
  token,
  ...more
}: PoolSettings = {}): Promise<{ readonly pool: SessionPool; readonly url: string }> {
  const policy = policySchema.parse({ connect_timeout: 5, reconnect_grace: 5, ...more });
  const ms = connectMs(policy);
  let url = "";
  const pool = await SessionPool.make(
    [
      async (hooks) => {
        const terms = { policy, token, sessions: side_by_side, hooks };
        const source = await ListeningForPolicies.open({ port: 0 }, terms);
        url = source.label;
        return source;
      },
    ],
    { openMs: ms, connectMs: ms },
  );
  onTestFinished(() => pool.close());
  return { pool, url };
}
