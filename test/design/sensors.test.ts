import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type PolicyServer, serve } from "../../src/api/policy/serve.js";
import { inspectBenchmark } from "../../src/evaluator/plan/inspect.js";
import { createRegistries, parseConfig, UnifiedRobotEvaluator } from "../../src/index.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The YAML of chapter 8.1, verbatim. */
const DESIGN = readFileSync(join(ROOT, "src/config/unified-challenge.fixture.txt"), "utf8");
const DATA = [
  `dataset.vln.data_path=${join(ROOT, "data/navmesh/vln/val.json.gz")}`,
  `dataset.manipulation.data_path=${join(ROOT, "data/manipulation/pick_place/val.json.gz")}`,
  "evaluation.max_steps=1",
];
const SMALL = ["rgb", "depth"].flatMap((name) => [
  `simulator.sensors.${name}.width=32`,
  `simulator.sensors.${name}.height=24`,
]);

let server: PolicyServer | undefined;
afterEach(() => server?.close());

/** The keys of the `get_action.observation` that a WebSocket policy receives, by task type. */
async function observed(...set: readonly string[]): Promise<Record<string, string[]>> {
  const seen: Record<string, string[]> = {};
  const policy = () => {
    let type = "";
    return {
      reset: ({ taskType }: { readonly taskType: string }) => {
        type = taskType;
      },
      act: (observation: object) => {
        seen[type] = Object.keys(observation).sort();
        return type === "vln" ? "stop" : Array.from({ length: 7 }, () => 0);
      },
    };
  };
  server = await serve(policy, { port: 0 });
  const loaded = parseConfig(DESIGN, { set: [...DATA, ...set] });
  const results = await new UnifiedRobotEvaluator(loaded, {
    agent: server.url,
    outDir: null,
    first: 1,
  }).run();
  expect(results.episodes).toMatchObject({ total: 2, invalid: 0 });
  return seen;
}

describe("the sensors of the design's YAML", () => {
  it("the sensors of the design YAML give the policy the named cameras with the other sensors of each task", async () => {
    expect(await observed(...SMALL)).toEqual({
      vln: ["compass", "depth", "gps", "instruction", "rgb"],
      pick_place: ["depth", "ee_pose", "gripper_state", "qpos", "qvel", "rgb"],
    });
  });

  it("the sensors of the design YAML are named by validate as the policy receives them", async () => {
    const loaded = parseConfig(DESIGN, { set: [...DATA, ...SMALL] });
    const { tasks } = await inspectBenchmark(loaded, createRegistries());
    const received = tasks.map(({ type, sensors }) => [type, Object.keys(sensors.received ?? {})]);
    expect(Object.fromEntries(received)).toEqual({
      vln: ["rgb", "depth", "instruction", "gps", "compass"],
      pick_place: ["rgb", "depth", "qpos", "qvel", "ee_pose", "gripper_state"],
    });
  });

  it("the sensors of the design YAML can be switched off by name", async () => {
    const off = ["gps", "qvel"].map((name) => `simulator.sensors.${name}=false`);
    expect(await observed(...SMALL, ...off)).toEqual({
      vln: ["compass", "depth", "instruction", "rgb"],
      pick_place: ["depth", "ee_pose", "gripper_state", "qpos", "rgb"],
    });
  });
});
