import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import { ActionSpace } from "../core/task/types.js";
import { decodeFrame, encodeFrame } from "./codec/frame.js";
import { NdArray } from "./codec/ndarray.js";
import type { Encoding, MessageOf } from "./messages/base.js";
import { parseActionMessage } from "./parse-action.js";
import { createResetMessage } from "./protocol.js";

const names = new ActionSpace({ name: "discrete", actions: ["stop", "move_forward", "goto"] });
const pair = new ActionSpace({ name: "continuous", shape: [2], range: [-1, 1] });
const either = new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [2] });

function episode(more: Partial<AgentEpisode>): AgentEpisode {
  return {
    taskType: "vln",
    episodeId: "e1",
    sceneId: "house",
    episodeKey: "k",
    episode: {},
    actionSpace: names,
    seed: 7,
    ...more,
  };
}

describe("episode reset message", () => {
  it("an episode reset message has the documented fields for navigation, with null for undisclosed ones", () => {
    const start_state = { position: [0, 0, 1], rotation: [0, 0, 0, 1] };
    const instruction = { text: "go to the door" };
    const conventions = { action_space: "discrete" };
    const message = createResetMessage(
      episode({ episode: { start_state, instruction, goals: null }, conventions }),
      "S",
    );
    expect(message).toEqual({
      type: "reset_episode",
      session_id: "S",
      episode: {
        episode_id: "e1",
        task_type: "vln",
        scene_id: "house",
        instruction,
        start_position: [0, 0, 1],
        start_rotation: [0, 0, 0, 1],
        goals: null,
        reference_path: null,
        action_space: { name: "discrete", actions: ["stop", "move_forward", "goto"] },
        conventions,
        seed: 7,
      },
    });
  });

  it("an episode reset message has the documented fields for manipulation, and the range of each action", () => {
    const task_config = { robot_config: { name: "arm" }, scene_objects: [{ name: "cube" }] };
    const { episode: told } = createResetMessage(
      episode({ taskType: "pick_place", actionSpace: pair, episode: { task_config } }),
      "S",
    );
    expect(told).toMatchObject({
      instruction: null,
      robot_config: { name: "arm" },
      scene_objects: [{ name: "cube" }],
      goals: null,
      reference_trajectory: null,
      action_space: { name: "continuous", shape: [2], range: [-1, 1] },
    });
    expect(told).not.toHaveProperty("start_position");
  });

  it("an episode reset message contains only what the episode discloses", () => {
    const disclosed = { start_state: { position: [0, 0, 0] }, goals: { radius: 1 }, secret: 1 };
    const { episode: told } = createResetMessage(episode({ episode: disclosed }), "S");
    expect(told.goals).toEqual({ radius: 1 });
    expect(told).not.toHaveProperty("secret");
  });
});

describe("action message", () => {
  const said = (fields: object) =>
    ({ type: "action", session_id: "S", ...fields }) as MessageOf<"action">;

  it("an action message may have a name, a list, {name} or {qpos}", () => {
    expect(parseActionMessage(said({ action: "stop" }), names)).toEqual(["stop"]);
    expect(parseActionMessage(said({ action: "goto:a" }), names)).toEqual(["goto:a"]);
    expect(parseActionMessage(said({ action: { name: "stop" } }), names)).toEqual(["stop"]);
    expect(parseActionMessage(said({ action: [0.5, 1] }), pair)).toEqual([[0.5, 1]]);
    expect(parseActionMessage(said({ action: { qpos: [0.5, 1] } }), pair)).toEqual([[0.5, 1]]);
    expect(parseActionMessage(said({ action: "stop" }), either)).toEqual(["stop"]);
    expect(parseActionMessage(said({ action: [1, 2] }), either)).toEqual([[1, 2]]);
  });

  it("an action message may have several actions, in order", () => {
    const actions = ["move_forward", { name: "goto:b" }, "stop"];
    expect(parseActionMessage(said({ actions }), names)).toEqual([
      "move_forward",
      "goto:b",
      "stop",
    ]);
  });

  it("an action message may contain typed arrays", () => {
    const array = new NdArray("<f4", [2], Float32Array.of(0.5, 1));
    expect(parseActionMessage(said({ action: array }), pair)).toEqual([[0.5, 1]]);
    expect(parseActionMessage(said({ action: { qpos: array } }), pair)).toEqual([[0.5, 1]]);
    const both = said({ action: { name: "stop", qpos: array } });
    expect(parseActionMessage(both, pair)).toEqual([[0.5, 1]]);
    expect(parseActionMessage(both, names)).toEqual(["stop"]);
    expect(parseActionMessage(said({ actions: [array, [1, 2]] }), pair)).toEqual([
      [0.5, 1],
      [1, 2],
    ]);
  });

  it.each([
    [names, "jump", '"jump" is not an action'],
    [names, [1, 2], "is a vector"],
    [names, "stop:now", "stop takes no argument"],
    [pair, [1], "has 2 numbers, got 1"],
    [pair, [1, Number.NaN], "action[1] is NaN"],
    [pair, "stop", "is not an action"],
    [pair, { velocity: 1 }, "is not an action"],
    [pair, null, "null is not an action"],
  ])(
    "an action message is rejected if an action is outside the action space: %#",
    (space, action, part) => {
      expect(() => parseActionMessage(said({ action }), space)).toThrow(part);
    },
  );

  it("an action message carries the same numbers in both encodings", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        finite,
        finite,
        fc.constantFrom<Encoding>("json", "msgpack"),
        (a, b, encoding) => {
          const frame = encodeFrame(said({ action: [a, b] }), encoding);
          const bytes = typeof frame === "string" ? Buffer.from(frame) : frame;
          const message = decodeFrame(bytes, encoding === "msgpack") as MessageOf<"action">;
          expect(parseActionMessage(message, pair)).toEqual([[a + 0, b + 0]]);
        },
      ),
    );
  });
});
