import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  bundled,
  edit,
  editLines,
  editSteps,
  firstTrajectory,
  forged,
  type Part,
  partNamed,
} from "../../test/support/bundle.js";
import {
  episodeDict,
  evaluate,
  makeWorld,
  temporaryFolder,
  type World,
} from "../../test/support/cli.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../core/interfaces/result.js";
import { createRegistries } from "../registry/registries.js";
import type { BundleManifest } from "../runs/bundle/manifest.js";
import { mergeRuns } from "../runs/merge/merge-runs.js";
import { RunDirectory } from "../runs/run-directory.js";
import { resumeRun } from "./resume.js";
import type { VerifyReport } from "./verify/documents.js";
import { verifyBundle } from "./verify-bundle.js";

type Options = Parameters<typeof evaluate>[1];

async function runOf(world: World, options: Options = {}): Promise<string> {
  return (await evaluate(world, options)).run_dir ?? "";
}

/** A bundle of a run whose every file is gone. */
async function orphan(options: Options = {}, episodes?: readonly object[]): Promise<string> {
  const world = makeWorld(episodes);
  const { file } = await bundled(await runOf(world, options));
  rmSync(world.root, { recursive: true });
  return file;
}

const statuses = ({ checks }: VerifyReport) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

const textOf = ({ checks }: VerifyReport, wanted: string) =>
  checks.find(({ name }) => name === wanted)?.text;

const ALL_WELL = {
  ...{ files: "ok", signature: "unknown", benchmark: "ok", data: "ok" },
  ...{ scenes: "ok", numbers: "ok", replay: "ok" },
};

/** Where bundles are unpacked in this file, and nobody else's are. */
const unpackedIn = temporaryFolder();
beforeEach(() => {
  vi.stubEnv("TMPDIR", unpackedIn);
  return () => vi.unstubAllEnvs();
});
const unpacked = () => readdirSync(unpackedIn).filter((name) => name.includes("bundle-"));

describe("a bundle verifies without anything that its run had", () => {
  it("on navigation graphs", async () => {
    const stages: string[] = [];
    const report = await verifyBundle(await orphan(), { onStage: (text) => stages.push(text) });
    expect(statuses(report)).toEqual(ALL_WELL);
    expect(report).toMatchObject({
      ...{ verified: true, signed_by: null, agent: "shortest-path", plugins: [], warnings: [] },
      replay: { replayed: 6, equal: 6 },
      data: { vln: { episodes: 6 } },
    });
    expect(textOf(report, "scenes")).toBe("2 in the bundle");
    expect(stages).toContain("replaying");
    expect(unpacked()).toEqual([]);
  });

  it("of which some tasks were left out, and one has nothing but invalid episodes", async () => {
    const world = makeWorld();
    world.write(
      "benchmark.yaml",
      `benchmark: { name: three }
vln_task: { type: vln, config: { profile: r2r, metrics: [success, spl] } }
other_task: { type: vln, config: { profile: r2r, metrics: [success] } }
lost_task: { type: vln, config: { profile: r2r, metrics: [success] } }
dataset:
  vln: { type: vln, data_path: episodes/vln.json }
  other: { type: vln, data_path: episodes/vln.json }
  lost: { type: vln, data_path: lost/vln.json, connectivity: episodes/connectivity }
`,
    );
    const episodes = [episodeDict("9", "a", "x")];
    world.write("lost/vln.json", { format: "robot-eval-episodes/1", episodes });
    const { file } = await bundled(await runOf(world, { filter: "task=vln|lost" }));
    rmSync(world.root, { recursive: true });
    const report = await verifyBundle(file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "unknown" });
    expect(textOf(report, "data")).toContain("1 have no record, since they are invalid");
    expect(textOf(report, "replay")).toContain(
      "of 1 invalid one, which count in no mean, nothing is known",
    );
  });

  it("with repeats", async () => {
    const set = ["evaluation.repeats=3"];
    const report = await verifyBundle(await orphan({ agent: "random", set }));
    expect(statuses(report)).toEqual(ALL_WELL);
    expect(report.replay).toMatchObject({ replayed: 18, equal: 18 });
  });

  it("that stopped early, with the interval that holds then", async () => {
    const ways = ["a", "b", "c", "d"].flatMap((from) =>
      ["a", "b", "c", "d"].filter((to) => to !== from).map((to) => [from, to] as const),
    );
    const episodes = ways.flatMap(([from, to]) =>
      ["hall", "yard"].map((scene) => episodeDict(`${from}${to}`, from as "a", to as "b", scene)),
    );
    const set = ["evaluation.early_stop={half_width: 0.3, min_episodes: 4}"];
    const file = await orphan({ set }, episodes);
    const report = await verifyBundle(file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "unknown" });
    expect(textOf(report, "data")).toContain("it stopped early");
    const wider = await forged(file, (parts) =>
      edit<RunSummary>(partNamed(parts, "run/summary.json"), (summary) => ({
        ...summary,
        per_task: {
          vln: {
            ...summary.per_task.vln,
            success: { ...summary.per_task.vln?.success, ci95: [0.9, 1] },
          },
        },
      })),
    );
    expect(statuses(await verifyBundle(wider))).toMatchObject({ numbers: "failed" });
  });

  it("that is a shard, and that was merged from shards", async () => {
    const world = makeWorld();
    const paths = [
      await runOf(world, { shard: "1/2" }),
      await runOf(world, { shard: "2/2", runId: "second" }),
    ];
    const shard = await bundled(paths[0] ?? "");
    const registries = createRegistries();
    const { run_dir } = await mergeRuns({ paths, outDir: world.out, registries });
    const merged = await bundled(run_dir ?? "");
    const report = await verifyBundle(shard.file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "unknown" });
    expect(textOf(report, "data")).toContain("it is shard 1/2");
    expect(statuses(await verifyBundle(merged.file))).toEqual(ALL_WELL);
  });

  it("that was broken off", async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => type === "episode" && stop.abort();
    const path = await runOf(world, { signal: stop.signal, onEvent, concurrency: 1 });
    const report = await verifyBundle((await bundled(path)).file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "unknown" });
    expect(textOf(report, "data")).toContain("the run was not finished, it is cancelled");
    await resumeRun(path);
    expect(statuses(await verifyBundle((await bundled(path)).file))).toEqual(ALL_WELL);
  });

  it("that was made with other versions, which it says", async () => {
    const file = await forged(await orphan(), (parts, manifest) => {
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        versions: { ...info.versions, recast_navigation: "0.1.0" },
      }));
      manifest.versions = { ...manifest.versions, recast_navigation: "0.1.0" };
    });
    const { verified, warnings } = await verifyBundle(file);
    expect(verified).toBe(true);
    expect(warnings).toEqual([
      expect.stringMatching(/^the run was made with recast_navigation 0\.1\.0, this is \d/),
    ]);
  });
});

describe("checking can be stopped", () => {
  it.each(["at once", "while it replays"])("%s, and leaves nothing behind", async (when) => {
    const file = await orphan();
    const stop = new AbortController();
    if (when === "at once") {
      stop.abort();
      await expect(verifyBundle(file, { signal: stop.signal })).rejects.toMatchObject({
        exitCode: 130,
      });
    } else {
      const onProgress = () => stop.abort();
      const report = await verifyBundle(file, { signal: stop.signal, onProgress });
      expect(report).toMatchObject({ interrupted: true, verified: false });
      expect(statuses(report).replay).toBe("unknown");
    }
    expect(unpacked()).toEqual([]);
  });
});

/** Forgeries of an unsigned bundle whose manifest agrees with them, and who finds them. */
const line = (of: Partial<EpisodeLine>) => (parts: Part[]) =>
  editLines(parts, ([first, ...rest]) => [{ ...first, ...of }, ...rest]);
const summary = (of: (summary: RunSummary) => object) => (parts: Part[]) =>
  edit<RunSummary>(partNamed(parts, "run/summary.json"), (all) => ({ ...all, ...of(all) }));

const FORGERIES: readonly (readonly [
  what: string,
  finder: string,
  change: (parts: Part[], manifest: BundleManifest) => void,
])[] = [
  ["metrics of a line", "replay", line({ metrics: { success: 1, spl: 0.123 } })],
  ["the outcome of a line", "replay", line({ outcome: "failure" })],
  ["a failure that is called the agent's fault", "replay", line({ fault: "agent" })],
  ["a line that is called invalid", "numbers", line({ outcome: "invalid", trajectory: null })],
  [
    "a mean of the headline",
    "numbers",
    summary(({ aggregated_metrics: all }) => ({
      aggregated_metrics: { ...all, spl: { ...all.spl, mean: 0.999 } },
    })),
  ],
  [
    "an interval",
    "numbers",
    summary(({ per_task }) => ({
      per_task: {
        vln: { ...per_task.vln, spl: { ...per_task.vln?.spl, ci95: [0.998, 0.999] } },
      },
    })),
  ],
  ["counts", "numbers", summary(({ episodes }) => ({ episodes: { ...episodes, invalid: 1 } }))],
  ["another agent in the summary", "numbers", summary(() => ({ agent: "gpt" }))],
  ["a summary without its task", "numbers", summary(() => ({ per_task: {} }))],
  ["an episode that is gone", "data", (parts) => editLines(parts, (lines) => lines.slice(1))],
  [
    "an episode that stands twice",
    "data",
    (parts) => editLines(parts, (lines) => [...lines.slice(1), lines[1] ?? {}]),
  ],
  [
    "an easier goal",
    "data",
    (parts) =>
      editSteps(firstTrajectory(parts), (lines) => {
        lines[0] = (lines[0] ?? "").replace(
          /"goals":\{.*?\}/,
          '"goals":{"position":[0,0,0],"node":"a"}',
        );
      }),
  ],
  [
    "a state, consistently with its hash",
    "replay",
    (parts) =>
      editSteps(firstTrajectory(parts), (lines) => {
        const record = JSON.parse(lines[2] ?? "");
        record.state.position[0] += 1e-9;
        lines[2] = JSON.stringify(record);
      }),
  ],
  [
    "another agent in the manifest",
    "benchmark",
    (_, manifest) => {
      manifest.agent = "gpt";
    },
  ],
  [
    "a looser rule in run.json",
    "benchmark",
    (parts) =>
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        config: {
          ...info.config,
          evaluation: { ...(info.config.evaluation as object), max_steps: 7 },
        },
      })),
  ],
  [
    "another benchmark.yaml",
    "benchmark",
    (parts) => {
      partNamed(parts, "run/benchmark.yaml").bytes = Buffer.from("benchmark: { name: other }\n");
    },
  ],
  [
    "a damaged trajectory",
    "numbers",
    (parts) => {
      firstTrajectory(parts).bytes = Buffer.from("no gzip");
    },
  ],
];

describe("a forgery is found by what does not follow from it:", () => {
  it.each(FORGERIES)("%s, by %s", async (_, finder, change) => {
    const report = await verifyBundle(await forged(await orphan(), change));
    expect(report.verified).toBe(false);
    expect(statuses(report)[finder], JSON.stringify(report.checks)).toBe("failed");
  });

  it("actions that lead elsewhere", async () => {
    const file = await forged(await orphan({ agent: "random" }), (parts) => {
      for (const part of parts.filter(({ name }) => name.startsWith("run/trajectories/"))) {
        editSteps(part, (lines) => {
          lines.forEach((text, i) => {
            lines[i] = text.replace('"action":"turn_left"', '"action":"turn_right"');
          });
        });
      }
    });
    const report = await verifyBundle(file);
    expect(statuses(report)).toMatchObject({ numbers: "ok", replay: "failed" });
  });

  it.each([
    ["no trajectory", null],
    ["one that lies outside", "../../../somewhere.jsonl.gz"],
    ["one that nobody listed", "trajectories/other.jsonl.gz"],
  ])("a line that counts and has %s", async (_, trajectory) => {
    const file = await forged(await orphan(), line({ trajectory }));
    await expect(verifyBundle(file)).rejects.toMatchObject({ code: "changed_bundle", exitCode: 4 });
  });
});

describe("whoever has the benchmark", () => {
  async function pair(options: Options = {}) {
    const world = makeWorld();
    const { file } = await bundled(await runOf(world, options));
    return { world, file };
  }

  it("sees that the result is of it and of its data, in part or whole", async () => {
    for (const options of [{}, { shard: "1/2" }, { limit: 2 }]) {
      const { world, file } = await pair(options);
      const report = await verifyBundle(file, { benchmark: world.yaml });
      expect(statuses(report)).toEqual(ALL_WELL);
      expect(textOf(report, "data")).toContain("each the one of your dataset");
    }
  });

  it("sees another goal, even where the digests were made anew", async () => {
    const { world, file } = await pair();
    const episodes = [episodeDict("1", "a", "c"), episodeDict("2", "a", "c")];
    world.write("episodes/vln.json", { format: "robot-eval-episodes/1", episodes });
    const report = await verifyBundle(file, { benchmark: world.yaml });
    expect(statuses(report)).toMatchObject({ data: "failed", benchmark: "ok", replay: "ok" });
    expect(textOf(report, "data")).toContain("6 other episodes than the 2 here");
  });

  it("sees what was left out, though the bundle's own digests do not tell", async () => {
    const { world, file } = await pair({ shard: "1/2" });
    const less = await forged(file, (parts) => editLines(parts, (lines) => lines.slice(1)));
    expect(textOf(await verifyBundle(less, { benchmark: world.yaml }), "data")).toMatch(
      /vln has \d of \d results/,
    );
  });

  it("sees that a run stopped early where the lots say", async () => {
    const set = ["evaluation.early_stop={half_width: 0.45, min_episodes: 2}"];
    const { world, file } = await pair({ set });
    const report = await verifyBundle(file, { benchmark: world.yaml });
    expect(statuses(report)).toEqual(ALL_WELL);
    const picked = await forged(file, (parts) => {
      editLines(parts, (lines) => lines.slice(1));
    });
    const other = await verifyBundle(picked, { benchmark: world.yaml });
    expect(textOf(other, "data")).toContain("would have come before that");
  });

  it("sees another rule", async () => {
    const { world, file } = await pair({ set: ["evaluation.max_steps=50"] });
    const asked = await verifyBundle(file, { benchmark: world.yaml });
    expect(textOf(asked, "benchmark")).toContain("--set evaluation.max_steps=50");
    const other = world.write("other.yaml", "");
    writeFileSync(
      other,
      readFileSync(world.yaml, "utf8").replace("profile: r2r", "profile: vlnce"),
    );
    const report = await verifyBundle(file, { benchmark: other });
    expect(statuses(report)).toMatchObject({ benchmark: "failed" });
    expect(textOf(report, "benchmark")).toContain('vln_task.config.profile was "r2r"');
  });
});

describe("a plugin", () => {
  const METRIC = `export default (registries) => {
    globalThis.ranPlugin = (globalThis.ranPlugin ?? 0) + 1;
  };`;

  it("is not in the bundle, and runs only if it is named by whoever checks", async () => {
    const world = makeWorld();
    const plugin = world.write("plugin.mjs", METRIC);
    const set = ["plugins=[./plugin.mjs]"];
    const { file, manifest } = await bundled(await runOf(world, { set }));
    expect(manifest.plugins).toEqual([plugin]);
    await expect(verifyBundle(file)).rejects.toMatchObject({
      ...{ code: "missing_plugins", where: "--plugin", exitCode: 2 },
      message: expect.stringContaining(plugin),
    });
    const elsewhere = join(makeWorld().root, "mine.mjs");
    writeFileSync(elsewhere, METRIC);
    rmSync(world.root, { recursive: true });
    expect(existsSync(plugin)).toBe(false);
    const report = await verifyBundle(file, { plugins: [elsewhere] });
    expect(statuses(report)).toEqual(ALL_WELL);
  });

  it("that the bundle would have whoever checks it load is not loaded either", async () => {
    const world = makeWorld();
    const evil = world.write("evil.mjs", "globalThis.evil = true; export default () => {};");
    const { file } = await bundled(await runOf(world));
    const lies = await forged(file, (parts) =>
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        benchmark: { ...info.benchmark, set: [`plugins=[${evil}]`, `plugins.0=${evil}`] },
      })),
    );
    expect((await verifyBundle(lies, { benchmark: world.yaml })).verified).toBe(true);
    expect(globalThis).not.toHaveProperty("evil");
  });

  it("that the bundle itself would bring never runs", async () => {
    const file = await forged(await orphan(), (parts, manifest) => {
      manifest.plugins = [];
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        config: { ...info.config, plugins: ["../scenes/evil.mjs"] },
      }));
      const evil = "globalThis.evil = true; export default () => {};";
      parts.push({ name: "scenes/evil.mjs", bytes: Buffer.from(evil) });
    });
    const report = await verifyBundle(file);
    expect(statuses(report)).toMatchObject({ benchmark: "failed" });
    expect(globalThis).not.toHaveProperty("evil");
  });
});

describe("a run directory", () => {
  it("is no bundle, and is told what to do", async () => {
    const world = makeWorld();
    const path = await runOf(world);
    await expect(RunDirectory.open(path)).resolves.toBeDefined();
    await expect(verifyBundle(path)).rejects.toMatchObject({
      code: "no_bundle",
      hint: expect.stringContaining("robot-eval bundle"),
    });
  });
});
