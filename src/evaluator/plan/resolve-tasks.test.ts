import { describe, expect, it } from "vitest";
import { parseConfig } from "../../config/load.js";
import { Spl } from "../../metrics/navigation/spl.js";
import { createRegistries } from "../../registry/registries.js";
import { resolveTasks } from "./resolve-tasks.js";

type Configs = Readonly<Record<string, object>>;

/** Resolves one task of each type with its `config:`; the data need not exist. */
function resolve(
  configs: Configs,
  sections: object = {},
  recorded?: "current",
  registries = createRegistries(),
) {
  const document = {
    benchmark: { name: "checks" },
    ...Object.fromEntries(
      Object.entries(configs).map(([type, config]) => [`${type}_task`, { type, config }]),
    ),
    dataset: Object.fromEntries(
      Object.keys(configs).map((type) => [type, { type, data_path: "none.json" }]),
    ),
    ...sections,
  };
  const loaded = parseConfig(JSON.stringify(document), { file: "b.yaml", recorded });
  return resolveTasks(loaded, registries);
}

describe("resolveTasks", () => {
  it("resolveTasks reports the mistakes of every task in one error", () => {
    const attempt = () =>
      resolve({
        vln: { metrics: ["successs"], turn: 1 },
        pick_place: { metrics: ["spl"], goals: { target_locaton: {} } },
      });
    const issues = [
      { message: "vln_task.config.turn: unknown key" },
      { message: 'unknown metric "successs"' },
      { message: expect.stringContaining('the metric "spl" needs position and distance_to_goal') },
      { message: expect.stringContaining("target_locaton: unknown key, did you mean") },
    ];
    expect(attempt).toThrow(
      expect.objectContaining({
        code: "bad_config",
        issues: expect.arrayContaining(issues.map((issue) => expect.objectContaining(issue))),
      }),
    );
  });

  it("resolveTasks keeps the code of a single error", () => {
    expect(() => resolve({ vln: { metrics: ["successs"] } })).toThrow(
      expect.objectContaining({ code: "unknown_metric" }),
    );
  });

  it("resolveTasks rejects a metric that is registered under another name than its own", () => {
    const registries = createRegistries();
    registries.metrics.register("detours")(Spl);
    expect(() => resolve({ vln: { metrics: ["detours"] } }, {}, undefined, registries)).toThrow(
      expect.objectContaining({
        code: "metric_name",
        message: 'the metric "detours" calls itself "spl" in its info',
      }),
    );
  });

  it("resolveTasks accepts for a recorded run what an earlier version accepted", () => {
    const goals = { success_criteria: { type: "grasp_and_lift", lift_heigth: 1 } };
    const configs = { pick_place: { metrics: ["success"], goals } };
    expect(() => resolve(configs)).toThrow(expect.objectContaining({ code: "bad_config" }));
    expect(resolve(configs, {}, "current")).toHaveLength(1);
  });

  it("resolveTasks accepts metrics of one task in a list that several tasks share", () => {
    const evaluation = { metrics: ["success", "manip_success"] };
    expect(resolve({ vln: {}, pick_place: {} }, { evaluation })).toHaveLength(2);
    expect(() => resolve({ pick_place: {} }, { evaluation })).toThrow(
      /evaluation\.metrics\.0: the metric "success" needs distance_to_goal/,
    );
  });

  it("resolveTasks accepts any metric for a simulator that does not list what it records", () => {
    const simulator = { backend: "remote", url: "ws://localhost:1" };
    expect(resolve({ pick_place: { metrics: ["success"] } }, { simulator })).toHaveLength(1);
  });

  it("resolveTasks rejects a navigation goal whose position is not three numbers", () => {
    expect(() => resolve({ vln: { goals: { position: [1, 2] } } })).toThrow(
      /goals\.position: expected a list of 3 numbers, got \[1,2\]/,
    );
  });
});
