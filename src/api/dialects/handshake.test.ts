import { afterEach, describe, expect, it } from "vitest";
import type { AgentTask } from "../../core/interfaces/agent.js";
import { ActionSpace } from "../../core/task/types.js";
import { PRESETS } from "../mapping/presets.js";
import { PeerSocket } from "../websocket/peer-socket.js";
import type { Conversation, Dialect, HandshakeContext } from "./dialect.js";
import { openpi } from "./openpi.js";
import { roboarena } from "./roboarena.js";
import { fakeServer, openpiLike, vlaEvalLike } from "./server.fixture.js";
import { vlaEval } from "./vla-eval.js";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

function arm(conventions: AgentTask["conventions"]): AgentTask {
  return {
    name: "arm",
    type: "pick_place",
    family: "manipulation",
    actionSpace: new ActionSpace({ name: "continuous", shape: [8] }),
    conventions,
  };
}

const joints = arm({
  control_mode: "joint_position",
  action_dim: 8,
  gripper_open: 0.04,
  gripper_closed: 0,
});
const hand = arm({ control_mode: "ee_delta_pose", action_dim: 7, action_kind: "delta" });

async function greeted(
  dialect: Dialect,
  meet: Parameters<typeof fakeServer>[0],
  context: Partial<HandshakeContext> = {},
): Promise<Conversation> {
  const server = await fakeServer(meet);
  const peer = await PeerSocket.open(server.url, { timeoutMs: 5000 });
  open.push(async () => {
    peer.drop();
    await server.stop();
  });
  return dialect.greet(peer, {
    task: joints,
    mapping: {},
    execute: undefined,
    waitMs: 5000,
    ...context,
  });
}

describe("openpi handshake", () => {
  it("the openpi handshake rejects a policy whose chunks are shorter than policy.execute", async () => {
    const meet = openpiLike({ action_horizon: 4 }, () => undefined);
    await expect(greeted(openpi, meet, { execute: 5 })).rejects.toThrow(
      "policy.execute is 5, but the policy returns chunks of 4 actions",
    );
    expect((await greeted(openpi, meet, { execute: 4 })).about).toEqual({ action_horizon: 4 });
  });

  it("the openpi handshake rejects a server that does not send the first message", async () => {
    await expect(greeted(openpi, () => {}, { waitMs: 50 })).rejects.toThrow(
      expect.objectContaining({
        code: "no_metadata",
        hint: expect.stringContaining("vla-eval+ws://"),
      }),
    );
  });

  it("the openpi handshake reports the reason when the server closes the connection", async () => {
    const meet = (socket: { close(code: number, reason: string): void }) =>
      socket.close(1008, "no access");
    await expect(greeted(openpi, meet)).rejects.toThrow("1008: no access");
  });
});

describe("RoboArena handshake", () => {
  const config = {
    image_resolution: [24, 32],
    needs_wrist_camera: true,
    n_external_cameras: 1,
    needs_stereo_camera: false,
    needs_session_id: false,
    action_space: "joint_position",
  };
  const serverWith = (changes: object) => openpiLike({ ...config, ...changes }, () => undefined);

  it("the RoboArena handshake sends the requested cameras in the requested size, height first", async () => {
    const { mapping } = await greeted(roboarena, serverWith({}));
    expect(mapping.observation).toMatchObject({
      "observation/wrist_image_left": { from: "rgb_wrist", resize: [32, 24] },
      "observation/exterior_image_0_left": { from: "rgb_head", resize: [32, 24] },
      prompt: "instruction.text",
    });
    const bare = await greeted(
      roboarena,
      serverWith({ image_resolution: null, needs_wrist_camera: false, n_external_cameras: 0 }),
    );
    expect(Object.keys(bare.mapping.observation ?? {})).toEqual([
      "observation/joint_position",
      "observation/cartesian_position",
      "observation/gripper_position",
      "prompt",
    ]);
  });

  it("the RoboArena handshake converts the gripper to the numbers of the task", async () => {
    const { mapping } = await greeted(roboarena, serverWith({}));
    expect(mapping.action?.parts?.[1]).toMatchObject({
      take: [7, 8],
      switch: { at: 0.5, below: 0.04, above: 0 },
    });
  });

  it.each([
    [{ action_space: "cartesian_position" }, "which no task supports"],
    [{ action_space: "joint_velocity" }, "arm is controlled by joint_position"],
    [{ n_external_cameras: 2 }, "requests 2 external cameras"],
    [{ needs_stereo_camera: true }, "requests stereo cameras"],
    [{ action_space: undefined }, "metadata is not RoboArena's: action_space"],
  ])(
    "the RoboArena handshake stops the run when the server does not fit the task: %j",
    async (changes, text) => {
      await expect(greeted(roboarena, serverWith(changes))).rejects.toThrow(text);
    },
  );

  it("the RoboArena handshake accepts any server when the benchmark gives a mapping", async () => {
    const action = { parts: [{}] };
    const observation = { x: "qpos" };
    const { mapping } = await greeted(
      roboarena,
      serverWith({ action_space: "cartesian_position", n_external_cameras: 2 }),
      { mapping: { action, observation } },
    );
    expect(mapping).toEqual({ action, observation });
  });

  it("the RoboArena handshake sends session ids, and resets the policy at the end of a session", async () => {
    const requests: Readonly<Record<string, unknown>>[] = [];
    const meet = openpiLike({ ...config, needs_session_id: true }, (request) => {
      requests.push(request);
      return request.endpoint === "reset" ? "reset successful" : { actions: [0] };
    });
    const conversation = await greeted(roboarena, meet);
    for (const episodeId of ["0", "1"]) {
      const episode = { episodeId, episodeKey: episodeId, taskType: "t", sceneId: "s" };
      const rest = { episode: {}, actionSpace: joints.actionSpace, seed: 0 };
      await conversation.begin({ ...episode, ...rest }, 1000);
      await conversation.infer({}, 1000);
      await conversation.end({ episodeId, reason: "stop", steps: 1 }, 1000);
    }
    expect(requests.map(({ endpoint }) => endpoint)).toEqual(["infer", "reset", "infer", "reset"]);
    const names = requests.map((request) => request.session_id);
    expect(names[0]).toBe(names[1]);
    expect(names[2]).toBe(names[3]);
    expect(names[0]).not.toBe(names[2]);
  });
});

describe("vla-eval handshake", () => {
  const spec = (format: string, dims = 0) => ({ name: "x", dims, format });

  it("the vla-eval handshake sends the declared observations and no other camera", async () => {
    const { mapping } = await greeted(
      vlaEval,
      vlaEvalLike({
        observation_spec: { image: spec("rgb_hwc_uint8"), state: spec("joint_positions") },
        action_spec: { actions: spec("raw") },
      }),
    );
    expect(mapping.observation).toEqual({
      images: { map: { agentview: "rgb_head" } },
      task_description: "instruction.text",
      states: { concat: [{ from: "qpos" }] },
    });
  });

  it("the vla-eval handshake sends the wrist camera if a parameter requests it", async () => {
    const { mapping } = await greeted(
      vlaEval,
      vlaEvalLike({ observation_params: { send_wrist_image: true } }),
    );
    expect(mapping.observation).toMatchObject({ images: { map: { wrist: "rgb_wrist" } } });
  });

  it("the vla-eval handshake reports all differences to the task at once", async () => {
    const meet = vlaEvalLike({
      observation_params: { absolute_action: true },
      observation_spec: { state: spec("rot6d_interleaved_proprio_20d", 20) },
      action_spec: {
        position: spec("absolute_xyz", 3),
        rotation: spec("euler_xyz", 3),
        gripper: spec("binary_close_positive", 1),
        base: spec("base_mode_01", 1),
      },
    });
    const error: unknown = await greeted(vlaEval, meet, { task: hand }).catch((e) => e);
    expect(error).toMatchObject({ code: "convention_mismatch", name: "StopRunError" });
    for (const text of [
      "the state that it requests is rot6d_interleaved_proprio_20d",
      "its actions are absolute positions",
      "its rotations are euler_xyz",
      "its gripper closes above 0",
      "its actions have 8 numbers, the task's have 7",
      "its actions are absolute",
    ]) {
      expect(String(error)).toContain(text);
    }
  });

  it("the vla-eval handshake rejects end-effector actions for a task controlled by joints", async () => {
    const meet = vlaEvalLike({ action_spec: { position: spec("delta_xyz", 3) } });
    await expect(greeted(vlaEval, meet)).rejects.toThrow("control_mode is joint_position");
  });

  it("the vla-eval handshake rejects rotations that the benchmark mapping reads in another form", async () => {
    const meet = vlaEvalLike({ action_spec: { rotation: spec("euler_xyz", 3) } });
    const action = {
      parts: [
        {
          take: [0, 4] as [number, number],
          rotation: { from: "quat_xyzw", to: "axis_angle" } as const,
        },
      ],
    };
    const error: unknown = await greeted(vlaEval, meet, { mapping: { action } }).catch((e) => e);
    expect(String(error)).toContain("reads rotations as quat_xyzw, but it declares euler_xyz");
    expect(String(error)).toContain("takes number 3, but its actions have 3");
  });

  it("the vla-eval handshake rejects rotations in another form that the benchmark mapping passes on unread", async () => {
    const euler = {
      position: spec("delta_xyz", 3),
      rotation: spec("euler_xyz", 3),
      gripper: spec("binary_close_negative", 1),
    };
    const [{ action }] = PRESETS.libero;
    const meet = vlaEvalLike({ action_spec: euler });
    await expect(greeted(vlaEval, meet, { task: hand, mapping: { action } })).rejects.toMatchObject(
      {
        code: "convention_mismatch",
        message: expect.stringContaining(
          "its rotations are euler_xyz, and the mapping passes them on as axis_angle",
        ),
      },
    );
    const known = vlaEvalLike({ action_spec: { ...euler, rotation: spec("axis_angle", 3) } });
    await greeted(vlaEval, known, { task: hand, mapping: { action } });
    // A mapping that leaves the rotation out is fine.
    const parts = [{ take: [0, 3] as [number, number] }, { take: [6, 7] as [number, number] }];
    await greeted(vlaEval, meet, { task: hand, mapping: { action: { parts } } });
  });

  it("the vla-eval handshake rejects another protocol version", async () => {
    await expect(greeted(vlaEval, vlaEvalLike({ protocol_version: 2 }))).rejects.toThrow(
      "uses version 2",
    );
  });

  it("the vla-eval handshake fails with the error of the current request and ignores late errors of older ones", async () => {
    const meet = vlaEvalLike({}, ({ type, payload }) => {
      if (type !== "observation") return undefined;
      const { x } = payload as { x: number };
      return x === 0
        ? { type: "error", payload: { error: "out of memory" } }
        : { type: "action", payload: { actions: [x] } };
    });
    const conversation = await greeted(vlaEval, meet);
    await expect(conversation.infer({ x: 0 }, 1000)).rejects.toThrow("out of memory");
    expect(await conversation.infer({ x: 5 }, 1000)).toEqual({ actions: [5] });
  });

  it("the vla-eval handshake fails the first action if the server rejects the episode", async () => {
    const conversation = await greeted(
      vlaEval,
      vlaEvalLike({}, ({ type }) =>
        type === "episode_start"
          ? { type: "error", payload: { error: "no such suite" } }
          : undefined,
      ),
    );
    const episode = { episodeId: "0", episodeKey: "0", taskType: "t", sceneId: "s", seed: 0 };
    await conversation.begin({ ...episode, episode: {}, actionSpace: joints.actionSpace }, 1000);
    await expect(conversation.infer({}, 1000)).rejects.toThrow("no such suite");
  });
});
