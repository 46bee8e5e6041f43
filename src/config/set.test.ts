import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../core/errors.js";
import { valueAt } from "./issues.js";
import { parseConfig } from "./load.js";
import { applyAssignments, parseAssignment } from "./set.js";

const DESIGN = readFileSync(new URL("./unified-challenge.fixture.txt", import.meta.url), "utf8");
const withSet = (...set: string[]) => parseConfig(DESIGN, { file: "b.yaml", set });

function failure(...set: string[]): ConfigError {
  try {
    withSet(...set);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("--set", () => {
  it("--set replaces a value", () => {
    expect(withSet("evaluation.max_steps=100").config.evaluation.max_steps).toBe(100);
  });

  it("--set reads the value as YAML", () => {
    const { config } = withSet(
      "vln_task.config.metrics=[success, spl]",
      "simulator.sensors.rgb={width: 8, height: 4}",
      "output.save_trajectories=false",
    );
    expect(config.tasks[0]?.config.metrics).toEqual(["success", "spl"]);
    expect(config.simulator.sensors?.rgb).toEqual({ width: 8, height: 4 });
    expect(config.output.save_trajectories).toBe(false);
  });

  it("--set splits at the first = only", () => {
    const spec = "vln=shortest-path,manipulation=ws://a:1|ws://b:2";
    expect(withSet(`agent=${spec}`).config.agent).toBe(spec);
  });

  it("--set creates missing sections and lists", () => {
    const { config, document } = withSet(
      "plugins.0=./a.js",
      "plugins.1=./b.js",
      "x_task.type=vln",
      "dataset.x={type: vln, data_path: d}",
    );
    expect(config.plugins).toEqual(["./a.js", "./b.js"]);
    expect(config.tasks.map((task) => task.name)).toEqual(["vln", "manipulation", "x"]);
    expect(document).toMatchObject({ plugins: ["./a.js", "./b.js"], x_task: { type: "vln" } });
  });

  it("--set fills a key without a value", () => {
    const text = DESIGN.replace("  max_steps: 500\n  timeout: 300\n", "");
    const { config } = parseConfig(text, { set: ["evaluation.seed=3"] });
    expect(config.evaluation.seed).toBe(3);
  });

  it("--set applies in order, and the last assignment wins", () => {
    expect(withSet("evaluation.seed=1", "evaluation.seed=2").config.evaluation.seed).toBe(2);
  });

  it("--set can fix an invalid value of the file", () => {
    const text = DESIGN.replace("max_steps: 500", "max_steps: none");
    expect(parseConfig(text, { set: ["evaluation.max_steps=9"] }).config.evaluation.max_steps).toBe(
      9,
    );
  });

  it("--set changes one of two values that share an anchor", () => {
    const text = DESIGN.replace("rgb: {", "rgb: &c {").replace(/depth: .*/, "depth: *c");
    const { config } = parseConfig(text, { set: ["simulator.sensors.rgb.width=8"] });
    expect(config.simulator.sensors).toMatchObject({ rgb: { width: 8 }, depth: { width: 640 } });
  });

  it("--set leaves everything else unchanged", () => {
    const json = fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => JSON.stringify(value).length < 500);
    const steps = fc.array(fc.stringMatching(/^[a-z_]{1,8}$/), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(steps, json, (path, value) => {
        const before = { kept: { a: [1, 2] } };
        const fresh = ["new", ...path];
        const text = `${fresh.join(".")}=${JSON.stringify(value)}`;
        const after = applyAssignments(before, [parseAssignment(text)]);
        expect(valueAt(after, fresh)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(after.kept).toEqual({ a: [1, 2] });
        expect(before).toEqual({ kept: { a: [1, 2] } });
      }),
    );
  });
});

describe("--set with an invalid argument", () => {
  it.each([
    ["evaluation.max_steps", "--set", 'has no "="'],
    ["=3", "--set", "no path before the ="],
    ["evaluation..seed=3", "--set", "empty part"],
    ["evaluation.seed=", "--set evaluation.seed", "no value after the ="],
    ["evaluation.seed=[1", "--set evaluation.seed", "the value is not YAML"],
    ["evaluation.max_steps.low=1", "--set evaluation.max_steps.low", "evaluation.max_steps is 500"],
    ["vln_task.config.metrics.x=spl", "--set vln_task.config.metrics.x", "is not an index"],
    ["vln_task.config.metrics.9=spl", "--set vln_task.config.metrics.9", "has 4 items, so index 9"],
    ["vln_task.config.metrics.-1=spl", "--set vln_task.config.metrics.-1", "is not an index"],
  ])("%s is rejected as bad_set with the reason", (set, where, problem) => {
    const error = failure(set);
    expect(error).toMatchObject({ code: "bad_set", where });
    expect(error.message).toContain(problem);
    if (!set.endsWith("[1")) expect(error.hint).toBeDefined();
  });
});

describe("--set with an invalid value", () => {
  it.each([
    ["evaluation.max_steps=many", 'expected a whole number above 0, got "many"'],
    ["evaluation.max_stps=3", "unknown key"],
    ["evaluation.profile=vlnc", '"vlnc" is not a valid value'],
    ["benchmark.name=A: B", 'expected a string, got {"A":"B"}'],
    ["__proto__.polluted=1", "__proto__: unknown key"],
    ["plugins.1=a", 'plugins: expected a list of strings, got {"1":"a"}'],
    ["simulator.sensors.rgb={width: x}", "simulator.sensors.rgb.width: expected a whole number"],
  ])("%s is reported at --set and not in the file", (set, message) => {
    const error = failure(set);
    expect(error).toMatchObject({ code: "bad_config", where: `--set ${set.split("=")[0]}` });
    expect(error.message).toContain(message);
    expect({}).not.toHaveProperty("polluted");
  });

  it("--set reports missing keys of a section that it created", () => {
    const error = failure("dataset.nav.type=vln", "nav_task.type=vln");
    expect(error.where).toBe("--set dataset.nav.type");
    expect(error.message).toBe("dataset.nav.data_path: missing");
  });
});
