import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseConfig } from "../../../config/load.js";
import type { SimulatorFactory } from "../../../core/interfaces/simulator.js";
import { createRegistries } from "../../../registry/registries.js";
import { resolveTasks } from "../resolve-tasks.js";

const CUSTOM: SimulatorFactory = {
  description: "the simulator of a plugin",
  families: ["navigation"],
  sensors: ["radar"],
  create: () => Promise.reject(new Error("not started")),
};

function registries() {
  const made = createRegistries();
  made.simulators.register("custom", CUSTOM);
  made.simulators.register("open", { ...CUSTOM, configSchema: z.looseObject({ a: z.int() }) });
  made.simulators.register("closed", { ...CUSTOM, configSchema: z.object({ range_m: z.int() }) });
  return made;
}

/** Resolves tasks of these types; their data need not exist. */
function resolve(types: readonly string[], simulator: object, recorded?: "current") {
  const document = {
    benchmark: { name: "keys" },
    ...Object.fromEntries(types.map((type) => [`${type}_task`, { type }])),
    simulator,
    dataset: Object.fromEntries(types.map((type) => [type, { type, data_path: "none.json" }])),
  };
  const loaded = parseConfig(JSON.stringify(document), { file: "b.yaml", recorded });
  return resolveTasks(loaded, registries());
}

const error = (message: string, hint: string) =>
  expect.objectContaining({
    code: "bad_config",
    message,
    hint: expect.stringContaining(hint),
    where: expect.stringMatching(/^b\.yaml:\d+:\d+$/),
  });

describe("the keys of simulator:", () => {
  it("the keys of simulator: must be read by a simulator of the benchmark", () => {
    expect(() => resolve(["vln"], { scnes: "x" })).toThrow(
      error("simulator.scnes: unknown key", 'did you mean "scenes"?'),
    );
    expect(() => resolve(["vln"], { forward_stp: 1 })).toThrow(
      error("simulator.forward_stp: unknown key", 'did you mean "forward_step"?'),
    );
  });

  it("the keys of simulator: may be those of any task simulator", () => {
    const simulator = { control_hz: 10, forward_step: 0.3 };
    expect(resolve(["vln", "pick_place"], simulator)).toHaveLength(2);
    expect(() => resolve(["vln"], simulator)).toThrow(
      error("simulator.control_hz: unknown key", "only mujoco reads it"),
    );
  });

  it("an error about the keys of simulator: names the section that a key belongs to", () => {
    expect(() => resolve(["vln"], { max_steps: 9 })).toThrow(
      error("simulator.max_steps: unknown key", "`max_steps` belongs in"),
    );
  });

  it("the keys of simulator: may be any for a plugin simulator without a schema, or with an open one", () => {
    expect(resolve(["vln"], { backend: "custom", anything: 1 })).toHaveLength(1);
    expect(resolve(["vln"], { backend: "open", a: 1, anything: 1 })).toHaveLength(1);
    expect(() => resolve(["vln"], { backend: "closed", range_m: 1, rnge_m: 2 })).toThrow(
      error("simulator.rnge_m: unknown key", 'did you mean "range_m"?'),
    );
  });

  it("the keys of simulator: are checked for the graph simulator, too", () => {
    expect(resolve(["vln"], { backend: "graph", turn_angle: 30 })).toHaveLength(1);
    expect(() => resolve(["vln"], { backend: "graph", turn_angle: "30" })).toThrow(
      error('simulator.turn_angle: expected a number above 0 and at most 180, got "30"', "quotes"),
    );
  });
});

describe("the settings of a sensor", () => {
  it("the settings of a sensor must be read by a simulator that has the sensor", () => {
    expect(() => resolve(["vln"], { sensors: { depth: { widht: 64 } } })).toThrow(
      error("simulator.sensors.depth.widht: unknown key", 'did you mean "width"?'),
    );
    const arm = { sensors: { rgb_head: { width: 64, hfov: 60 } } };
    expect(() => resolve(["vln", "pick_place"], arm)).toThrow(
      error("simulator.sensors.rgb_head.hfov: unknown key", "valid: width, height, ids"),
    );
    expect(resolve(["vln", "pick_place"], { sensors: { rgb: { hfov: 60 } } })).toHaveLength(2);
  });

  it("the settings of a sensor may be those with which the task describes the sensor", () => {
    const sensors = { rgb: { width: 64, encoding: "base64" }, gps: { dim: 3 } };
    expect(resolve(["vln"], { sensors })).toHaveLength(1);
  });

  it("the settings of a sensor may be any for a simulator that does not list them", () => {
    const sensors = { radar: { beams: 3 } };
    expect(resolve(["vln"], { backend: "custom", sensors })).toHaveLength(1);
    const remote = { backend: "remote", url: "ws://localhost:1", sensors };
    expect(resolve(["pick_place"], remote)).toHaveLength(1);
  });

  it("the settings of a sensor are not checked in recorded runs, which earlier versions accepted", () => {
    const simulator = { scnes: "x", sensors: { depth: { widht: 64 } } };
    expect(resolve(["vln"], simulator, "current")).toHaveLength(1);
  });
});
