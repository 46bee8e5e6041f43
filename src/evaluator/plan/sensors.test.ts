import { describe, expect, it } from "vitest";
import { parseConfig } from "../../config/load.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { createRegistries } from "../../registry/registries.js";
import { resolveTasks } from "./resolve-tasks.js";
import { sensorText } from "./sensors.js";

/** Tasks of these types with a `simulator:` section; their data need not exist. */
function resolve(types: readonly string[], simulator: object) {
  const document = {
    benchmark: { name: "sensors" },
    ...Object.fromEntries(types.map((type) => [`${type}_task`, { type }])),
    simulator,
    dataset: Object.fromEntries(types.map((type) => [type, { type, data_path: "none.json" }])),
  };
  const registries = createRegistries();
  registries.simulators.register("plain", { ...PLAIN, sensors: [] });
  return resolveTasks(parseConfig(JSON.stringify(document)), registries);
}

const PLAIN: SimulatorFactory = {
  description: "a simulator that does not list its sensors",
  families: ["navigation"],
  sensors: [],
  create: () => Promise.reject(new Error("not started")),
};

const textOf = (type: string, simulator: object) =>
  resolve([type], simulator).map(({ sensors }) => sensorText(sensors))[0];

describe("the sensors of a task in a benchmark", () => {
  it("the sensors of a task in a benchmark are those of the task if the benchmark configures none", () => {
    expect(textOf("vln", {})).toBe("rgb 640x480, depth 640x480, instruction, gps, compass");
    expect(textOf("pick_place", {})).toBe(
      "rgb_head 640x480, rgb_wrist 320x240, qpos, qvel, ee_pose, gripper_state",
    );
    expect(resolve(["vln"], {})[0]?.simulatorConfig.sensors).toBeUndefined();
  });

  it("the sensors of a task in a benchmark keep the goal sensor beside the named cameras", () => {
    const simulator = { sensors: { rgb: { width: 64, height: 48 } } };
    expect(textOf("image_nav", simulator)).toBe("rgb 64x48, imagegoal 640x480, gps, compass");
    expect(textOf("objectnav", simulator)).toBe("rgb 64x48, objectgoal, gps, compass");
  });

  it("the simulator gets exactly the sensors that it observes, without switches", () => {
    const sensors = { rgb: {}, gps: false };
    expect(resolve(["vln"], { sensors })[0]?.simulatorConfig.sensors).toEqual({
      rgb: {},
      instruction: { type: "text" },
      compass: { dim: 1 },
    });
  });

  it("the sensors of a task in a benchmark are all those of a navigation graph, minus the switched-off ones", () => {
    expect(textOf("vln", { backend: "graph" })).toBe(
      "instruction, gps, compass, heading, viewpoint, candidates",
    );
    expect(textOf("vln", { backend: "graph", sensors: { gps: false, candidates: false } })).toBe(
      "instruction, compass, heading, viewpoint",
    );
  });

  it("the sensors of a task in a benchmark leave out what the simulator does not have, and name it", () => {
    const sensors = { rgb: {}, radar: {}, left: { type: "depth" } };
    const [vln] = resolve(["vln"], { sensors });
    expect(vln?.sensors.missing).toEqual(["radar"]);
    expect(Object.keys(vln?.sensors.received ?? {})).toEqual([
      ...["rgb", "left", "instruction", "gps", "compass"],
    ]);
  });

  it("the sensors of a task in a benchmark are unknown before the start of a simulator that does not list them", () => {
    const simulator = { backend: "plain", sensors: { rgb: {} } };
    expect(textOf("vln", simulator)).toBe("what its simulator reports");
    expect(resolve(["vln"], simulator)[0]?.simulatorConfig.sensors).toEqual({ rgb: {} });
    expect(() => resolve(["vln"], { backend: "plain", sensors: { gps: false } })).toThrow(
      expect.objectContaining({ code: "unknown_sensor", hint: expect.stringContaining("list") }),
    );
  });

  it("the sensors of a task in a benchmark reject a switch of a sensor that does not exist", () => {
    const types = ["vln", "pick_place"];
    expect(resolve(types, { sensors: { gps: false, qvel: false } })).toHaveLength(2);
    expect(() => resolve(types, { sensors: { gsp: false } })).toThrow(
      expect.objectContaining({
        message: 'there is no sensor "gsp" to switch off',
        where: expect.stringMatching(/:\d+:\d+$/),
        hint: expect.stringContaining('did you mean "gps"?'),
      }),
    );
  });
});
