import { describe, expect, it, vi } from "vitest";
import { stopClock } from "../../../test/support/clock.js";
import { NdArray } from "../codec/ndarray.js";
import {
  RawPolicy,
  type RawPolicyOptions,
  type Reaction,
  until,
} from "../websocket/raw-peer.fixture.js";
import { AN_END, anEpisode } from "./episode.fixture.js";
import { type PoolSettings, poolOf } from "./pool.fixture.js";
import type { PolicySession } from "./session.js";

const SEEN = { rgb: "picture", gps: [1, 2] };

/** A session with a scripted policy, and the policy. */
async function conversation(options: RawPolicyOptions = {}, settings: PoolSettings = {}) {
  const policy = await RawPolicy.listen(options);
  const pool = await poolOf([policy.url], settings);
  await pool.open(settings.side_by_side ?? 1);
  return { policy, pool, session: await pool.take() };
}

async function ask(session: PolicySession, step = 0) {
  await session.send(SEEN, step);
  return session.receive();
}

describe("policy session", () => {
  it("a policy session sends the documented requests and numbers them", async () => {
    const { policy, session } = await conversation();
    await session.begin(anEpisode());
    expect(await ask(session, 0)).toEqual(["stop"]);
    expect(await ask(session, 1)).toEqual(["stop"]);
    session.end(AN_END);
    await until(() => policy.of("episode_end").length === 1);
    expect(policy.received.map(({ type, seq }) => [type, seq])).toEqual([
      ["connect", undefined],
      ["reset_episode", 0],
      ["get_action", 1],
      ["get_action", 2],
      ["episode_end", undefined],
    ]);
    expect(policy.received[1]).toMatchObject({
      session_id: session.id,
      episode: {
        episode_id: "1",
        task_type: "vln",
        scene_id: "house",
        instruction: { text: "go" },
      },
    });
    expect(policy.received[3]).toMatchObject({ task_type: "vln", step: 1, observation: SEEN });
    expect(policy.received[4]).toMatchObject({ episode_id: "1", reason: "stop", steps: 1 });
  });

  it("a policy session works with a policy that uses the plain form", async () => {
    const { policy, session } = await conversation({ plain: true });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
  });

  it("a policy session uses negotiated MessagePack and still accepts JSON replies", async () => {
    const { policy, session } = await conversation({ capabilities: { encodings: ["msgpack"] } });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.of("get_action")[0]?.observation).toMatchObject({
      rgb: "picture",
      gps: expect.any(NdArray),
    });
  });

  it("a policy session reads only the sensors that the policy requests", async () => {
    const { policy, session } = await conversation({ capabilities: { sensors: ["gps"] } });
    await session.begin(anEpisode({ sensors: ["rgb", "gps"] }));
    const observation = {
      gps: [1],
      get rgb(): never {
        throw new Error("rendered without a request");
      },
    };
    await session.send(observation, 0);
    await session.receive();
    expect(policy.of("get_action")[0]?.observation).toEqual({ gps: [1] });
    expect(policy.of("reset_episode")[0]?.episode).toMatchObject({ sensors: ["gps"] });
  });

  it("a policy session stops the run if the policy requests an unavailable sensor, and sends it the error", async () => {
    const { policy, session } = await conversation({ capabilities: { sensors: ["lidar"] } });
    await expect(session.begin(anEpisode({ sensors: ["rgb"] }))).rejects.toMatchObject({
      name: "StopRunError",
      code: "missing_sensor",
      message: expect.stringContaining("lidar"),
      hint: expect.stringContaining("rgb"),
    });
    await until(() => policy.of("error").length === 1);
    expect(policy.of("error")[0]).toMatchObject({ code: "missing_sensor", fatal: true });
  });

  it("a policy session accepts chunks up to the declared length and rejects longer ones", async () => {
    const chunk = ["move_forward", "move_forward", "stop"];
    const on = {
      get_action: ((message, peer) =>
        peer.answer(message, { action: undefined, actions: chunk })) satisfies Reaction,
    };
    const { session } = await conversation({ on, capabilities: { action_chunk: 3 } });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(chunk);
    const other = await conversation({ on });
    await other.session.begin(anEpisode());
    await expect(ask(other.session)).rejects.toMatchObject({ code: "bad_chunk" });
  });
});

describe("policy replies", () => {
  it("policy replies are ignored when they are duplicate, late or unrequested", async () => {
    const late: (() => void)[] = [];
    const { session } = await conversation({
      on: {
        get_action: (message, peer) => {
          late.push(() => peer.answer(message, { action: "move_forward" }));
          // A repeated reply to an earlier request, a reply to an unknown request, then the right reply twice.
          late[Number(message.step) - 1]?.();
          peer.answer(message, { seq: 99, action: "move_forward" });
          peer.answer(message);
          peer.answer(message, { action: "move_forward" });
        },
      },
    });
    await session.begin(anEpisode());
    for (const step of [0, 1, 2]) expect(await ask(session, step)).toEqual(["stop"]);
  });

  it("policy replies are matched by their numbers in any order", async () => {
    const held: (() => void)[] = [];
    const { pool, session } = await conversation(
      {
        capabilities: { sessions: 2 },
        on: {
          get_action: (message, peer) => {
            const action = message.session_id === session.id ? "stop" : "move_forward";
            held.unshift(() => peer.answer(message, { action }));
            if (held.length === 2) for (const answer of held) answer();
          },
        },
      },
      { side_by_side: 2 },
    );
    const other = await pool.take();
    expect(other.id).toBe(`${session.id}/1`);
    await Promise.all([session.begin(anEpisode()), other.begin(anEpisode())]);
    expect(await Promise.all([ask(session), ask(other)])).toEqual([["stop"], ["move_forward"]]);
  });

  it.each([
    ["no action at all", { action: undefined }],
    ["an action and a chunk", { actions: ["stop"] }],
  ])(
    "policy replies are reported as the policy error at once if unreadable: %s",
    async (_, more) => {
      const { session } = await conversation({
        on: { get_action: (message, peer) => peer.answer(message, more) },
      });
      await session.begin(anEpisode());
      await expect(ask(session)).rejects.toMatchObject({
        name: "ProtocolError",
        code: "bad_reply",
      });
    },
  );

  it("policy replies are reported as the policy error if they contain NaN, which Python writes and JSON forbids", async () => {
    const { session } = await conversation({
      on: {
        get_action: ({ seq }, peer) => peer.send(`{"type":"action","action":[NaN],"seq":${seq}}`),
      },
    });
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({ code: "bad_reply" });
  });

  it("policy replies may be mixed with unknown messages, which are answered with an error", async () => {
    const { policy, session } = await conversation({
      on: {
        get_action: (message, peer) => {
          peer.send("still alive");
          peer.send({ type: "telemetry", gpu: 71 });
          peer.send({ type: "get_action", session_id: "", task_type: "vln", observation: {} });
          peer.answer(message, { mood: "good" });
        },
      },
    });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    await until(() => policy.of("error").length === 3);
    expect(policy.of("error").map(({ code, fatal }) => [code, fatal])).toEqual([
      ["bad_message", false],
      ["unknown_type", false],
      ["unexpected_message", false],
    ]);
  });

  it("policy replies are rejected if they have the wrong type", async () => {
    const { session } = await conversation({
      on: {
        reset_episode: (message, peer) => peer.answer(message, { type: "action", action: "stop" }),
      },
    });
    await expect(session.begin(anEpisode())).rejects.toMatchObject({ code: "wrong_answer" });
  });

  it("policy replies fail their request if they are errors, and keep the connection open", async () => {
    let fails = true;
    const { policy, session } = await conversation({
      on: {
        get_action: (message, peer) => {
          if (fails) {
            const text = "ValueError: shapes do not match";
            peer.send({ type: "error", code: "policy_error", message: text, re_seq: message.seq });
          } else peer.answer(message);
        },
      },
    });
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toThrow(/ValueError: shapes do not match/);
    fails = false;
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
  });

  it("policy replies are awaited up to the configured timeouts, longer for the first", async () => {
    stopClock();
    const { policy, pool, session } = await conversation(
      {
        on: {
          get_action: (message, peer) => {
            vi.advanceTimersByTime(4000);
            if (message.step === 0) peer.answer(message);
          },
        },
      },
      { cold_start_timeout: 5, action_timeout: 3 },
    );
    await session.begin(anEpisode());
    expect(await ask(session, 0)).toEqual(["stop"]);
    await expect(ask(session, 1)).rejects.toMatchObject({ code: "policy_timeout" });
    // No other session shares the connection, so it is closed and the next request uses a new one.
    session.end(AN_END);
    const next = await pool.take();
    await next.begin(anEpisode());
    expect(policy.connections).toHaveLength(2);
    expect(policy.of("disconnect")).toHaveLength(1);
  });

  it("policy replies that time out in one session do not end a connection that others share", async () => {
    stopClock();
    const { policy, pool, session } = await conversation(
      {
        capabilities: { sessions: 2 },
        on: {
          get_action: (message, peer) => {
            if (message.session_id !== session.id) peer.answer(message);
            else vi.advanceTimersByTime(1000);
          },
        },
      },
      { side_by_side: 2, cold_start_timeout: 1 },
    );
    const other = await pool.take();
    await Promise.all([session.begin(anEpisode()), other.begin(anEpisode())]);
    await expect(ask(session)).rejects.toMatchObject({ code: "policy_timeout" });
    expect(await ask(other)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
  });

  it("policy replies are dropped when the session no longer waits for them", async () => {
    const { policy, session } = await conversation({ on: { get_action: () => {} } });
    await session.begin(anEpisode());
    await session.send(SEEN, 0);
    const answer = session.receive();
    session.end(AN_END);
    await expect(answer).rejects.toMatchObject({ code: "abandoned" });
    await until(() => policy.of("disconnect").length === 1);
  });
});
