import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { resolvedDocument, taskSettings } from "./benchmark.js";
import { parseConfig } from "./load.js";

const DESIGN = readFileSync(new URL("./unified-challenge.fixture.txt", import.meta.url), "utf8");

describe("task settings", () => {
  const settings = (...set: string[]) => {
    const { config } = parseConfig(DESIGN, { set });
    return config.tasks.map((task) => taskSettings(config, task));
  };

  it("the settings of a task override those of the evaluation key by key", () => {
    const [vln, manipulation] = settings(
      "evaluation.success_distance=1",
      "evaluation.profile=habitat",
      "evaluation.metrics=[steps_taken]",
      "vln_task.config.max_steps=7",
      "vln_task.config.profile=vlnce",
    );
    expect(vln).toMatchObject({
      max_steps: 7,
      timeout: 300,
      success_distance: 1,
      profile: "vlnce",
      metrics: ["success", "spl", "navigation_error", "dtw"],
    });
    expect(manipulation).toMatchObject({ max_steps: 500, profile: "habitat" });
  });

  it("a task without metrics uses those of the evaluation", () => {
    const text = DESIGN.replace(/^ +metrics: .*manip_success.*\n/m, "");
    const { config } = parseConfig(text, { set: ["evaluation.metrics=[manip_success]"] });
    const manipulation = config.tasks.find((task) => task.name === "manipulation");
    expect(manipulation && taskSettings(config, manipulation).metrics).toEqual(["manip_success"]);
  });

  it("task settings contain only written keys and keys with a default", () => {
    expect(Object.keys(settings()[0] ?? {}).sort()).toEqual(
      ["action_space", "actions", "max_steps", "metrics", "timeout"].sort(),
    );
  });
});

describe("resolved document", () => {
  it("the resolved document is a benchmark file with the same meaning and every default", () => {
    const { config } = parseConfig(DESIGN);
    const document = resolvedDocument(config);
    expect(document).toHaveProperty("evaluation.seed", 0);
    expect(document).not.toHaveProperty("tasks");
    const again = parseConfig(JSON.stringify(document));
    expect(again.config).toEqual(config);
    expect(resolvedDocument(again.config)).toEqual(document);
  });
});
