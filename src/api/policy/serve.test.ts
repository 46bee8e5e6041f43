import { describe, expect, it } from "vitest";
import { evaluator, look, Peer, reset } from "./peer.fixture.js";
import type { Policy } from "./policy.js";
import { serve } from "./serve.js";
import { Forward, serving, until } from "./served.fixture.js";

describe("a served policy", () => {
  it("a served policy works with an evaluator of the plain form, without versions and numbers", async () => {
    const policy = new Forward();
    const { url } = await serving(policy);
    const peer = await Peer.dial(url);
    const connected = await peer.ask({ type: "connect", session_id: "", role: "evaluator" });
    const id = String(connected.session_id);
    expect(connected).toMatchObject({
      type: "connected",
      protocol_version: "1.0",
      capabilities: { encodings: ["json"], sessions: 1 },
    });
    expect(await peer.ask(reset(id))).toEqual({
      type: "episode_ready",
      session_id: id,
      episode_id: "e1",
    });
    const action = await peer.ask(look(id));
    expect(action).toMatchObject({ type: "action", session_id: id, action: "move_forward" });
    expect(action).not.toHaveProperty("seq");
    expect(policy.seen).toEqual([{ gps: [1, 2] }]);
  });

  it("a served policy receives the episode with its instruction as text", async () => {
    const policy = new Forward();
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url);
    await peer.ask(
      reset(id, 0, {
        instruction: { text: "go to the door" },
        action_space: { name: "discrete", actions: ["stop"] },
        seed: 7,
      }),
    );
    expect(policy.episodes[0]).toMatchObject({
      sessionId: id,
      episodeId: "e1",
      taskType: "vln",
      instruction: "go to the door",
      actionSpace: { name: "discrete", actions: ["stop"] },
      seed: 7,
    });
  });

  it("a served policy declares sensors, chunk length and conventions in the handshake", async () => {
    const policy: Policy = {
      sensors: ["rgb"],
      actionChunk: 4,
      conventions: { action_space: "discrete" },
      reset() {},
      act: () => "stop",
    };
    const { url } = await serving(policy);
    const capabilities = { encodings: ["zstd", "msgpack", "json"], sessions: 8 };
    const { connected } = await evaluator(url, { capabilities });
    expect(connected.capabilities).toEqual({
      encodings: ["msgpack"],
      sessions: 1,
      sensors: ["rgb"],
      action_chunk: 4,
      conventions: { action_space: "discrete" },
    });
  });

  it("a served policy offers only the configured encodings", async () => {
    const { url } = await serving(new Forward(), { encodings: ["json"] });
    const capabilities = { encodings: ["msgpack", "json"] };
    const { connected } = await evaluator(url, { capabilities });
    expect(connected.capabilities).toMatchObject({ encodings: ["json"] });
  });

  it("a served policy answers GET /healthz", async () => {
    const { url } = await serving(new Forward());
    const response = await fetch(`${url.replace("ws:", "http:")}/healthz`);
    expect([response.status, await response.text()]).toEqual([200, "OK\n"]);
    expect((await fetch(url.replace("ws:", "http:"))).status).toBe(426);
  });

  it("a served policy reports that its port is in use", async () => {
    const { port } = await serving(new Forward());
    await expect(serve(new Forward(), { port })).rejects.toThrow("the port is in use");
  });

  it("a served policy must have a method act and valid declarations", async () => {
    await expect(serve({} as Policy, { port: 0 })).rejects.toThrow("no method `act`");
    const policy = { actionChunk: 0, act: () => "stop" };
    await expect(serve(policy, { port: 0 })).rejects.toThrow("action_chunk");
  });
});

describe("access to a served policy", () => {
  it("a served policy requires the token if one is set", async () => {
    const { url } = await serving(new Forward(), { token: "secret" });
    for (const token of [undefined, "Secret"]) {
      const peer = await Peer.dial(url);
      const answer = await peer.ask({ type: "connect", role: "evaluator", token });
      expect(answer).toMatchObject({ type: "error", code: "unauthorized", fatal: true });
      expect((await peer.closed).code).toBe(1008);
    }
    const { connected } = await evaluator(url, { token: "secret" });
    expect(connected.type).toBe("connected");
  });

  it("a served policy requires the same major protocol version", async () => {
    const { url } = await serving(new Forward());
    const { peer, connected } = await evaluator(url, { protocol_version: "2.0" });
    expect(connected).toMatchObject({ type: "error", code: "version_mismatch", fatal: true });
    expect((await peer.closed).code).toBe(1002);
  });

  it("access to a served policy is denied to other policies", async () => {
    const { url } = await serving(new Forward());
    const { connected } = await evaluator(url, { role: "agent" });
    expect(connected).toMatchObject({ code: "wrong_role", fatal: true });
  });

  it("access to a served policy is limited to one client for an object; the next one is rejected as busy", async () => {
    const { url } = await serving(new Forward());
    const first = await evaluator(url);
    const second = await evaluator(url);
    expect(second.connected).toMatchObject({ type: "error", code: "busy", fatal: true });
    expect((await second.peer.closed).code).toBe(1013);
    first.peer.say({ type: "disconnect", session_id: first.id });
    await first.peer.closed;
    expect((await evaluator(url)).connected.type).toBe("connected");
  });

  it("a served policy prefers a new client over one that was cut off and has not returned", async () => {
    const { url } = await serving(new Forward());
    const first = await evaluator(url);
    first.peer.socket.terminate();
    await first.peer.closed;
    let next = await evaluator(url);
    // The server notices the cut a moment later.
    while (next.connected.type === "error") next = await evaluator(url);
    expect(next.connected.type).toBe("connected");
  });
});

describe("a served policy class", () => {
  it("a served policy class creates one policy per session up to the limit", async () => {
    const made: Forward[] = [];
    const source = () => {
      made.push(new Forward());
      return made.at(-1) ?? new Forward();
    };
    const { url } = await serving(source, { sessions: 3 });
    const { peer, id, connected } = await evaluator(url, { capabilities: { sessions: 2 } });
    expect(connected.capabilities).toMatchObject({ sessions: 2 });
    await peer.ask(reset(id, 0));
    await peer.ask(reset(`${id}/1`, 1));
    await peer.ask(look(`${id}/1`, 2));
    expect(made.map(({ asked }) => asked)).toEqual([0, 1]);
    expect(await peer.ask(reset(`${id}/2`, 3))).toMatchObject({
      type: "error",
      code: "unknown_session",
      re_seq: 3,
    });
    const other = await evaluator(url, { capabilities: { sessions: 2 } });
    expect(other.connected.capabilities).toMatchObject({ sessions: 1 });
  });

  it("a served policy class may be an ordinary class", async () => {
    const { url } = await serving(Forward);
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    expect(await peer.ask(look(id, 1))).toMatchObject({ action: "move_forward", seq: 1 });
  });

  it("a served policy class reuses the policies of ended sessions", async () => {
    let made = 0;
    const { url } = await serving(() => {
      made++;
      return new Forward();
    });
    for (let i = 0; i < 3; i++) {
      const { peer, id } = await evaluator(url);
      await peer.ask(reset(id, 0));
      peer.say({ type: "disconnect", session_id: id });
      await peer.closed;
    }
    expect(made).toBe(1);
  });
});

describe("a policy with actBatch", () => {
  it("a policy with actBatch receives the requests that arrived during a computation as one batch", async () => {
    const sizes: number[] = [];
    let release: (() => void) | undefined;
    const policy: Policy = {
      reset() {},
      act: () => "stop",
      async actBatch(observations, moments) {
        sizes.push(observations.length);
        if (sizes.length === 1) {
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        }
        return moments.map(({ sessionId }) => `goto:${sessionId.split("/")[1] ?? "0"}`);
      },
    };
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url, { capabilities: { sessions: 16 } });
    const ids = [id, ...Array.from({ length: 15 }, (_, i) => `${id}/${i + 1}`)];
    for (const [seq, session] of ids.entries()) await peer.ask(reset(session, seq));
    peer.say(look(id, 16));
    await until(() => release !== undefined);
    for (const [i, session] of ids.slice(1).entries()) peer.say(look(session, 17 + i));
    // The connection answers a heartbeat, so all earlier messages have been read.
    expect(await peer.ask({ type: "heartbeat", session_id: id, t: 1 })).toMatchObject({ re: 1 });
    release?.();
    const answers = new Map<unknown, unknown>();
    for (let i = 0; i < 16; i++) {
      const { session_id, action } = await peer.hear();
      answers.set(session_id, action);
    }
    expect(sizes).toEqual([1, 15]);
    expect(answers.get(id)).toBe("goto:0");
    expect(answers.get(`${id}/15`)).toBe("goto:15");
  });

  it("a policy with actBatch fails only the episode whose action in the batch is invalid", async () => {
    const policy: Policy = {
      reset() {},
      act: () => "stop",
      actBatch: (observations) =>
        observations.map(({ wrong }) => (wrong ? [Number.NaN] : "move_forward")),
    };
    const { url } = await serving(policy);
    const { peer, id } = await evaluator(url, { capabilities: { sessions: 2 } });
    await peer.ask(reset(id, 0));
    await peer.ask(reset(`${id}/1`, 1));
    peer.say(look(id, 2, { wrong: true }));
    peer.say(look(`${id}/1`, 3, { wrong: false }));
    const answers = [await peer.hear(), await peer.hear()];
    expect(answers).toContainEqual(expect.objectContaining({ code: "policy_error", re_seq: 2 }));
    expect(answers).toContainEqual(expect.objectContaining({ action: "move_forward", seq: 3 }));
  });

  it("a policy with actBatch reports an error when it returned too few actions", async () => {
    const { url } = await serving({ reset() {}, act: () => "stop", actBatch: () => [] });
    const { peer, id } = await evaluator(url);
    await peer.ask(reset(id, 0));
    expect((await peer.ask(look(id, 1))).message).toContain(
      "actBatch returned 0 actions for 1 observations",
    );
  });
});

it("a served policy sends disconnect when it stops, and closes the policy", async () => {
  let isClosed = false;
  const policy: Policy = {
    reset() {},
    act: () => "stop",
    close() {
      isClosed = true;
    },
  };
  const server = await serve(policy, { port: 0 });
  const { peer } = await evaluator(server.url);
  await server.close();
  expect(await peer.hear()).toMatchObject({ type: "disconnect" });
  expect(isClosed).toBe(true);
});
