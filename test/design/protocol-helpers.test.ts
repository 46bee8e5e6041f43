import { describe, expect, it, onTestFinished } from "vitest";
import { createResetMessage, parseActionMessage, WebSocketProtocol } from "../../src/api/index.js";
import { RawPolicy, type RawPolicyOptions } from "../../src/api/websocket/raw-peer.fixture.js";
import { ActionSpace, BaseEpisode, RobotEvalError } from "../../src/index.js";
import { VLN_001 } from "../support/design-episodes.js";

// Chapter 13.2's episodes, with references, for the helpers of chapters 7.2 and 10.1.
const vln = BaseEpisode.fromDict({
  ...VLN_001.toDict(),
  reference_data: {
    path: [
      [1.5, 0, 2.3],
      [3, 1, 2.3],
    ],
  },
});
const pickPlace = new BaseEpisode({
  episodeId: "manip_001",
  taskType: "pick_place",
  sceneId: "table_setup_001",
  startState: { base_pose: [0, 0, 0], joint_positions: [0, 0, 0, 0, 0, 0, 0] },
  instruction: { text: "Pick up the red cup" },
  goals: { target_object: { name: "cup_red" }, target_location: { position: [0.7, 0.2, 0.8] } },
  taskConfig: {
    robot_config: { robot_type: "stretch", dof: 7 },
    scene_objects: [{ name: "cup_red" }],
  },
  referenceData: { trajectory: { qpos: [[0, 0, 0, 0, 0, 0, 0]] } },
});

/** The error of a call with arguments that TypeScript would reject. */
function rejection(call: () => unknown): RobotEvalError {
  try {
    call();
  } catch (error) {
    if (error instanceof RobotEvalError) return error;
    throw error;
  }
  throw new Error("the call was accepted");
}

describe("createResetMessage", () => {
  it("createResetMessage takes a navigation episode and a session id, and has the fields of the design without the answer", () => {
    expect(createResetMessage(vln, "uuid-xxx")).toEqual({
      type: "reset_episode",
      session_id: "uuid-xxx",
      episode: {
        episode_id: "vln_001",
        task_type: "vln",
        scene_id: "scene_001",
        instruction: vln.instruction,
        start_position: [1.5, 0, 2.3],
        start_rotation: [0, 0, 0, 1],
        goals: null,
        reference_path: null,
      },
    });
  });

  it("createResetMessage takes a manipulation episode and has the fields of the design without the reference", () => {
    expect(createResetMessage(pickPlace, "uuid-xxx").episode).toEqual({
      episode_id: "manip_001",
      task_type: "pick_place",
      scene_id: "table_setup_001",
      instruction: pickPlace.instruction,
      robot_config: { robot_type: "stretch", dof: 7 },
      scene_objects: [{ name: "cup_red" }],
      goals: pickPlace.goals,
      reference_trajectory: null,
    });
  });

  it("createResetMessage sends goals and reference if they are disclosed", () => {
    const disclose = ["goals", "reference"] as const;
    expect(createResetMessage(vln, "S", { disclose }).episode).toMatchObject({
      goals: vln.goals,
      reference_path: [
        [1.5, 0, 2.3],
        [3, 1, 2.3],
      ],
    });
    expect(createResetMessage(pickPlace, "S", { disclose }).episode).toMatchObject({
      reference_trajectory: { qpos: [[0, 0, 0, 0, 0, 0, 0]] },
    });
  });

  it("createResetMessage sends the action space and the seed that the caller gives", () => {
    const actionSpace = new ActionSpace({ name: "discrete", actions: ["stop"] });
    expect(createResetMessage(vln, "S", { actionSpace, seed: 7 }).episode).toMatchObject({
      action_space: { name: "discrete", actions: ["stop"] },
      seed: 7,
    });
  });

  it.each([
    ["nothing", undefined, "S"],
    ["an object that is no episode", {}, "S"],
    ["an episode as it is stored", vln.toDict(), "S"],
    ["an episode without a session id", vln, undefined],
  ])("createResetMessage rejects %s and says what is expected", (_, episode, id) => {
    const error = rejection(() => createResetMessage(episode as BaseEpisode, id as string));
    expect(error).toMatchObject({ code: "bad_argument", where: "createResetMessage" });
    expect(error.hint).toMatch(/BaseEpisode|session/);
  });
});

describe("parseActionMessage", () => {
  const said = (action: unknown) => ({ type: "action", session_id: "uuid-xxx", action }) as const;

  it.each(["vln", "objectnav", "image_nav"])(
    "parseActionMessage returns the name of a %s action",
    (taskType) => {
      expect(parseActionMessage(said("move_forward"), taskType)).toBe("move_forward");
      expect(parseActionMessage(said({ name: "stop" }), taskType)).toBe("stop");
    },
  );

  it.each(["manipulation", "pick_place"])(
    "parseActionMessage returns the vector of a %s action",
    (taskType) => {
      expect(parseActionMessage(said([0.05, 0, 0.1]), taskType)).toEqual([0.05, 0, 0.1]);
      expect(parseActionMessage(said({ qpos: [0.05] }), taskType)).toEqual([0.05]);
      expect(parseActionMessage(said({ name: "move_forward", qpos: [1] }), taskType)).toEqual([1]);
      expect(parseActionMessage(said("stop"), taskType)).toBe("stop");
    },
  );

  it("parseActionMessage returns an action of any form for another task type", () => {
    expect(parseActionMessage(said("wave"), "greeting")).toBe("wave");
    expect(parseActionMessage(said([1, 2]), "greeting")).toEqual([1, 2]);
  });

  it.each([
    ["vln", [0.05, 0], "[0.05,0] is not an action of vln", "send the name of an action"],
    ["vln", "", '"" is not an action of vln', "send the name of an action"],
    [
      "pick_place",
      "move_forward",
      '"move_forward" is not an action of pick_place',
      "a list of finite numbers",
    ],
    ["pick_place", [], "[] is not an action of pick_place", "a list of finite numbers"],
    ["pick_place", ["a"], 'action[0] is "a", not a finite number', ""],
    ["greeting", 5, "5 is not an action of greeting", "a list of finite numbers"],
  ])(
    "parseActionMessage rejects an action that does not fit the task type: %s %j",
    (taskType, action, message, hint) => {
      const error = rejection(() => parseActionMessage(said(action), taskType));
      expect(error).toMatchObject({ code: "bad_action", message });
      expect(error.hint ?? "").toContain(hint);
    },
  );

  it("parseActionMessage rejects a chunk, which only an action space can read", () => {
    const chunk = { type: "action", session_id: "S", actions: ["stop", "stop"] } as const;
    const error = rejection(() =>
      parseActionMessage({ ...chunk, actions: [...chunk.actions] }, "vln"),
    );
    expect(error).toMatchObject({
      code: "bad_chunk",
      hint: expect.stringContaining("ActionSpace"),
    });
  });

  it.each([
    ["no message", undefined, "vln"],
    ["a message without an action", { type: "action", session_id: "S" }, "vln"],
    ["no task type", said("stop"), undefined],
    ["an empty task type", said("stop"), ""],
  ])("parseActionMessage rejects %s and says what is expected", (_, message, taskType) => {
    const call = () => parseActionMessage(message as never, taskType as string);
    expect(rejection(call)).toMatchObject({
      code: "bad_argument",
      where: "parseActionMessage",
      hint: expect.stringMatching(/action/),
    });
  });
});

describe("WebSocketProtocol", () => {
  async function dialled(options: RawPolicyOptions) {
    const policy = await RawPolicy.listen(options);
    const protocol = await WebSocketProtocol.dial(policy.url);
    onTestFinished(() => protocol.close());
    return { policy, protocol };
  }

  it.each([
    ["a name for a navigation episode", vln, "move_forward"],
    ["a vector for a manipulation episode", pickPlace, [0.05, 0, 0.1, 0, 0, 0, 0]],
  ])(
    "WebSocketProtocol starts an episode with a BaseEpisode and receives %s",
    async (_, episode, action) => {
      const { policy, protocol } = await dialled({ action });
      const session = await protocol.startEpisode(episode);
      await protocol.sendObservation(session, { qpos: [0, 0] });
      expect(await protocol.receiveAction(session)).toEqual(action);
      protocol.endEpisode(session, { episodeId: episode.episodeId, reason: "stop", steps: 1 });
      const [reset] = policy.of("reset_episode");
      expect(reset).toMatchObject({ ...createResetMessage(episode, session), seq: 0 });
    },
  );

  it("WebSocketProtocol checks actions against the action space that the caller gives", async () => {
    const { protocol } = await dialled({ action: "fly" });
    const actionSpace = new ActionSpace({ name: "discrete", actions: ["stop"] });
    const session = await protocol.startEpisode(vln, { actionSpace });
    await protocol.sendObservation(session, {});
    await expect(protocol.receiveAction(session)).rejects.toMatchObject({ code: "bad_action" });
  });

  it("WebSocketProtocol rejects wrong arguments and says what is expected", async () => {
    const { protocol } = await dialled({});
    const bad = { code: "bad_argument", hint: expect.any(String) };
    await expect(protocol.startEpisode({} as BaseEpisode)).rejects.toMatchObject(bad);
    const session = await protocol.startEpisode(vln);
    await expect(protocol.sendObservation(session, undefined as never)).rejects.toMatchObject(bad);
    expect(rejection(() => protocol.endEpisode(session, undefined as never))).toMatchObject(bad);
    await expect(protocol.receiveAction("other")).rejects.toMatchObject({ code: "no_episode" });
    const policy = { conect_timeout: 3 } as object;
    await expect(WebSocketProtocol.dial("ws://localhost:1", { policy })).rejects.toMatchObject({
      code: "bad_argument",
      hint: expect.stringContaining('did you mean "connect_timeout"?'),
    });
  });
});
