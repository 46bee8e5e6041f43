import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import type { DialectName } from "./dialects.js";
import type { Policy, PolicyObservation } from "./policy.js";
import { type PolicyServer, type ServeOptions, serve } from "./serve.js";

const servers: PolicyServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/**
 * Sent by openpi's WebsocketClientPolicy.infer for {"observation/image": uint8 (1, 2, 3), "observation/state":
 * float32 [1, 2], "prompt": "pick"}.
 */
const REQUEST =
  "83b16f62736572766174696f6e2f696d61676584c40b5f5f6e6461727261795f5fc3c40464617461c406000102030405c4056474797065a37c7531c405736861706593010203b16f62736572766174696f6e2f737461746584c40b5f5f6e6461727261795f5fc3c40464617461c4080000803f00000040c4056474797065a33c6634c40573686170659102a670726f6d7074a47069636b";

class Recorder implements Policy {
  readonly actionChunk = 4;
  readonly seen: PolicyObservation[] = [];
  resets = 0;
  answer: unknown = [
    [1, 2],
    [3, 4],
  ];

  reset(): void {
    this.resets++;
  }

  act(observation: PolicyObservation): number[][] {
    this.seen.push(observation);
    if (this.answer instanceof Error) throw this.answer;
    return this.answer as number[][];
  }
}

async function client(dialect: DialectName, policy: Policy, options: ServeOptions = {}) {
  const server = await serve(policy, { port: 0, dialect, ...options });
  servers.push(server);
  return dial(server.url);
}

async function dial(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers });
  const frames: (string | Record<string, unknown>)[] = [];
  let wake: (() => void) | undefined;
  socket.on("message", (data, isBinary) => {
    const bytes = data as Buffer;
    frames.push(isBinary ? (unpackMsgpack(bytes) as Record<string, unknown>) : bytes.toString());
    wake?.();
  });
  const closed = new Promise<[number, string]>((resolve) => {
    socket.on("close", (code, reason) => resolve([code, reason.toString()]));
  });
  await once(socket, "open");
  return {
    url,
    closed,
    send: (value: unknown) => socket.send(packMsgpack(value)),
    raw: (bytes: Buffer) => socket.send(bytes),
    async hear() {
      while (frames.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return frames.shift();
    },
  };
}

describe("a policy served to openpi clients", () => {
  it("a policy served to openpi clients sends metadata first, receives the map unchanged and answers with an array", async () => {
    const policy = new Recorder();
    const peer = await client("openpi", policy, { metadata: { model: "ours" } });
    expect(await peer.hear()).toEqual({ model: "ours" });
    peer.raw(Buffer.from(REQUEST, "hex"));
    expect(await peer.hear()).toEqual({
      actions: new NdArray("<f8", [2, 2], Float64Array.of(1, 2, 3, 4)),
      policy_timing: { infer_ms: expect.any(Number) },
      server_timing: { infer_ms: expect.any(Number) },
    });
    expect(policy.seen).toEqual([
      {
        "observation/image": new NdArray("|u1", [1, 2, 3], Uint8Array.of(0, 1, 2, 3, 4, 5)),
        "observation/state": new NdArray("<f4", [2], Float32Array.of(1, 2)),
        prompt: "pick",
      },
    ]);
    peer.raw(Buffer.from(REQUEST, "hex"));
    expect(await peer.hear()).toMatchObject({
      server_timing: { prev_total_ms: expect.any(Number) },
    });
    expect(policy.resets).toBe(1);
  });

  it("a policy served to openpi clients answers a single vector as an array with one row", async () => {
    const policy = new Recorder();
    policy.answer = [5, 6];
    const peer = await client("openpi", policy);
    await peer.hear();
    peer.raw(Buffer.from(REQUEST, "hex"));
    const actions = new NdArray("<f8", [1, 2], Float64Array.of(5, 6));
    expect(await peer.hear()).toMatchObject({ actions });
  });

  it.each([
    ["throws", new Error("out of memory"), "out of memory"],
    ["returns a name", "stop", "this dialect only supports vectors"],
  ])(
    "a policy served to openpi clients sends its error as text and closes with 1011 when it %s",
    async (_, answer, part) => {
      const policy = new Recorder();
      policy.answer = answer;
      const peer = await client("openpi", policy);
      await peer.hear();
      peer.raw(Buffer.from(REQUEST, "hex"));
      expect(await peer.hear()).toContain(part);
      expect((await peer.closed)[0]).toBe(1011);
    },
  );

  it("a policy served to openpi clients closes with 1011 when it receives invalid MessagePack", async () => {
    const peer = await client("openpi", new Recorder());
    await peer.hear();
    peer.raw(Buffer.of(0xc1));
    expect(await peer.hear()).toContain("not a MessagePack message");
    expect((await peer.closed)[0]).toBe(1011);
  });

  it("a policy served to openpi clients serves several clients at once with one object, and rejects more than its sessions", async () => {
    const policy = new Recorder();
    const first = await client("openpi", policy, { sessions: 2 });
    const second = await dial(first.url);
    for (const peer of [first, second]) expect(await peer.hear()).toEqual({});
    for (const peer of [first, second]) peer.raw(Buffer.from(REQUEST, "hex"));
    const actions = new NdArray("<f8", [2, 2], Float64Array.of(1, 2, 3, 4));
    for (const peer of [first, second]) expect(await peer.hear()).toMatchObject({ actions });
    expect(policy.resets).toBe(2);
    const third = await dial(first.url);
    expect((await third.closed)[0]).toBe(1013);
  });

  it("a policy served to openpi clients sends its name, version and checkpoint with the metadata", async () => {
    const names = { name: "ours", version: "1", checkpoint: "c" };
    const peer = await client("openpi", new Recorder(), { ...names, metadata: { dim: 7 } });
    expect(await peer.hear()).toEqual({ ...names, dim: 7 });
  });

  it("a policy served to openpi clients requires the key if one is set", async () => {
    const { url, closed } = await client("openpi", new Recorder(), { token: "k" });
    expect((await closed)[0]).toBe(1008);
    const first = await dial(url, { authorization: "Api-Key k" });
    expect(await first.hear()).toEqual({});
  });
});

describe("a policy served to BEHAVIOR clients", () => {
  it("a policy served to BEHAVIOR clients does not answer a reset, and answers observations with the vector action", async () => {
    const policy = new Recorder();
    policy.answer = [5, 6];
    const peer = await client("behavior", policy);
    expect(await peer.hear()).toEqual({});
    peer.send({ reset: true });
    peer.send({ "robot_r1::proprio": NdArray.of([1]) });
    const action = new NdArray("<f8", [2], Float64Array.of(5, 6));
    expect(await peer.hear()).toMatchObject({ action });
    expect(policy.resets).toBe(1);
  });
});

describe("a policy served to RoboArena clients", () => {
  it("a policy served to RoboArena clients declares its inputs, answers a reset, and does not receive the endpoint", async () => {
    const policy = new Recorder();
    const peer = await client("roboarena", policy, { metadata: { needs_session_id: true } });
    expect(await peer.hear()).toEqual({
      image_resolution: [224, 224],
      needs_wrist_camera: true,
      n_external_cameras: 1,
      needs_stereo_camera: false,
      needs_session_id: true,
      action_space: "joint_position",
    });
    peer.send({ endpoint: "reset" });
    expect(await peer.hear()).toBe("reset successful");
    peer.send({ endpoint: "infer", prompt: "fold" });
    const actions = new NdArray("<f8", [2, 2], Float64Array.of(1, 2, 3, 4));
    expect(await peer.hear()).toEqual({ actions });
    expect(policy.seen).toEqual([{ prompt: "fold" }]);
  });
});
