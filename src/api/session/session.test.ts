import { describe, expect, it } from "vitest";
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

describe("a session", () => {
  it("asks as the design says, and numbers what it asks", async () => {
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

  it("speaks with a policy of the plain form", async () => {
    const { policy, session } = await conversation({ plain: true });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
  });

  it("speaks MessagePack where that is agreed, and understands JSON all the same", async () => {
    const { policy, session } = await conversation({ capabilities: { encodings: ["msgpack"] } });
    await session.begin(anEpisode());
    expect(await ask(session)).toEqual(["stop"]);
    expect(policy.of("get_action")[0]?.observation).toMatchObject({
      rgb: "picture",
      gps: expect.any(NdArray),
    });
  });

  it("looks only at the sensors that the policy wants", async () => {
    const { policy, session } = await conversation({ capabilities: { sensors: ["gps"] } });
    await session.begin(anEpisode({ sensors: ["rgb", "gps"] }));
    const observation = {
      gps: [1],
      get rgb(): never {
        throw new Error("drawn for nothing");
      },
    };
    await session.send(observation, 0);
    await session.receive();
    expect(policy.of("get_action")[0]?.observation).toEqual({ gps: [1] });
    expect(policy.of("reset_episode")[0]?.episode).toMatchObject({ sensors: ["gps"] });
  });

  it("stops the run where the policy wants what there is not, and tells it so", async () => {
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

  it("takes chunks as long as declared, and no longer ones", async () => {
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

describe("replies", () => {
  it("that come twice, late or for nothing are ignored", async () => {
    const late: (() => void)[] = [];
    const { session } = await conversation({
      on: {
        get_action: (message, peer) => {
          late.push(() => peer.answer(message, { action: "move_forward" }));
          // The answer to what was asked before, again; one to what was never asked; then the right one twice.
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

  it("are told apart by their numbers, whatever their order", async () => {
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
  ])("that cannot be read are the policy's at once: %s", async (_, more) => {
    const { session } = await conversation({
      on: { get_action: (message, peer) => peer.answer(message, more) },
    });
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({ name: "ProtocolError", code: "bad_reply" });
  });

  it("with NaN, which JSON has not and Python writes, are the policy's at once", async () => {
    const { session } = await conversation({
      on: {
        get_action: ({ seq }, peer) => peer.send(`{"type":"action","action":[NaN],"seq":${seq}}`),
      },
    });
    await session.begin(anEpisode());
    await expect(ask(session)).rejects.toMatchObject({ code: "bad_reply" });
  });

  it("may come beside what nobody knows, which is answered", async () => {
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

  it("of the wrong kind are told as such", async () => {
    const { session } = await conversation({
      on: {
        reset_episode: (message, peer) => peer.answer(message, { type: "action", action: "stop" }),
      },
    });
    await expect(session.begin(anEpisode())).rejects.toMatchObject({ code: "wrong_answer" });
  });

  it("that are errors fail what they answer, and the connection stays", async () => {
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

  it("that do not come are waited for as long as the settings say, the first longer", async () => {
    const { policy, pool, session } = await conversation(
      {
        on: {
          get_action: (message, peer) => {
            const slow = message.step === 0 ? 60 : 10_000;
            setTimeout(() => peer.answer(message), slow).unref();
          },
        },
      },
      { cold_start_timeout: 5, action_timeout: 0.03 },
    );
    await session.begin(anEpisode());
    expect(await ask(session, 0)).toEqual(["stop"]);
    await expect(ask(session, 1)).rejects.toMatchObject({ code: "policy_timeout" });
    // Alone on its connection, it is left to itself: what comes next goes over a new one.
    session.end(AN_END);
    const next = await pool.take();
    await next.begin(anEpisode());
    expect(policy.connections).toHaveLength(2);
    expect(policy.of("disconnect")).toHaveLength(1);
  });

  it("that do not come to one session do not end the others' connection", async () => {
    const { policy, pool, session } = await conversation(
      {
        capabilities: { sessions: 2 },
        on: {
          get_action: (message, peer) => {
            if (message.session_id !== session.id) peer.answer(message);
          },
        },
      },
      { side_by_side: 2, cold_start_timeout: 0.5 },
    );
    const other = await pool.take();
    await Promise.all([session.begin(anEpisode()), other.begin(anEpisode())]);
    await expect(ask(session)).rejects.toMatchObject({ code: "policy_timeout" });
    expect(await ask(other)).toEqual(["stop"]);
    expect(policy.connections).toHaveLength(1);
  });

  it("nobody waits for any more are let go", async () => {
    const { policy, session } = await conversation({ on: { get_action: () => {} } });
    await session.begin(anEpisode());
    await session.send(SEEN, 0);
    const answer = session.receive();
    session.end(AN_END);
    await expect(answer).rejects.toMatchObject({ code: "abandoned" });
    await until(() => policy.of("disconnect").length === 1);
  });
});
