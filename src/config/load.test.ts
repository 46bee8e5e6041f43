import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, errorMessage } from "../core/errors.js";
import { BadConfigError, type ConfigIssue } from "./issues.js";
import { checkSection, loadConfig, parseConfig } from "./load.js";

const FIXTURE = fileURLToPath(new URL("./unified-challenge.fixture.txt", import.meta.url));
/** The design's example file, verbatim; not called .yaml, or the formatter would change it. */
const DESIGN = readFileSync(FIXTURE, "utf8");

function issuesOf(text: string, set: readonly string[] = []): readonly ConfigIssue[] {
  try {
    parseConfig(text, { file: "b.yaml", set });
  } catch (error) {
    if (error instanceof BadConfigError) return error.issues;
    throw error;
  }
  return [];
}

function onlyIssue(text: string): ConfigIssue {
  const issues = issuesOf(text);
  expect(issues.map((issue) => issue.message)).toHaveLength(1);
  return issues[0] ?? { path: [], where: "", message: "", hint: undefined };
}

describe("unified_challenge.yaml", () => {
  const { config, document, text, baseDir } = loadConfig(FIXTURE);

  it("loadConfig accepts unified_challenge.yaml verbatim with its values", () => {
    expect(config.benchmark).toEqual({
      name: "Unified Robot Challenge 2024",
      description: "Navigation and Manipulation Tasks",
    });
    expect(config.simulator).toEqual({
      backend: "abstract",
      sensors: { rgb: { width: 640, height: 480 }, depth: { width: 640, height: 480 } },
    });
    expect(config.output).toEqual({
      log_dir: "logs/evaluations",
      save_trajectories: true,
      video: "none",
    });
    expect(config.agent).toBeUndefined();
  });

  it("loadConfig loads the tasks of a benchmark in order, each with its dataset and settings", () => {
    expect(config.tasks.map(({ name, section, type }) => [name, section, type])).toEqual([
      ["vln", "vln_task", "vln"],
      ["manipulation", "manipulation_task", "pick_place"],
    ]);
    const [vln, manipulation] = config.tasks;
    expect(vln?.config.actions).toEqual(["stop", "move_forward", "turn_left", "turn_right"]);
    expect(vln?.config.metrics).toEqual(["success", "spl", "navigation_error", "dtw"]);
    expect(vln?.dataset.data_path).toBe("data/datasets/vln/R2R/val_seen.json.gz");
    expect(manipulation?.dataset.type).toBe("manipulation");
    expect(manipulation?.config).toMatchObject({
      robot_type: "stretch",
      dof: 7,
      goals: { success_criteria: { lift_height: 0.1, place_tolerance: 0.05 } },
    });
  });

  it("loading a benchmark adds defaults to the config but not to the document", () => {
    expect(config.evaluation).toEqual({
      max_steps: 500,
      timeout: 300,
      seed: 0,
      repeats: 1,
      retry_invalid: 0,
      give_up_after: 10,
      give_up_if_first_invalid: 20,
    });
    expect(config.plugins).toEqual([]);
    expect(document).not.toHaveProperty("plugins");
    expect(document.evaluation).toEqual({ max_steps: 500, timeout: 300 });
  });

  it("a loaded benchmark keeps its text and folder", () => {
    expect(text).toBe(DESIGN);
    expect(baseDir).toBe(dirname(FIXTURE));
  });
});

describe("minimal benchmark", () => {
  it("a minimal benchmark has a name, a task and a dataset, and gets defaults for the rest", () => {
    const { config } = parseConfig(
      "benchmark: {name: tiny}\nnav_task: {type: vln}\ndataset: {nav: {type: vln, data_path: d.json}}\n",
    );
    expect(config).toMatchObject({
      simulator: { backend: "abstract" },
      evaluation: { timeout: 300, seed: 0 },
      output: { log_dir: "runs", save_trajectories: true },
      tasks: [{ name: "nav", config: {} }],
    });
    // The task's own default holds then: 4000 for `rearrange`.
    expect(config.evaluation.max_steps).toBeUndefined();
  });
});

describe("benchmark error", () => {
  it.each([
    {
      what: "a misspelt key",
      change: ["  max_steps:", "  max_stps:"],
      where: "b.yaml:47:3",
      message: "evaluation.max_stps: unknown key",
      hint: 'did you mean "max_steps"? valid: max_steps, timeout',
    },
    {
      what: "a misspelt section",
      change: ["dataset:", "datset:"],
      where: "b.yaml:38:1",
      message: "datset: unknown key",
      hint: 'did you mean "dataset"?',
    },
    {
      what: "a misspelt task section, known from its dataset",
      change: ["vln_task:", "vln_tsk:"],
      where: "b.yaml:7:1",
      message: "vln_tsk: unknown key",
      hint: 'did you mean "vln_task"?',
    },
    {
      what: "a misspelt required key, reported once",
      change: ["data_path:", "datapath:"],
      where: "b.yaml:41:5",
      message: "dataset.vln.datapath: unknown key",
      hint: 'did you mean "data_path"?',
    },
    {
      what: "a number for text",
      change: ['data_path: "data/datasets/vln/R2R/val_seen.json.gz"', "data_path: 12"],
      where: "b.yaml:41:16",
      message: "dataset.vln.data_path: expected a string, got 12",
      hint: "quotes",
    },
    {
      what: "text for a number",
      change: ["timeout: 300", 'timeout: "300"'],
      where: "b.yaml:48:12",
      message: 'evaluation.timeout: expected a number above 0, got "300"',
      hint: "remove the quotes: 300",
    },
    {
      what: "a number out of range",
      change: ["max_steps: 500", "max_steps: 0"],
      where: "b.yaml:47:14",
      message: "evaluation.max_steps: expected a whole number above 0, got 0",
      hint: "control steps",
    },
    {
      what: "a fraction for a whole number",
      change: ["max_steps: 500", "max_steps: 1.5"],
      where: "b.yaml:47:14",
      message: "evaluation.max_steps: expected a whole number above 0, got 1.5",
      hint: "control steps",
    },
    {
      what: "a number without end",
      change: ["timeout: 300", "timeout: .inf"],
      where: "b.yaml:48:12",
      message: "evaluation.timeout: expected a finite number above 0, got Infinity",
      hint: "seconds",
    },
    {
      what: "yes for true",
      change: ["save_trajectories: true", "save_trajectories: yes"],
      where: "b.yaml:52:22",
      message: 'output.save_trajectories: expected true or false, got "yes"',
      hint: "as text",
    },
    {
      what: "an unknown profile",
      change: ["max_steps: 500", "profile: vlnc"],
      where: "b.yaml:47:12",
      message: 'evaluation.profile: "vlnc" is not a valid value',
      hint: 'did you mean "vlnce"? valid: design, habitat, vlnce, r2r, ndh',
    },
    {
      what: "an unknown word in a list",
      change: ["max_steps: 500", "disclose: [goals, refernce]"],
      where: "b.yaml:47:21",
      message: 'evaluation.disclose.1: "refernce" is not a valid value',
      hint: 'did you mean "reference"? valid: goals, reference',
    },
    {
      what: "a metric named twice",
      change: ['"navigation_error"', '"spl"'],
      where: "b.yaml:12:33",
      message: 'vln_task.config.metrics.2: "spl" is listed twice',
      hint: undefined,
    },
    {
      what: "a word for a list",
      change: ['["success", "spl", "navigation_error", "dtw"]', "success"],
      where: "b.yaml:12:14",
      message: 'vln_task.config.metrics: expected a list of one or more strings, got "success"',
      hint: "[success]",
    },
    {
      what: "a list without items",
      change: ['["success", "spl", "navigation_error", "dtw"]', "[]"],
      where: "b.yaml:12:14",
      message: "vln_task.config.metrics: expected a list of one or more strings, got []",
      hint: "robot-eval list metrics",
    },
    {
      what: "a section whose lines are commented out",
      change: ["  max_steps: 500\n  timeout: 300\n", "  # max_steps: 500\n"],
      where: "b.yaml:46:1",
      message: "evaluation: expected a mapping, got nothing",
      hint: "write {} for an empty mapping, or remove it",
    },
    {
      what: "a sensor without settings",
      change: ["rgb: {width: 640, height: 480}", "rgb:"],
      where: "b.yaml:35:5",
      message: "simulator.sensors.rgb: expected a mapping or false, got nothing",
      hint: "{}",
    },
    {
      what: "a sensor that is switched on",
      change: ["rgb: {width: 640, height: 480}", "rgb: true"],
      where: "b.yaml:35:10",
      message: "simulator.sensors.rgb: expected a mapping or false, got true",
      hint: "write {} to use its defaults",
    },
    {
      what: "a sensor that is switched off with a word",
      change: ["rgb: {width: 640, height: 480}", "rgb: off"],
      where: "b.yaml:35:10",
      message: 'simulator.sensors.rgb: expected a mapping or false, got "off"',
      hint: "YAML reads yes, no, on and off as text",
    },
    {
      what: "settings of all sensors that are not named",
      change: ["rgb: {width: 640, height: 480}", '"*": {width: 640}'],
      where: "b.yaml:35:10",
      message:
        'simulator.sensors.*: "*" stands for all sensors that are not named, and can only be false, got {"width":640}',
    },
    {
      what: "a wrong value inside a flow mapping",
      change: ["{width: 640, height: 480}", "{width: 640, height: tall}"],
      where: "b.yaml:35:31",
      message: 'simulator.sensors.rgb.height: expected a whole number above 0, got "tall"',
      hint: "image height in pixels",
    },
    {
      what: "a missing key, at its parent",
      change: ['  name: "Unified Robot Challenge 2024"\n', ""],
      where: "b.yaml:2:1",
      message: "benchmark.name: missing",
      hint: "add `name:` (a string: the benchmark's name",
    },
    {
      what: "an agent among a task's settings",
      change: ['robot_type: "stretch"', "agent: expert"],
      where: "b.yaml:18:5",
      message: "manipulation_task.config.agent: not allowed here",
      hint: "write `agent:` at the top level of the file",
    },
    {
      what: "a key one level too high",
      change: ['  type: "pick_place"', '  type: "pick_place"\n  metrics: [spl]'],
      where: "b.yaml:17:3",
      message: "manipulation_task.metrics: unknown key",
      hint: "`metrics` belongs in manipulation_task.config or in evaluation; valid here: type, config",
    },
    {
      what: "a setting at the top level",
      change: ["output:", "seed: 7\noutput:"],
      where: "b.yaml:50:1",
      message: "seed: unknown key",
      hint: "`seed` belongs in evaluation",
    },
    {
      what: "a name that cannot be one",
      change: ["output:", "'a b_task': {type: vln}\noutput:"],
      where: "b.yaml:50:1",
      message: "a b_task: not a name for a task section",
      hint: "letters, digits, _ and -",
    },
    {
      what: "an empty name",
      change: ['name: "Unified Robot Challenge 2024"', 'name: ""'],
      where: "b.yaml:3:9",
      message: 'benchmark.name: expected a string that is not empty, got ""',
      hint: "as results and the leaderboard show it",
    },
    {
      what: "__proto__ as a key",
      change: ["output:", "__proto__: {a: 1}\noutput:"],
      where: "b.yaml:50:1",
      message: "__proto__: unknown key",
      hint: "valid: benchmark",
    },
  ])(
    "a benchmark error reports place, value and hint for $what",
    ({ change, where, message, hint }) => {
      const [from = "", to = ""] = change;
      expect(DESIGN).toContain(from);
      const issue = onlyIssue(DESIGN.replace(from, to));
      expect(issue).toMatchObject({ where, message });
      if (hint === undefined) expect(issue.hint).toBeUndefined();
      else expect(issue.hint).toContain(hint);
    },
  );

  it("a single problem of a benchmark is reported as a single error", () => {
    const text = DESIGN.replace("timeout: 300", "timeout: -1");
    expect(() => parseConfig(text, { file: "b.yaml" })).toThrow(
      expect.objectContaining({
        name: "ConfigError",
        code: "bad_config",
        exitCode: 2,
        where: "b.yaml:48:12",
        message: "evaluation.timeout: expected a number above 0, got -1",
        hint: "wall-clock seconds an episode may take",
      }),
    );
  });

  it("a benchmark error lists all problems in the order of the file", () => {
    const text = DESIGN.replace("timeout: 300", "timeout: -1")
      .replace('type: "vln"', "type: 3")
      .replace("true", "maybe");
    const error = (() => {
      try {
        return parseConfig(text, { file: "b.yaml" });
      } catch (caught) {
        return caught;
      }
    })();
    expect(errorMessage(error).split("\n")).toEqual([
      "b.yaml:8:9: vln_task.type: expected a string, got 3",
      "  hint: put it in quotes to make it text",
      "and 2 more:",
      "b.yaml:48:12: evaluation.timeout: expected a number above 0, got -1",
      "  hint: wall-clock seconds an episode may take",
      'b.yaml:52:22: output.save_trajectories: expected true or false, got "maybe"',
      "  hint: YAML reads yes, no, on and off as text",
    ]);
  });

  it("the list of problems of a benchmark is truncated when a problem is repeated a hundred times", () => {
    const wrong = Array.from({ length: 100 }, (_, i) => `key${i}: 1\n`).join("");
    expect(issuesOf(DESIGN + wrong)).toHaveLength(100);
    expect(() => parseConfig(DESIGN + wrong)).toThrow(/and 99 more:\n(.*\n)*\(80 not shown\)$/);
  });

  it("a benchmark error reports the right line in files with Windows line ends", () => {
    const text = DESIGN.replace("  max_steps:", "  max_stps:").replaceAll("\n", "\r\n");
    expect(onlyIssue(text).where).toBe("b.yaml:47:3");
    expect(parseConfig(DESIGN.replaceAll("\n", "\r\n")).config).toEqual(parseConfig(DESIGN).config);
  });

  it("a benchmark error reports the right column in Chinese text and after a byte order mark", () => {
    const text = `\uFEFFbenchmark: {name: 统一机器人挑战赛, 版本: 一}\n导航_task: {type: vln}\ndataset:\n  导航: {type: vln, data_path: 数据/集.json}\n`;
    expect(onlyIssue(text)).toMatchObject({
      where: "b.yaml:1:29",
      message: "benchmark.版本: unknown key",
    });
    const { config } = parseConfig(text.replace("版本", "version"));
    expect(config.benchmark).toEqual({ name: "统一机器人挑战赛", version: "一" });
    expect(config.tasks[0]).toMatchObject({
      name: "导航",
      dataset: { data_path: "数据/集.json" },
    });
  });

  it("a benchmark error points to the anchor for a value that an alias repeats", () => {
    const text = DESIGN.replace("rgb: {width: 640", "rgb: &camera {width: wide").replace(
      "depth: {width: 640, height: 480}",
      "depth: *camera",
    );
    const places = issuesOf(text).map(({ where, path }) => [where, path.join(".")]);
    expect(places).toEqual([
      ["b.yaml:35:26", "simulator.sensors.rgb.width"],
      ["b.yaml:35:26", "simulator.sensors.depth.width"],
    ]);
  });
});

/** Every key of the sections with fixed keys, with its line. */
const FULL = `benchmark:
  name: full
  description: all keys
  version: "1"
nav_task:
  type: vln
  config: {}
simulator:
  backend: abstract
dataset:
  nav:
    type: vln
    data_path: d.json
    format: r2r
    gt_path: g.json
    connectivity: c
    limit: 3
evaluation:
  max_steps: 5
  timeout: 2.5
  seed: 9
  profile: r2r
  disclose: [goals]
  success_distance: 3
  metrics: [success]
  fail_on_invalid: 0.1
output:
  log_dir: out
  save_trajectories: false
agent: random
plugins: [./mine.js]
`;
const LINES = FULL.split("\n");
const KEYS = LINES.flatMap((line, i) => {
  const [, indent = "", key] = /^( *)([a-z_]+):/.exec(line) ?? [];
  const isFree = key === "nav" || key === "nav_task" || key === "backend";
  return key && !isFree ? [{ key, line: i + 1, column: indent.length + 1 }] : [];
});
const NAMES = new Set(KEYS.map(({ key }) => key));

const misspelling = (key: string) =>
  fc
    .record({
      at: fc.nat(key.length - 1),
      letter: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
      kind: fc.constantFrom("drop", "double", "swap", "replace"),
    })
    .map(({ at, letter, kind }) => {
      const [head, here, tail] = [key.slice(0, at), key.charAt(at), key.slice(at + 1)];
      if (kind === "drop") return head + tail;
      if (kind === "double") return head + here + here + tail;
      if (kind === "swap") return head + tail.charAt(0) + here + tail.slice(1);
      return head + letter + tail;
    })
    .filter((wrong) => !NAMES.has(wrong) && /^[a-z]/.test(wrong) && !wrong.endsWith("_task"));

describe("any single misspelt key", () => {
  it("a file is accepted before one of its keys is misspelt", () => {
    expect(issuesOf(FULL)).toEqual([]);
    expect(KEYS).toHaveLength(28);
  });

  it("loadConfig reports a misspelt key once with its name and place", () => {
    const mistakes = fc
      .constantFrom(...KEYS)
      .chain((entry) => misspelling(entry.key).map((wrong) => ({ ...entry, wrong })));
    fc.assert(
      fc.property(mistakes, ({ key, wrong, line, column }) => {
        const text = LINES.map((l, i) => (i + 1 === line ? l.replace(`${key}:`, `${wrong}:`) : l));
        const issue = onlyIssue(text.join("\n"));
        expect(issue.where).toBe(`b.yaml:${line}:${column}`);
        expect(issue.message).toMatch(new RegExp(`(^|\\.)${wrong}: unknown key$`));
        expect(issue.hint).toContain(key);
      }),
      { numRuns: 300 },
    );
  });
});

describe("any damage to a file", () => {
  it("a damaged file gives a valid benchmark or a ConfigError, never a crash", () => {
    const damage = fc.record({
      at: fc.nat(DESIGN.length - 1),
      remove: fc.nat(5),
      insert: fc.constantFrom(
        "",
        "\t",
        "\n",
        '"',
        "'",
        "{",
        "]",
        ":",
        "- ",
        "&a ",
        "*a",
        "<<: ",
        "!",
        "---\n",
        "%",
        "\u0000",
        "操",
      ),
    });
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
        let text = DESIGN;
        for (const { at, remove, insert } of damages) {
          text = text.slice(0, at) + insert + text.slice(at + remove);
        }
        try {
          parseConfig(text, { file: "b.yaml" });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect(error).toHaveProperty("where", expect.stringMatching(/^b\.yaml(:\d+:\d+)?$/));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("locate", () => {
  const loaded = parseConfig(DESIGN, { file: "b.yaml", set: ["evaluation.seed=4"] });

  it("locate finds values, keys and list items", () => {
    expect(loaded.locate(["vln_task", "config", "metrics", 1])).toBe("b.yaml:12:26");
    expect(loaded.locate(["vln_task", "type"])).toBe("b.yaml:8:9");
    expect(loaded.locate(["vln_task", "type"], "key")).toBe("b.yaml:8:3");
    expect(loaded.locate(["evaluation"])).toBe("b.yaml:46:1");
  });

  it("locate returns --set for a value from the command line", () => {
    expect(loaded.locate(["evaluation", "seed"])).toBe("--set evaluation.seed");
  });
});

describe("checkSection", () => {
  const loaded = parseConfig(DESIGN, { file: "b.yaml", set: ["vln_task.config.turn=much"] });
  const path = ["vln_task", "config"];

  it("checkSection returns the parsed section", () => {
    const schema = z.looseObject({ forward_m: z.number().default(0.25) });
    expect(checkSection(loaded, path, schema)).toMatchObject({ forward_m: 0.25, turn: "much" });
  });

  it("checkSection reports places in the file for any schema", () => {
    const schema = z.strictObject({
      action_space: z.literal("continuous"),
      actions: z.tuple([z.string(), z.string()]),
      metrics: z.array(z.string()).refine((names) => names.includes("sdtw"), "sdtw is required"),
      turn: z.union([z.number(), z.boolean()]),
      forward_m: z.number({ error: "how far does one step go?" }),
    });
    expect(() => checkSection(loaded, path, schema)).toThrow(BadConfigError);
    try {
      checkSection(loaded, path, schema);
    } catch (error) {
      const lines = error instanceof BadConfigError ? error.issues : [];
      expect(lines.map(({ where, message }) => `${where} ${message}`)).toEqual([
        "b.yaml:9:3 vln_task.config.forward_m: how far does one step go?",
        'b.yaml:10:19 vln_task.config.action_space: expected "continuous", got "discrete"',
        'b.yaml:11:14 vln_task.config.actions: expected a list of 2 items, got ["stop","move_forward","turn_left","turn_right"]',
        'b.yaml:12:14 vln_task.config.metrics: sdtw is required, got ["success","spl","navigation_error","dtw"]',
        '--set vln_task.config.turn expected a number or true or false, got "much"',
      ]);
    }
  });
});
