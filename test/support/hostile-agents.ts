import { expect } from "vitest";
import { Rogue } from "./challenge.js";
import type { QueueChallenge } from "./queue-challenge.js";

const FULL = { protocol_version: "1.0", capabilities: { encodings: ["json"], sessions: 1 } };
/** Text that PostgreSQL rejects or that controls terminals. */
const HOSTILE = "\u0000\u001b[2J\ud800";

/** Misbehaviour of an agent after it was accepted. Resolves when complete. */
export const MISDEEDS: Readonly<
  Record<string, (agent: Rogue, cancel: () => Promise<void>) => Promise<unknown>>
> = {
  "hangs up when it is accepted": async (agent) => agent.hangUp(),
  "hangs up when an episode begins": async (agent) => {
    await agent.until("reset_episode");
    agent.hangUp();
  },
  "hangs up when it is asked for an action": async (agent) => {
    await ready(agent);
    agent.hangUp();
  },
  "hangs up after an action": async (agent) => {
    await act(agent, "move_forward");
    agent.hangUp();
  },
  "sends frames that are no message": async (agent) => {
    await ready(agent);
    for (let i = 0; i < 150; i++) agent.send("\u0000{garbage");
    return agent.closed;
  },
  "sends a frame that is too large": async (agent) => {
    await act(agent, "x".repeat(100_000));
    return agent.closed;
  },
  floods: async (agent) => {
    await ready(agent);
    for (let t = 0; t < 2000; t++) agent.send({ type: "heartbeat", session_id: "", t });
    return agent.closed;
  },
  "acts with hostile text": async (agent) => {
    agent.obey(0, `goto:${HOSTILE}`);
    return agent.closed;
  },
  "acts with a value of no action's type": async (agent) => {
    agent.obey(0, { [HOSTILE]: [HOSTILE, null, 1e308] });
    return agent.closed;
  },
  "answers with errors of hostile text": async (agent) => {
    for (let n = 1; ; n++) {
      const asked = await agent.until("reset_episode", n).catch(() => undefined);
      if (!asked) return;
      const { seq, session_id } = asked;
      const about = { session_id, re_seq: seq, code: HOSTILE, message: HOSTILE, fatal: false };
      agent.send({ type: "error", ...about });
    }
  },
  "is cancelled by its team": async (agent, cancel) => {
    await ready(agent);
    await cancel();
    return agent.closed;
  },
};

async function ready(agent: Rogue): Promise<void> {
  const { session_id, seq } = await agent.until("reset_episode");
  agent.send({ type: "episode_ready", session_id, seq });
  await agent.until("get_action");
}

async function act(agent: Rogue, action: unknown): Promise<void> {
  await ready(agent);
  const { session_id, seq } = await agent.until("get_action");
  agent.send({ type: "action", session_id, seq, action });
}

/**
 * Runs each misbehaviour concurrently with a separate team while an honest agent is evaluated. Checks that
 * the honest submission is ranked, that every hostile one is over and counted once, and that pages and queue are in order.
 */
export async function expectHostileAgentsHarmless(
  queue: QueueChallenge,
  names: readonly string[],
  url = queue.agentUrl,
): Promise<void> {
  const { challenge } = queue;
  const dial = async (token: string, more: object = {}) => {
    const agent = new Rogue(url);
    await agent.hello(token, { ...FULL, ...more });
    return agent;
  };
  const honest = await challenge.team("honest");
  const walker = await dial(honest.token);
  const { session_id, server } = await walker.until("connected");
  const { submission } = server as { readonly submission: string };
  const resume = { session_id, last_seq: -1, resume_token: "guess" };
  walker.obey(20);
  const hostile = await Promise.all(
    names.map(async (name) => {
      const { team, token } = await challenge.team(name);
      const thief = await dial(token, { resume });
      expect(await thief.until("error")).toMatchObject({ code: "session_over" });
      const agent = await dial(token);
      const server = (await agent.until("connected")).server as { readonly submission: string };
      await MISDEEDS[name]?.(agent, () => cancel(challenge.port, server.submission, token));
      return { name, team, id: server.submission };
    }),
  );
  await walker.closed;
  expect(await queue.ended(submission)).toMatchObject({ state: "done", counted: true, ranked: 1 });
  for (const { name, team, id } of hostile) {
    await challenge.until(id, ({ state }) => state !== "queued" && state !== "running");
    const own = await challenge.store.submissions({ teamId: team.id });
    expect([name, own.map(({ counted }) => counted)]).toEqual([name, [true]]);
  }
  await expect.poll(() => queue.cluster.queue.runs(), { timeout: 20_000 }).toEqual([]);
  const page = (path: string) => fetch(`http://127.0.0.1:${challenge.port}${path}`);
  expect((await page("/readyz")).status).toBe(200);
  expect(await (await page("/api/phases/test/leaderboard.json")).text()).toContain("honest");
}

async function cancel(port: number, id: string, token: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/submissions/${id}/cancel`;
  const headers = { Authorization: `Bearer ${token}` };
  expect((await fetch(url, { method: "POST", headers })).status).toBe(200);
}
