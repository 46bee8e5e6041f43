import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { schemaAt } from "../../src/config/expectation.js";
import { benchmarkJsonSchema, toJsonSchema } from "../../src/config/json-schema.js";
import { loadConfig } from "../../src/config/load.js";
import { PROFILES } from "../../src/core/profiles.js";
import { COMBINATORS } from "../../src/core/rules/rule.js";
import { CONVERT_TARGETS } from "../../src/dataset/convert/convert.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { createRegistries } from "../../src/registry/registries.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { readTrajectory } from "../../src/runs/directory/trajectory.js";
import { mujocoSimulatorFactory } from "../../src/simulator/manipulation/mujoco-backend.js";
import { mujocoConfig, mujocoSensor } from "../../src/simulator/manipulation/mujoco-config.js";
import {
  navmeshConfig,
  navmeshSensor,
  SENSOR_NAMES,
} from "../../src/simulator/navigation/navmesh-config.js";
import { explainNavigation } from "../../src/tasks/explain-navigation.js";
import { benchmark, page } from "./pages.js";

const registries = createRegistries();

describe("docs/metrics.md", () => {
  const rows = page("docs/metrics.md").table("All metrics");

  it("docs/metrics.md lists each metric exactly once", () => {
    const names = rows.map((row) => plain(row.metric));
    expect(names).toEqual(registries.metrics.list());
  });

  it.each(rows.map((row) => [plain(row.metric), row] as const))(
    "docs/metrics.md is right about %s",
    (name, row) => {
      const { info } = registries.metrics.get(name, {});
      expect(row).toMatchObject({
        unit: info.unit,
        range: rangeText(info.range),
        better: info.direction,
        kind: info.kind,
        gated: info.gatedBySuccess ? "yes" : "no",
      });
      for (const field of info.needs.state) expect(row.reads).toContain(field);
      if (info.needs.reference) expect(row.reads).toContain(`reference ${info.needs.reference}`);
      expect(page("docs/metrics.md").anchors).toContain(name);
    },
  );

  it("docs/metrics.md describes the profiles correctly", () => {
    const table = page("docs/metrics.md").table("Profiles");
    expect(table.map((row) => plain(row.profile))).toEqual(Object.keys(PROFILES));
    for (const row of table) {
      const profile = PROFILES[plain(row.profile)];
      const { default: usual, ...others } = profile?.successDistanceM ?? { default: 0 };
      const distances = Object.entries(others).map(([task, metres]) => `${task} ${metres} m`);
      expect(row).toMatchObject({
        "success distance": [`${usual} m`, ...distances].join(", "),
        "stop required": yesOrNo(profile?.stopRequired),
        "arrival ends": yesOrNo(profile?.arrivalEnds),
        "counts stop": yesOrNo(profile?.countsStop),
        reference: profile?.reference,
        "ground distance": profile?.ground,
      });
    }
  });

  it("docs/metrics.md lists the metrics of each profile", () => {
    for (const row of page("docs/metrics.md").table("Profiles", 1)) {
      for (const name of (row.profile ?? "").split(", ").map(plain)) {
        expect(row.metrics, name).toBe(PROFILES[name]?.metrics.join(", "));
      }
    }
  });
});

describe("docs/datasets.md", () => {
  const datasets = page("docs/datasets.md");
  const rows = datasets.table("Formats");

  it("docs/datasets.md lists each format exactly once", () => {
    expect(rows.map((row) => plain(row.format))).toEqual(registries.formats.list());
  });

  it.each(rows.map((row) => [plain(row.format), row] as const))(
    "docs/datasets.md is right about %s",
    (name, row) => {
      const { taskTypes, profile, submission } = registries.formats.get(name);
      expect(row).toMatchObject({
        "task types": taskTypes.map((type) => `\`${type}\``).join(", ") || "any",
        profile: `\`${profile}\``,
        submissions: yesOrNo(submission !== undefined),
      });
      expect(datasets.anchors).toContain(name);
    },
  );

  it("docs/datasets.md shows the submission form of each format that has one", () => {
    const withSome = registries.formats
      .list()
      .filter((name) => registries.formats.get(name).submission);
    const shown = datasets.table("Submissions").map((row) => plain(row.format));
    expect(shown.sort()).toEqual([...withSome].sort());
  });

  it("docs/datasets.md lists the formats that can be written", () => {
    const written = datasets.table("Converting").map((row) => plain(row.format));
    expect(written).toEqual(CONVERT_TARGETS.map(({ name }) => name));
  });
});

describe("docs/manipulation.md on success rules", () => {
  const rules = page("docs/manipulation.md");

  it("docs/manipulation.md on success rules has each predicate once, with its summary, and no other", () => {
    const rows = rules.table("Rules", 1).map((row) => [plain(row.predicate), row["holds when"]]);
    const known = [...registries.predicates.entries()].map(([name, { summary }]) => [
      name,
      summary,
    ]);
    expect(rows).toEqual(known);
  });

  it("docs/manipulation.md on success rules has each combinator once, and no other", () => {
    const keys = rules.table("Rules").map((row) => /^{(<?\w+)/.exec(plain(row.rule))?.[1]);
    expect(keys).toEqual([...COMBINATORS, "<predicate"]);
  });

  it("docs/manipulation.md on success rules has each preset once, with its summary and its stages, and no other", () => {
    const rows = rules
      .table("Presets")
      .map((row) => [plain(row.preset), row["holds when"], row.stages]);
    const known = [...registries.presets.entries()].map(([name, { summary, stages }]) => [
      ...[name, summary, stages?.join(", ") ?? "–"],
    ]);
    expect(rows).toEqual(known);
  });
});

describe("docs/results-import.md", () => {
  it("docs/results-import.md lists each format exactly once and has a section for it", () => {
    const { anchors, text } = page("docs/results-import.md");
    const names = [...text.matchAll(/^\| \[`([a-z-]+)`\]\(#/gm)].map((match) => match[1] ?? "");
    expect(names).toEqual(registries.results.list());
    for (const name of names) expect(anchors).toContain(name);
  });
});

describe("docs/configuration.md", () => {
  const configuration = page("docs/configuration.md");
  const schema = benchmarkJsonSchema();
  const sections: [heading: string, path: readonly string[], others: readonly string[]][] = [
    ["benchmark", ["benchmark"], []],
    ["<x>_task", ["x_task"], []],
    // Both navigation simulators have this key: the section accepts keys of the backend.
    ["simulator", ["simulator"], ["turn_angle"]],
    ["dataset.<x>", ["dataset", "x"], []],
    ["evaluation", ["evaluation"], []],
    ["output", ["output"], []],
    ["cluster", ["cluster"], []],
  ];

  it.each(sections)(
    "docs/configuration.md lists the keys of %s and their defaults",
    (heading, path, others) => {
      const properties = schemaAt(schema, path)?.properties ?? {};
      const rows = new Map(configuration.table(heading).map((row) => [plain(row.key), row]));
      expect([...rows.keys()].sort()).toEqual([...Object.keys(properties), ...others].sort());
      for (const [key, value] of Object.entries(properties)) {
        if (typeof value !== "object" || value.default === undefined) continue;
        if (typeof value.default !== "object") {
          expect(rows.get(key)?.default, key).toContain(String(value.default));
        }
      }
    },
  );

  it("docs/configuration.md lists the keys at the top level", () => {
    const rows = configuration.table("At the top level").map((row) => plain(row.key));
    const documented = [...sections.map(([, [first]]) => first), ...rows];
    for (const key of Object.keys(schema.properties ?? {})) expect(documented).toContain(key);
  });

  it.each(registries.tasks.list())("docs/configuration.md lists the settings of %s", (type) => {
    const own = registries.tasks.configSchema(type);
    if (!own) throw new Error(`${type} has no configSchema`);
    const keys = Object.keys(toJsonSchema(own).properties ?? {});
    const { family } = registries.tasks.get(type, {});
    const tables = [0, family === "navigation" ? 1 : family === "external" ? 3 : 2];
    const rows = tables.flatMap((n) => configuration.table("<x>_task.config", n));
    expect(rows.map((row) => plain(row.key)).sort()).toEqual(keys.sort());
  });
});

describe("docs/navigation.md", () => {
  const navigation = page("docs/navigation.md");
  const settings: [
    what: string,
    table: number,
    schema: typeof navmeshConfig | typeof navmeshSensor,
  ][] = [
    ["the simulator", 0, navmeshConfig],
    ["a sensor", 1, navmeshSensor],
  ];

  it.each(settings)(
    "docs/navigation.md lists the settings of %s and their defaults",
    (_, table, schema) => {
      const properties = toJsonSchema(schema).properties ?? {};
      const rows = new Map(navigation.table("Settings", table).map((row) => [plain(row.key), row]));
      expect([...rows.keys()].sort()).toEqual(Object.keys(properties).sort());
      const defaults: Readonly<Record<string, unknown>> = schema.parse({});
      for (const [key, row] of rows) {
        const value = defaults[key];
        if (value === undefined) continue;
        const group =
          typeof value === "object" && value !== null ? Object.entries(value) : undefined;
        const shown = group ? (row.default?.match(/\d+(\.\d+)?/g) ?? []) : row.default;
        expect(shown, key).toEqual(group ? group.map(([, part]) => String(part)) : String(value));
        for (const [part] of group ?? []) expect(row.meaning).toContain(`\`${part}\``);
      }
    },
  );

  it("docs/navigation.md lists the sensors", () => {
    const rows = navigation.table("Sensors");
    expect(rows.map((row) => plain(row.sensor))).toEqual(SENSOR_NAMES);
  });

  const agentsOf = (path: string) => [
    ...new Set(
      page(path)
        .table("Agents")
        .map((row) => plain(row.agent).split(":")[0]),
    ),
  ];

  it("docs/configuration.md lists the agents", () => {
    expect(agentsOf("docs/configuration.md")).toEqual(registries.agents.list());
  });

  it("docs/navigation.md lists the navigation agents", () => {
    const elsewhere = /(^|\+)wss?$|^listen$/;
    expect(agentsOf("docs/navigation.md")).toEqual(
      registries.agents.list().filter((name) => !elsewhere.test(name)),
    );
  });

  it("docs/navigation.md lists the shipped benchmarks", () => {
    for (const row of navigation.table("The three tasks")) {
      const { config } = loadConfig(plain(row.benchmark));
      expect(config.tasks.map(({ type }) => type)).toEqual([plain(row.task)]);
    }
  });

  it("docs/navigation.md quotes the failure explanations of the task", () => {
    const end = {
      endReason: "stop",
      succeeded: false,
      steps: 500,
      closestStep: 396,
      collisions: 0,
    };
    const rules = { successDistanceM: 3, arrivalEnds: false };
    const sentences = [
      { lastState: { distance_to_goal: 5.8 }, closestM: 5.8, stuckSteps: 0 },
      {
        lastState: { distance_to_goal: 0.63 },
        closestM: 0.63,
        stuckSteps: 0,
        endReason: "max_steps",
      },
      {
        lastState: { distance_to_goal: 4.89 },
        closestM: 4.89,
        stuckSteps: 0,
        endReason: "max_steps",
      },
    ].map((own) => explainNavigation({ ...end, ...own }, rules));
    const shown = navigation.table("Why an episode failed").map((row) => plain(row.explanation));
    for (const sentence of sentences) expect(shown).toContain(sentence);
  });
});

describe("docs/manipulation.md", () => {
  const manipulation = page("docs/manipulation.md");

  it("docs/manipulation.md describes the robots correctly", () => {
    const documented = manipulation.table("Robots").map((row) => ({
      robot: plain(row.robot),
      dofs: row["degrees of freedom"],
      vector: row["action vector"],
      opening: row["gripper opening"],
    }));
    const robots = registries.robots.list().map((type) => registries.robots.get(type));
    expect(documented).toEqual(
      robots.map(({ robotType, dofs, model }) => ({
        robot: robotType,
        dofs: String(dofs.length),
        vector: dofs.map(({ name }) => name).join(", "),
        opening: `${model?.gripper?.openingM} m`,
      })),
    );
  });

  it("docs/manipulation.md lists the settings of simulator and cameras", () => {
    const keys = (table: number) =>
      manipulation.table("Settings", table).map((row) => plain(row.key));
    expect(keys(0)).toEqual(Object.keys(toJsonSchema(mujocoConfig).properties ?? {}));
    expect(keys(1)).toEqual(Object.keys(toJsonSchema(mujocoSensor).properties ?? {}));
    const defaults: Readonly<Record<string, unknown>> = mujocoConfig.parse({});
    for (const row of manipulation.table("Settings")) {
      const value = defaults[plain(row.key)];
      if (value !== undefined) expect(row.default, row.key).toBe(String(value));
    }
  });

  it("docs/manipulation.md lists the sensors", () => {
    const rows = manipulation.table("Sensors");
    expect(rows.map((row) => plain(row.sensor))).toEqual(mujocoSimulatorFactory.sensors);
  });

  it("docs/manipulation.md lists the stages of each task", () => {
    for (const row of manipulation.table("The tasks")) {
      const task = registries.tasks.get(plain(row.task), {});
      expect("stages" in task ? task.stages : [], row.task).toEqual(row.stages?.split(", "));
    }
  });

  it("docs/manipulation.md lists the shipped benchmarks", () => {
    for (const row of manipulation.table("The tasks", 1)) {
      expect(loadConfig(plain(row.benchmark)).config.tasks).not.toEqual([]);
    }
  });
});

describe("docs/run-directory.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-docs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("docs/run-directory.md documents every file and field of a run", async () => {
    const config = loadConfig(benchmark, { set: ["output.save_trajectories=true"] });
    const options = { agent: "random", outDir: folder, limit: 1 };
    const { run_dir } = await new UnifiedRobotEvaluator(config, options).run();
    const run = await RunDirectory.open(run_dir ?? "");
    const line = await firstOf(run.episodes());
    if (!line) throw new Error("the run has no episodes");
    const { episode, records } = await readTrajectory(run.trajectoryOf(line) ?? "");
    const summary = await run.summary();
    const { text } = page("docs/run-directory.md");
    for (const file of readdirSync(run.path)) expect(text).toContain(file);
    expectFields("run.json", 0, await run.info());
    expectFields("episodes.jsonl", 0, line);
    expectFields("summary.json", 0, summary);
    expectFields("summary.json", 1, summary.aggregated_metrics.success);
    expectFields("Trajectories", 0, records[1]);
    expectFields("Trajectories", 1, { ...records[0]?.state, ...records[1]?.state });
    expect(episode.episodeId).toBe(line.episode_id);
  });

  /** Checks that a table lists each field of a document; a row may name several. */
  function expectFields(heading: string, table: number, document: object | undefined): void {
    const rows = page("docs/run-directory.md").table(heading, table);
    const documented = rows.flatMap((row) => (row.field ?? "").match(/[a-z][a-z0-9_]*/g) ?? []);
    expect(Object.keys(document ?? {}).filter((key) => !documented.includes(key))).toEqual([]);
  }
});

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

/** The word in `` [`spl`](#spl) ``. */
function plain(cell: string | undefined): string {
  return /`([^`]+)`/.exec(cell ?? "")?.[1] ?? cell ?? "";
}

function rangeText([low, high]: readonly [number, number]): string {
  const left = low === Number.NEGATIVE_INFINITY ? "(-inf" : `[${low}`;
  return `${left}, ${high === Number.POSITIVE_INFINITY ? "inf)" : `${high}]`}`;
}

function yesOrNo(value: boolean | undefined): string {
  return value ? "yes" : "no";
}
