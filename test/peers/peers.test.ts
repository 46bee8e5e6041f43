import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unpackMsgpack } from "../../src/api/codec/msgpack.js";
import { mapObservation } from "../../src/api/mapping/observation.js";
import type { PolicyObservation } from "../../src/api/policy/policy.js";
import { serve } from "../../src/api/policy/serve.js";
import type { ObservationMapping } from "../../src/config/mapping.js";
import type { Agent } from "../../src/core/interfaces/agent.js";
import type { Observation } from "../../src/core/interfaces/observation.js";
import { createRegistries } from "../../src/registry/registries.js";
import { MujocoSimulator } from "../../src/simulator/manipulation/mujoco-simulator.js";
import { PickAndPlaceTask } from "../../src/tasks/manipulation/pick-place.js";
import { shippedEpisodes } from "../support/manipulation.js";
import { pythonWith } from "../support/python.js";
import {
  askPeer,
  missing,
  PACKAGES,
  PEERS,
  type PeerName,
  type RunningPeer,
  run,
  startPeer,
} from "./peers.js";
import { type RecordedFrame, startRecorder } from "./recorder.js";
import { tinyActions } from "./tiny-policy.js";

/*
 * Interoperability with unchanged servers and clients of other projects. A project that is not available is skipped
 * with a note. RECORD_PEERS=1 writes their frames into the fixtures that the unit tests replay.
 */

const SIZE = 8;
const python = pythonWith(...PACKAGES);
const registries = createRegistries();

const sensors = {
  rgb_head: { width: 64, height: 48 },
  rgb_wrist: { width: 32, height: 24 },
  instruction: {},
  qpos: {},
  ee_pose: {},
  gripper_state: {},
};

for (const name of Object.keys(PEERS) as PeerName[]) {
  const why = missing(name, python);
  if (why) process.stderr.write(`SKIPPED ${name}'s own server and client: ${why}\n`);
  describe.skipIf(why !== undefined)(`${name}'s own code`, () => {
    let server: RunningPeer;
    let agent: Agent;

    beforeAll(async () => {
      server = await startPeer(name, python ?? "", SIZE);
      agent = await connect(name, server.port);
    }, 300_000);
    afterAll(async () => {
      await agent?.close?.();
      await server?.stop();
    });

    it("a peer sends the frames of the recorded fixture", async () => {
      const recorder = await startRecorder(server.port);
      await askPeer(name, python ?? "", recorder.port);
      recorder.stop();
      const file = new URL(`../../src/api/dialects/${name}.fixture.json`, import.meta.url);
      if (process.env.RECORD_PEERS) writeFileSync(file, fixtureText(recorder.frames));
      const kept: { frames: RecordedFrame[] } = JSON.parse(readFileSync(file, "utf8"));
      expect(recorder.frames.map(timeless)).toEqual(kept.frames.map(timeless));
    });

    it("a peer policy receives every byte of our observations, and we receive its actions", async () => {
      const { episode, simulator, reset } = await world();
      let { observation } = await simulator.reset(episode);
      await agent.reset(reset());
      let expected: number[][] = [];
      for (let step = 0; step < 9; step++) {
        if (expected.length === 0) expected = answerTo(name, observation);
        expect(agent.prepared).toBe(expected.length < chunkOf(name) && step % chunkOf(name) > 0);
        const action = await agent.act(observation);
        expect(action, `step ${step}`).toEqual(expected.shift());
        ({ observation } = simulator.step(action));
      }
      await agent.end?.({ episodeId: "0", reason: "max_steps", steps: 9 });
      simulator.close();
    });

    it.skipIf(name === "vla-eval")("a peer client works with a policy that we serve", async () => {
      if (name === "vla-eval") return;
      const seen: PolicyObservation[] = [];
      const act = (observation: PolicyObservation) => {
        seen.push(observation);
        return [1, 2, 3, 4, 5, 6, 7, 8];
      };
      const ours = await serve({ act }, { port: 0, dialect: name });
      const answer = JSON.parse(await askPeer(name, python ?? "", ours.port));
      await ours.close();
      expect(answer.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatchObject({
        prompt: "put the cup on the plate",
        "observation/image": { dtype: "|u1", shape: [4, 6, 3] },
      });
    });

    it("a peer policy error is reported with its message, and the next episode reconnects", async () => {
      const { episode, simulator, reset } = await world();
      const { observation } = await simulator.reset(episode);
      const failing = { ...observation, instruction: { text: "fail" } };
      await agent.reset(reset());
      // Outside its debug mode, BEHAVIOR's server closes the connection without a message.
      const text = name === "behavior" ? /1011/ : /told to fail/;
      await expect(async () => agent.act(failing)).rejects.toThrow(text);
      await agent.reset(reset());
      expect(await agent.act(observation)).toEqual(answerTo(name, observation)[0]);
      simulator.close();
    });
  });
}

describe.skipIf(python === undefined)("image resizing of Pillow and openpi_client", () => {
  it("Pillow and openpi_client resize images to the hashes that the unit tests expect", async () => {
    const file = new URL("../../src/api/mapping/image.test.ts", import.meta.url);
    const cases = [
      ...readFileSync(file, "utf8").matchAll(/\["(pad|stretch)", ([\d, ]+), "([0-9a-f]{64})"\]/g),
    ];
    expect(cases.length).toBeGreaterThan(5);
    for (const [, fit = "", sizes = "", sha] of cases) {
      const out = await run(python ?? "", ["resize_peer.py", fit, ...sizes.split(", ")]);
      expect(out.trim(), `${fit} ${sizes}`).toBe(sha);
    }
  });
});

async function connect(name: PeerName, port: number): Promise<Agent> {
  const { scheme } = PEERS[name];
  // RoboArena's default mapping changes actions; this one passes them through.
  const mapping = name === "roboarena" ? { mapping: { action: { parts: [{}] } } } : {};
  return registries.agents.get(scheme).create({
    argument: `${scheme}://127.0.0.1:${port}`,
    policy: { connect_timeout: 60, action_timeout: 60, ...mapping },
    task: {
      name: "arm_pick_place",
      type: task.taskType,
      family: task.family,
      actionSpace: task.actionSpace,
      conventions: task.conventions,
    },
  });
}

const task = new PickAndPlaceTask({ robot_type: "panda" });

async function world() {
  const [episode] = await shippedEpisodes("pick_place_panda");
  if (!episode) throw new Error("no episode");
  const simulator = new MujocoSimulator({ task, config: { sensors } });
  const reset = () => ({
    taskType: task.taskType,
    episodeId: episode.episodeId,
    sceneId: episode.sceneId,
    episodeKey: episode.episodeId,
    episode: episode.toDict(),
    actionSpace: task.actionSpace,
    conventions: task.conventions,
    seed: 1,
  });
  return { episode, simulator, reset };
}

function chunkOf(name: PeerName): number {
  return name === "behavior" ? 1 : 4;
}

/** The actions that the policy answers if it received exactly this observation. */
function answerTo(name: PeerName, observation: Observation): number[][] {
  const input = mapObservation(observation, EXPECTED_MAPPING[name]);
  const extra = {
    openpi: {},
    behavior: { resets: 1 },
    roboarena: { resets: 1 },
    "vla-eval": { starts: 1 },
  }[name];
  return tinyActions({ ...input, ...extra }, chunkOf(name), SIZE);
}

/** The expected default mappings, repeated here to detect unintended changes of the dialects. */
const EXPECTED_MAPPING: Readonly<Record<PeerName, ObservationMapping | undefined>> = {
  openpi: undefined,
  behavior: undefined,
  roboarena: {
    "observation/wrist_image_left": { from: "rgb_wrist", resize: [32, 24] },
    "observation/exterior_image_0_left": { from: "rgb_head", resize: [32, 24] },
    "observation/joint_position": { from: "qpos", take: [0, 7], dtype: "float32" },
    "observation/cartesian_position": {
      concat: [
        { from: "ee_pose", take: [0, 3] },
        { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to: "euler_xyz" } },
      ],
      dtype: "float32",
    },
    "observation/gripper_position": {
      from: "gripper_state",
      range: { from: [0, 1], to: [1, 0] },
      dtype: "float32",
    },
    prompt: "instruction.text",
  },
  "vla-eval": {
    images: { map: { agentview: "rgb_head", wrist: "rgb_wrist" } },
    task_description: "instruction.text",
    states: {
      concat: [
        { from: "ee_pose", take: [0, 3] },
        { from: "ee_pose", take: [3, 7], rotation: { from: "quat_wxyz", to: "axis_angle" } },
        { from: "gripper_state", range: { from: [0, 1], to: [0, 0.04] } },
        { from: "gripper_state", range: { from: [0, 1], to: [0, -0.04] } },
      ],
    },
  },
};

/** Frames without fields that differ between runs: clocks, durations and versions. */
function timeless({ from, base64, text }: RecordedFrame): unknown {
  if (base64 === undefined) return { from, text };
  const value = unpackMsgpack(Buffer.from(base64, "base64"));
  return { from, value: JSON.parse(JSON.stringify(value, withoutClocks)) };
}

const CLOCKS = ["infer_ms", "prev_total_ms", "timestamp", "harness_version"];

function withoutClocks(key: string, value: unknown): unknown {
  if (CLOCKS.includes(key)) return undefined;
  if (typeof value === "bigint") return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

function fixtureText(frames: readonly RecordedFrame[]): string {
  return `${JSON.stringify({ frames }, null, 2)}\n`;
}
