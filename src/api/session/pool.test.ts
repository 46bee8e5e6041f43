import { describe, expect, it, onTestFinished } from "vitest";
import { policySchema } from "../../config/policy.js";
import { PeerError } from "../websocket/peer-error.js";
import {
  RawPolicy,
  type RawPolicyOptions,
  type Reaction,
  until,
} from "../websocket/raw-peer.fixture.js";
import { DialledPolicy } from "./dialled.js";
import { AN_END, anEpisode } from "./episode.fixture.js";
import { poolOf } from "./pool.fixture.js";
import { SessionPool } from "./pool.js";

/** Serves one connection at a time, like a policy object that keeps state. */
function singleSession(): RawPolicyOptions {
  let taken = false;
  const connect: Reaction = (message, peer) => {
    if (taken) {
      peer.send({ type: "error", code: "busy", message: "one at a time", fatal: true });
      peer.socket.close(1013);
      return;
    }
    taken = true;
    peer.socket.once("close", () => {
      taken = false;
    });
    peer.answer(message);
  };
  return { on: { connect } };
}

describe("concurrent sessions", () => {
  it("concurrent sessions share one connection if the policy serves several sessions", async () => {
    const policy = await RawPolicy.listen({ capabilities: { sessions: 3 } });
    const pool = await poolOf([policy.url], { side_by_side: 3 });
    await pool.open(3);
    const sessions = [await pool.take(), await pool.take(), await pool.take()];
    const [first] = sessions;
    expect(sessions.map(({ id }) => id)).toEqual([first?.id, `${first?.id}/1`, `${first?.id}/2`]);
    expect(policy.connections).toHaveLength(1);
    expect(policy.of("connect")[0]).toMatchObject({ capabilities: { sessions: 3 } });
  });

  it("concurrent sessions use one connection each if the policy accepts several connections", async () => {
    const policy = await RawPolicy.listen({ plain: true });
    const pool = await poolOf([policy.url], { side_by_side: 3 });
    await pool.open(3);
    expect(policy.connections).toHaveLength(3);
    expect(new Set([await pool.take(), await pool.take(), await pool.take()]).size).toBe(3);
  });

  it("concurrent sessions are rejected before the run if the policy serves only one", async () => {
    const policy = await RawPolicy.listen(singleSession());
    const pool = await poolOf([policy.url], { side_by_side: 2 });
    await expect(pool.open(2)).rejects.toMatchObject({
      code: "busy",
      message: expect.stringContaining("1 session at a time"),
      hint: expect.stringMatching(/--concurrency 1.*serve\(MyPolicy\)/),
    });
  });

  it("concurrent sessions wait for a free session if there are too few, and reuse its id", async () => {
    const policy = await RawPolicy.listen(singleSession());
    const pool = await poolOf([policy.url]);
    await pool.open(1);
    const first = await pool.take();
    await first.begin(anEpisode());
    const second = pool.take();
    first.end(AN_END);
    expect((await second).id).toBe(first.id);
    expect(policy.of("connect").length).toBeLessThanOrEqual(2);
  });

  it("concurrent sessions can be taken and released a thousand times without a leak", async () => {
    const policy = await RawPolicy.listen();
    const pool = await poolOf([policy.url]);
    await pool.open(1);
    for (let i = 0; i < 1000; i++) (await pool.take()).close();
    expect(policy.connections).toHaveLength(1);
    expect(pool.connections[0]?.ids.inUse).toBe(0);
  });
});

describe("session pool handshake", () => {
  it("the handshake of a session pool distinguishes rejected and unreachable policies by error code", async () => {
    const policy = await RawPolicy.listen({
      on: {
        connect: (_, peer) =>
          peer.send({ type: "error", code: "unauthorized", message: "no token", fatal: true }),
      },
    });
    const pool = await poolOf([policy.url]);
    await expect(pool.open(1)).rejects.toMatchObject({
      code: "unauthorized",
      where: policy.url,
      hint: expect.stringContaining("ROBOT_EVAL_POLICY_TOKEN"),
    });
  });

  it("the handshake of a session pool sends the token to the policy", async () => {
    const policy = await RawPolicy.listen();
    const pool = await poolOf([policy.url], { token: "secret" });
    await pool.open(1);
    expect(policy.of("connect")[0]).toMatchObject({ token: "secret", role: "evaluator" });
  });
});

describe("replicas", () => {
  it("replicas take turns, and the less busy one is chosen first", async () => {
    const policies = [await RawPolicy.listen(), await RawPolicy.listen()];
    const pool = await poolOf(policies.map(({ url }) => url));
    await pool.open(1);
    for (let i = 0; i < 4; i++) {
      const session = await pool.take();
      await session.begin(anEpisode());
      session.close();
    }
    expect(policies.map((policy) => policy.of("reset_episode").length)).toEqual([2, 2]);
    const [one, other] = [await pool.take(), await pool.take()];
    expect(one.connection).not.toBe(other.connection);
  });

  it("replicas must all be reachable at the start", async () => {
    const policy = await RawPolicy.listen();
    const gone = await RawPolicy.listen();
    await gone.stop();
    const pool = await poolOf([policy.url, gone.url], { connect_timeout: 0.3 });
    await expect(pool.open(1)).rejects.toMatchObject({
      code: "connection_refused",
      where: gone.url,
    });
  });

  it("replicas share the remaining work when one of them dies", async () => {
    const policies = [await RawPolicy.listen(), await RawPolicy.listen()];
    const pool = await poolOf(
      policies.map(({ url }) => url),
      { reconnect_grace: 0, connect_timeout: 1 },
    );
    await pool.open(2);
    await policies[0]?.stop();
    await until(() => pool.connections.length === 1);
    for (let i = 0; i < 4; i++) {
      const session = await pool.take();
      await session.begin(anEpisode());
      session.close();
    }
    expect(policies[1]?.of("reset_episode")).toHaveLength(4);
  });

  it("replicas reject waiting sessions when all are gone, and serve again when one returns", async () => {
    const policy = await RawPolicy.listen();
    const pool = await poolOf([policy.url], { reconnect_grace: 0, connect_timeout: 1 });
    await pool.open(1);
    await policy.stop();
    await until(() => pool.connections.length === 0);
    await expect(pool.take()).rejects.toMatchObject({
      code: "policy_unreachable",
      message: expect.stringContaining("cannot be reached again: connection refused"),
    });
    await RawPolicy.listen({}, policy.port);
    await (await pool.take()).begin(anEpisode());
  });
});

describe("a policy that is gone", () => {
  it("a policy that is gone is dialled for connect_timeout once, and only shortly before each later episode", async () => {
    const waits: number[] = [];
    const pool = await SessionPool.make(
      [
        () => ({
          label: "ws://gpu:8000",
          connect: async ({ timeoutMs }) => {
            waits.push(timeoutMs);
            throw new PeerError("connection_refused", "refused", { transient: true });
          },
          close: async () => {},
        }),
      ],
      { openMs: 30_000, connectMs: 30_000 },
    );
    for (let i = 0; i < 3; i++) {
      await expect(pool.take()).rejects.toMatchObject({ code: "policy_unreachable" });
    }
    expect(waits).toEqual([30_000, 1000, 1000]);
  });

  it("a policy that is gone is dialled only shortly if it was already awaited for the grace time", async () => {
    const waits: number[] = [];
    const policy = await RawPolicy.listen({
      on: { get_action: (_, peer) => void peer.policy.stop() },
    });
    const settings = policySchema.parse({ reconnect_grace: 0.02 });
    const pool = await SessionPool.make(
      [
        (hooks) => {
          const source = new DialledPolicy(policy.url, {
            policy: settings,
            token: undefined,
            sessions: 1,
            hooks,
          });
          return {
            label: source.label,
            connect: (options) => {
              waits.push(options.timeoutMs);
              return source.connect(options);
            },
            close: () => source.close(),
          };
        },
      ],
      { openMs: 30_000, connectMs: 30_000 },
    );
    onTestFinished(() => pool.close());
    await pool.open(1);
    const session = await pool.take();
    await session.begin(anEpisode());
    await session.send({}, 0);
    await expect(session.receive()).rejects.toMatchObject({ code: "policy_lost" });
    session.close();
    await expect(pool.take()).rejects.toMatchObject({ code: "policy_unreachable" });
    expect(waits).toEqual([30_000, 1000]);
  });

  it("a policy that is gone is not gone if it answers and rejects the connection", async () => {
    const pool = await SessionPool.make(
      [
        () => ({
          label: "ws://gpu:8000",
          connect: async () => {
            throw new PeerError("unauthorized", "wrong token");
          },
          close: async () => {},
        }),
      ],
      { openMs: 30_000, connectMs: 30_000 },
    );
    await expect(pool.take()).rejects.toMatchObject({ code: "unauthorized" });
  });
});
