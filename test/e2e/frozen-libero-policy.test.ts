import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { NdArray } from "../../src/api/codec/ndarray.js";
import { mapObservation } from "../../src/api/mapping/observation.js";
import { resolveMapping } from "../../src/api/mapping/resolve.js";
import { ActionSpace } from "../../src/core/task/types.js";
import { FrozenSimulator } from "../../src/simulator/frozen/frozen-simulator.js";
import {
  frozenEpisode,
  MODEL,
  START,
  writeFrozenWorld,
} from "../../src/simulator/frozen/world.fixture.js";
import { ExternalTask } from "../../src/tasks/external/task.js";

const CAMERAS = ["agentview", "robot0_eye_in_hand"];

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A world with the names of LIBERO's cameras and observations. The block stands for the hand. */
function writeWorld(): string {
  const camera = MODEL.match(/<camera .*\/>/)?.[0] ?? "";
  const both = CAMERAS.map((name) => camera.replace("front", name)).join("");
  return writeFrozenWorld({
    model: MODEL.replace(camera, both),
    describe: ({ cameras, ...rest }) => ({
      ...rest,
      cameras: { ...Object(cameras), names: CAMERAS, width: 32, height: 32, mirrored: true },
      observations: {
        robot0_eef_pos: { kind: "body_pos", body: "block" },
        robot0_eef_quat: { kind: "body_quat_xyzw", body: "block" },
        robot0_gripper_qpos: { kind: "qpos", joints: ["x", "z"] },
      },
    }),
  });
}

describe("a policy for openpi's LIBERO client", () => {
  it("a policy for the LIBERO client of openpi gets two pictures, the state of 8 numbers and the prompt from a frozen world", async () => {
    const path = writeWorld();
    const images = CAMERAS.map((name) => [`${name}_image`, {}]);
    const readings = ["robot0_eef_pos", "robot0_eef_quat", "robot0_gripper_qpos"];
    const simulator = new FrozenSimulator({
      task: new ExternalTask(),
      config: { sensors: Object.fromEntries([...images, ...readings.map((name) => [name, {}])]) },
      scenes: { locate: async () => path },
    });
    close = () => {
      simulator.close();
      rmSync(dirname(path), { recursive: true });
    };
    // A hand that points down, turned by more than pi: w is negative.
    const qpos = [0.01, -0.02, 0.5, 0.1, 1.2, -0.1, 0.9, 0.3, -0.3];
    const { observation } = await simulator.reset(
      frozenEpisode({ ...START, state: { ...START.state, qpos } }),
    );
    expect(simulator.missingSensors).toEqual([]);
    const mapping = resolveMapping("libero", "openpi", {
      ...{ name: "libero_spatial_0", type: "external", family: "manipulation" },
      actionSpace: new ActionSpace({ name: "continuous", shape: [7] }),
      conventions: { control_mode: "osc_pose", action_dim: 7 },
    });
    const input = mapObservation(
      { ...observation, instruction: { text: "put the block on the plate" } },
      mapping.observation,
    );
    expect(Object.keys(input).sort()).toEqual([
      "observation/image",
      "observation/state",
      "observation/wrist_image",
      "prompt",
    ]);
    for (const key of ["observation/image", "observation/wrist_image"]) {
      expect(input[key]).toMatchObject({ dtype: "|u1", shape: [224, 224, 3] });
    }
    const state = input["observation/state"];
    // The rotation is quat2axisangle([0.9, 0.3, -0.3, -0.1]) of robosuite 1.4.1, which openpi's client has a copy of.
    const rotation = [3.022887158322303, 1.007629052774101, -1.007629052774101];
    expect(state instanceof NdArray ? [...state.data].map(Number) : []).toEqual(
      [0.5, 0.1, 1.2, ...rotation, 0.01, -0.02].map((value) => expect.closeTo(value, 12)),
    );
    expect(input.prompt).toBe("put the block on the plate");
  });
});
