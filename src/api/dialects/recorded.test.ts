import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ActionSpace } from "../../core/task/types.js";
import { decodeImage } from "../codec/image.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import { PeerSocket } from "../websocket/peer-socket.js";
import { behavior } from "./behavior.js";
import type { Dialect, DialectName } from "./dialect.js";
import { openpi } from "./openpi.js";
import { roboarena } from "./roboarena.js";
import { fakeServer } from "./server.fixture.js";
import { vlaEval } from "./vla-eval.js";

/*
 * Frames recorded between each project's own client and server (see test/peers). Ours must send the same bytes as
 * their client and read what their server answered.
 */

interface Frame {
  readonly from: "client" | "server";
  readonly base64?: string;
  readonly text?: string;
}

function recorded(name: DialectName): Frame[] {
  const text = readFileSync(new URL(`./${name}.fixture.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { frames: Frame[] }).frames;
}

const bytes = ({ base64 = "" }: Frame) => Buffer.from(base64, "base64");

const pixels = new NdArray(
  "|u1",
  [4, 6, 3],
  Uint8Array.from({ length: 72 }, (_, i) => i),
);
const state = NdArray.of([0.5, -1.25, 3]);
const known = {
  "observation/image": pixels,
  "observation/state": state,
  "observation/joint_position": new NdArray("<f4", [2], Float32Array.of(0.25, 1.5)),
  prompt: "put the cup on the plate",
};
const episode = {
  taskType: "pick_place",
  episodeId: "0",
  sceneId: "s",
  episodeKey: "0",
  episode: { instruction: { text: "put the cup on the plate" } },
  actionSpace: new ActionSpace({ name: "continuous", shape: [8] }),
  seed: 0,
};

/**
 * Replays the recorded server: after each frame of the client, sends the server's next frames. Returns what our
 * client sent.
 */
async function replay(
  dialect: Dialect,
  observation: Readonly<Record<string, unknown>>,
): Promise<{ sent: Buffer[]; reply: Readonly<Record<string, unknown>> }> {
  const sent: Buffer[] = [];
  const server = await fakeServer((socket) => {
    const script = recorded(dialect.name);
    const speak = () => {
      while (script[0]?.from === "server") {
        const frame = script.shift();
        if (frame) socket.send(frame.text ?? bytes(frame));
      }
    };
    speak();
    socket.on("message", (data: Buffer) => {
      sent.push(data);
      script.shift();
      speak();
    });
  });
  try {
    const peer = await PeerSocket.open(server.url, { timeoutMs: 5000 });
    const context = { task: undefined, mapping: {}, execute: undefined, waitMs: 5000 };
    const conversation = await dialect.greet(peer, context);
    await conversation.begin(episode, 5000);
    const reply = await conversation.infer(observation, 5000);
    peer.close();
    return { sent, reply };
  } finally {
    await server.stop();
  }
}

describe.each([
  [openpi, "actions", [4, 8]],
  [behavior, "action", [8]],
  [roboarena, "actions", [4, 8]],
] as const)("recorded frames of $name", (dialect, key, shape) => {
  it("frames that a project client sent equal ours byte for byte", async () => {
    const { sent } = await replay(dialect, known);
    const theirs = recorded(dialect.name).filter((frame) => frame.from === "client");
    expect(sent.map((frame) => frame.toString("base64"))).toEqual(
      theirs.map((frame) => frame.base64),
    );
  });

  it("recorded frames of another project are decoded where the project server sent them", async () => {
    const { reply } = await replay(dialect, known);
    expect(reply[key]).toMatchObject({ dtype: "<f4", shape });
  });

  it("frames that a project server sent equal ours byte for byte", () => {
    for (const frame of recorded(dialect.name).filter((one) => one.base64 !== undefined)) {
      expect(packMsgpack(unpackMsgpack(bytes(frame))).toString("base64")).toBe(frame.base64);
    }
  });
});

describe("recorded frames of vla-eval", () => {
  const observation = {
    images: { agentview: pixels },
    task_description: known.prompt,
    states: state,
  };
  /** Drops times, versions and PNG compression, which may differ. */
  async function meaning(frame: Buffer): Promise<unknown> {
    const message = unpackMsgpack(frame) as Record<string, Record<string, unknown>>;
    const image = (message.payload?.images as Record<string, Record<string, unknown>> | undefined)
      ?.agentview;
    if (image) image.data = (await decodeImage(image.data as Uint8Array, "rgb")).data;
    return { ...message, timestamp: 0 };
  }

  it("recorded frames of a vla-eval observation match ours key by key", async () => {
    const { sent } = await replay(vlaEval, observation);
    const theirs = recorded("vla-eval").filter((frame) => frame.from === "client");
    const [hello, start, ours] = await Promise.all(sent.map(meaning));
    const [theirHello, theirStart, their] = await Promise.all(
      theirs.map((frame) => meaning(bytes(frame))),
    );
    expect(ours).toEqual(their);
    expect(Object.keys(ours as object)).toEqual(Object.keys(their as object));
    expect(hello).toMatchObject({
      type: "hello",
      seq: 1,
      payload: { protocol_version: 1, harness_version: expect.any(String) },
    });
    expect(Object.keys(hello as object)).toEqual(Object.keys(theirHello as object));
    expect(start).toMatchObject(theirStart as object);
  });

  it("recorded frames of vla-eval are decoded where the project server sent them", async () => {
    const { reply } = await replay(vlaEval, observation);
    expect(reply.actions).toMatchObject({ dtype: "<f4", shape: [4, 8] });
  });
});
