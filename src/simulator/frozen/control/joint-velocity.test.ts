import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ExternalTask } from "../../../tasks/external/task.js";
import { FrozenSimulator } from "../frozen-simulator.js";
import { frozenEpisode, writeFrozenWorld } from "../world.fixture.js";

const ARM = {
  ...{ type: "JOINT_VELOCITY", start: 0, end: 2, actuators: ["mx", "mz"], joints: ["x", "z"] },
  ...{ input_min: [-1, -1], input_max: [1, 1], output_min: [-0.5, -0.5], output_max: [0.5, 0.5] },
  ...{ kp: [100, 100], ki: [0.5, 0.5], kd: [0.1, 0.1] },
};
const UNLIMITED = [
  [-80, -80],
  [80, 80],
];

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Speeds of both joints after each of some actions, in m/s. */
async function speedsAfter(arm: object, actions: readonly number[][]): Promise<number[][]> {
  const path = writeFrozenWorld({
    describe: (description) => ({
      ...description,
      action: { low: [-1, -1], high: [1, 1], parts: [{ ...ARM, ...arm }] },
      observations: { speeds: { kind: "qvel", joints: ["x", "z"] } },
    }),
  });
  folders.push(dirname(path));
  const simulator = new FrozenSimulator({
    task: new ExternalTask({}),
    taskName: "gantry",
    config: {},
    scenes: { locate: async () => path },
  });
  try {
    await simulator.reset(frozenEpisode());
    return actions.map((action) => simulator.step(action).observation.speeds as number[]);
  } finally {
    simulator.close();
  }
}

const repeated = (action: number[], times: number) => Array.from({ length: times }, () => action);

describe("JOINT_VELOCITY of robosuite 1.4", () => {
  it("JOINT_VELOCITY of robosuite 1.4 reaches the scaled velocities of an action against gravity and damping", async () => {
    const speeds = await speedsAfter({ torque_limits: UNLIMITED }, repeated([0.5, -0.2], 20));
    expect(speeds.at(-1)).toEqual([expect.closeTo(0.25, 2), expect.closeTo(-0.1, 2)]);
  });

  it("JOINT_VELOCITY of robosuite 1.4 does not exceed its velocity limits", async () => {
    const limits = {
      velocity_limits: [
        [-0.1, -0.1],
        [0.1, 0.1],
      ],
    };
    const speeds = await speedsAfter(
      { torque_limits: UNLIMITED, ...limits },
      repeated([1, 0.1], 20),
    );
    expect(speeds.at(-1)).toEqual([expect.closeTo(0.1, 3), expect.closeTo(0.05, 3)]);
  });

  it("JOINT_VELOCITY of robosuite 1.4 does not collect errors while a torque is at its limit, so that it does not overshoot afterwards", async () => {
    // 1 N accelerates 1.5 kg along x; the hand along z is not limited.
    const weak = {
      torque_limits: [
        [-1, -80],
        [1, 80],
      ],
    };
    const speeds = await speedsAfter(weak, repeated([1, 0], 40));
    expect(speeds[4]?.[0]).toBeLessThan(0.2);
    expect(Math.max(...speeds.map(([x = 0]) => x))).toBeLessThan(0.505);
    expect(speeds.at(-1)?.[0]).toBeGreaterThan(0.45);
  });
});
