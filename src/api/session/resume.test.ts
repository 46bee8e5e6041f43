import { describe, expect, it } from "vitest";
import type { MessageType } from "../messages/base.js";
import {
  type RawConnection,
  RawPolicy,
  type RawPolicyOptions,
  type Reaction,
  until,
  type Wire,
} from "../websocket/raw-peer.fixture.js";
import { AN_END, anEpisode } from "./episode.fixture.js";
import { listeningPool, type PoolSettings, poolOf } from "./pool.fixture.js";
import type { PolicySession } from "./session.js";

async function ask(session: PolicySession, step = 0) {
  await session.send({ gps: [1, 2] }, step);
  return session.receive();
}

async function connected(options: RawPolicyOptions, settings: PoolSettings = {}) {
  const policy = await RawPolicy.listen(options);
  const pool = await poolOf([policy.url], settings);
  await pool.open(1);
  return { policy, pool };
}

/** Runs `reaction` the first time; later calls answer normally. */
function once(reaction: Reaction): Reaction {
  let done = false;
  return (message, peer) => {
    if (done) peer.answer(message);
    else {
      done = true;
      reaction(message, peer);
    }
  };
}

const cut: Reaction = (_, peer) => peer.cut();
const answerAndCut: Reaction = (message, peer) => {
  peer.answer(message);
  // Not a timer: a whole episode may end within a millisecond.
  setImmediate(() => peer.cut());
};

describe("a connection that is cut during an episode and resumed", () => {
  it.each<[MessageType, string, Reaction]>([
    ["reset_episode", "before the answer", cut],
    ["get_action", "before the answer", cut],
    ["reset_episode", "after the answer", answerAndCut],
    ["get_action", "after the answer", answerAndCut],
  ])(
    "a connection that is cut during an episode and resumed continues the episode when cut at %s, %s",
    async (type, _, reaction) => {
      const { policy, pool } = await connected({ on: { [type]: once(reaction) } });
      const session = await pool.take();
      await session.begin(anEpisode());
      for (const step of [0, 1, 2]) expect(await ask(session, step)).toEqual(["stop"]);
      session.end(AN_END);
      await until(() => policy.of("episode_end").length === 1);
      expect(policy.connections).toHaveLength(2);
      expect(policy.of("connect")[1]).toMatchObject({
        resume: { session_id: session.id, resume_token: "token", last_seq: expect.any(Number) },
      });
    },
  );

  it("a connection that is cut during an episode and resumed sends unanswered requests again, unchanged", async () => {
    const { policy, pool } = await connected({ on: { get_action: once(cut) } });
    const session = await pool.take();
    await session.begin(anEpisode());
    await ask(session);
    const [first, again, ...more] = policy.of("get_action");
    expect(again).toEqual(first);
    expect(more).toEqual([]);
  });

  it("a connection that is cut during an episode and resumed is resumed each time it breaks", async () => {
    let cuts = 3;
    const get_action: Reaction = (message, peer) =>
      cuts-- > 0 ? peer.cut() : peer.answer(message);
    const { policy, pool } = await connected({ on: { get_action } });
    const session = await pool.take();
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(4);
  });

  it("a connection that is cut during an episode and resumed survives another break while it is being resumed", async () => {
    let connects = 0;
    const connect: Reaction = (message, peer) =>
      ++connects === 2 ? peer.cut() : peer.answer(message);
    const { policy, pool } = await connected({ on: { connect, get_action: once(cut) } });
    const session = await pool.take();
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(3);
  });
});

it("a policy that disconnects at every request is lost after six breaks in a row", async () => {
  const { policy, pool } = await connected({ on: { get_action: cut } });
  const session = await pool.take();
  await session.begin(anEpisode());
  await expect(ask(session)).rejects.toMatchObject({
    code: "policy_lost",
    message: expect.stringContaining("6 times in a row without an answer"),
  });
  expect(policy.connections).toHaveLength(6);
});

describe("a connection that is cut and not resumed", () => {
  it("a connection that is cut and not resumed fails pending requests after the grace time", async () => {
    const { policy, pool } = await connected(
      { on: { get_action: (_, peer) => void stopAll(peer) } },
      { reconnect_grace: 0.05 },
    );
    const session = await pool.take();
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({
      code: "policy_lost",
      message: expect.stringContaining("0.05 s"),
      where: policy.url,
    });
  });

  it.each<[string, RawPolicyOptions, PoolSettings]>([
    ["uses the plain form", { plain: true }, {}],
    ["has no grace time", {}, { reconnect_grace: 0 }],
  ])(
    "a connection that is cut and not resumed fails pending requests at once if the policy %s",
    async (_, options, settings) => {
      const { pool } = await connected({ ...options, on: { get_action: cut } }, settings);
      const session = await pool.take();
      await session.begin(anEpisode());
      await expect(ask(session)).rejects.toMatchObject({ code: "policy_lost" });
    },
  );

  it.each<[string, Reaction, string | RegExp]>([
    [
      "says disconnect",
      (_, peer) => peer.send({ type: "disconnect", reason: "out of memory" }),
      /out of memory/,
    ],
    [
      "reports a fatal error",
      (_, peer) => peer.send({ type: "error", code: "oom", message: "CUDA", fatal: true }),
      /CUDA/,
    ],
    ["closes with 1009 (message too big)", (_, peer) => peer.socket.close(1009), /1009/],
  ])(
    "a connection that is cut and not resumed fails pending requests at once if the policy %s",
    async (_, get_action, why) => {
      const { policy, pool } = await connected({ on: { get_action } });
      const session = await pool.take();
      await session.begin(anEpisode());
      await expect(ask(session)).rejects.toThrow(why);
      expect(policy.connections).toHaveLength(1);
    },
  );

  it("a connection that is cut and not resumed fails the episode when the policy was restarted, and serves the next one", async () => {
    const { policy, pool } = await connected({
      on: { get_action: (_, peer) => void restart(peer) },
    });
    let second: RawPolicy | undefined;
    async function restart(peer: RawConnection) {
      await peer.policy.stop();
      second = await RawPolicy.listen({}, peer.policy.port);
    }
    const session = await pool.take();
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({
      code: "policy_lost",
      message: expect.stringContaining("restarted"),
    });
    session.end(AN_END);
    const next = await pool.take();
    await next.begin(anEpisode());
    expect(await ask(next)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
    expect(second?.connections).toHaveLength(1);
  });

  it("a connection that is cut and not resumed keeps no pending requests", async () => {
    const { pool } = await connected({ on: { get_action: cut } }, { reconnect_grace: 0 });
    const session = await pool.take();
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toThrow();
    await expect(ask(session)).rejects.toMatchObject({ code: "policy_lost" });
    expect(pool.connections).toEqual([]);
  });
});

describe("a policy that dials in", () => {
  async function dialledIn(options: RawPolicyOptions = {}, settings: PoolSettings = {}) {
    const { pool, url } = await listeningPool(settings);
    const opened = pool.open(settings.side_by_side ?? 1);
    const policy = await RawPolicy.dial(url, options);
    await opened;
    return { policy, pool, url };
  }

  it("a policy that dials in receives the same requests as one that was dialled", async () => {
    const { policy, pool } = await dialledIn();
    const session = await pool.take();
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.of("connected")[0]).toMatchObject({ server: { name: "robot-eval" } });
  });

  it("a policy that dials in may use the plain form", async () => {
    const { pool } = await dialledIn({ plain: true });
    const session = await pool.take();
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
  });

  it.each<MessageType>(["reset_episode", "get_action"])(
    "a policy that dials in may be cut at %s, dial in again and continue",
    async (type) => {
      let cuts = 1;
      const { policy, pool, url } = await dialledIn({
        on: {
          [type]: (message: Wire, peer: RawConnection) => {
            if (cuts-- <= 0) return peer.answer(message);
            peer.cut();
            const [hello] = policy.of("connected");
            const { session_id, resume_token } = hello ?? {};
            void policy.dialAgain(url, { resume: { session_id, resume_token, last_seq: 0 } });
          },
        },
      });
      const session = await pool.take();
      await session.begin(anEpisode());
      expect(await ask(session)).toEqual(["stop"]);
      expect(policy.of("connected")[1]).toMatchObject({ resumed: true, session_id: session.id });
      expect(pool.connections).toHaveLength(1);
    },
  );

  it("a policy that dials in loses its episode when it disconnects, and is awaited for the next", async () => {
    const { pool, url } = await dialledIn({ on: { get_action: cut } }, { reconnect_grace: 0.02 });
    const session = await pool.take();
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({ code: "policy_lost" });
    session.end(AN_END);
    const next = pool.take();
    await RawPolicy.dial(url);
    await (await next).begin(anEpisode());
  });

  it("a policy that dials in is reported with the address to dial when it does not connect in time", async () => {
    const { pool, url } = await listeningPool({ connect_timeout: 0.02 });
    await expect(pool.open(1)).rejects.toMatchObject({
      code: "no_policy",
      where: url,
      hint: expect.stringContaining(url),
    });
  });

  it("a policy that dials in may be one of several", async () => {
    const { pool, url } = await listeningPool({ side_by_side: 2, connect_timeout: 5 });
    const opened = pool.open(2);
    const policies = [await RawPolicy.dial(url), await RawPolicy.dial(url)];
    await opened;
    const sessions = [await pool.take(), await pool.take()];
    await Promise.all(sessions.map((session) => session.begin(anEpisode())));
    expect(policies.map((policy) => policy.of("reset_episode").length)).toEqual([1, 1]);
  });
});

async function stopAll(peer: RawConnection): Promise<void> {
  await peer.policy.stop();
}
