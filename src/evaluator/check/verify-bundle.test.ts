import { generateKeyPairSync } from "node:crypto";
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
} from "../../../test/support/bundle.js";
import {
  EPISODES,
  episodeDict,
  evaluate,
  makeWorld,
  temporaryFolder,
  type World,
} from "../../../test/support/cli.js";
import type { EpisodeLine, RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { createRegistries } from "../../registry/registries.js";
import type { BundleManifest } from "../../runs/bundle/manifest.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { mergeRuns } from "../../runs/merge/merge-runs.js";
import { agentSeed, episodeSeed } from "../plan/seeding.js";
import { resumeRun } from "../resume.js";
import type { VerifyReport } from "./verify/documents.js";
import { verifyBundle } from "./verify-bundle.js";

type Options = Parameters<typeof evaluate>[1];

async function runOf(world: World, options: Options = {}): Promise<string> {
  return (await evaluate(world, options)).run_dir ?? "";
}

let plainOrphan: Promise<string> | undefined;

/** A bundle of a run whose every file is gone. Tests change copies of it, so the plain one is made once. */
function orphan(options?: Options, episodes?: readonly object[]): Promise<string> {
  if (options ?? episodes) return makeOrphan(options, episodes);
  plainOrphan ??= makeOrphan();
  return plainOrphan;
}

async function makeOrphan(options: Options = {}, episodes?: readonly object[]): Promise<string> {
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

/** Folder in which only the tests of this file unpack bundles. */
const unpackedIn = temporaryFolder();
beforeEach(() => {
  vi.stubEnv("TMPDIR", unpackedIn);
  return () => vi.unstubAllEnvs();
});
const unpacked = () => readdirSync(unpackedIn).filter((name) => name.includes("bundle-"));

describe("a bundle verifies without the run's environment", () => {
  it("verifyBundle verifies a run on navigation graphs", async () => {
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

  it("verifyBundle verifies a run with tasks left out and a task with only invalid episodes", async () => {
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
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
    expect(report).toMatchObject({ verified: false, episodes: { judged: 6, invalid: 1, of: 7 } });
    expect(textOf(report, "data")).toContain("6 of 7 episodes; 1 is invalid, without a record");
    expect(textOf(report, "replay")).toContain(
      "1 invalid one cannot be checked and count in no mean",
    );
    const hidden = await forged(file, (parts) =>
      edit<RunSummary>(partNamed(parts, "run/summary.json"), (summary) => ({
        ...summary,
        per_task: {
          ...summary.per_task,
          lost: { success: { ...summary.per_task.lost?.success, n_invalid: 0 } },
        },
      })),
    );
    expect(statuses(await verifyBundle(hidden))).toMatchObject({ numbers: "failed" });
  });

  it("verifyBundle verifies a run with repeats", async () => {
    const set = ["evaluation.repeats=3"];
    const report = await verifyBundle(await orphan({ agent: "random", set }));
    expect(statuses(report)).toEqual(ALL_WELL);
    expect(report.replay).toMatchObject({ replayed: 18, equal: 18 });
  });

  it("verifyBundle verifies a run with early stopping and its interval", async () => {
    const ways = ["a", "b", "c", "d"].flatMap((from) =>
      ["a", "b", "c", "d"].filter((to) => to !== from).map((to) => [from, to] as const),
    );
    const episodes = ways.flatMap(([from, to]) =>
      ["hall", "yard"].map((scene) => episodeDict(`${from}${to}`, from as "a", to as "b", scene)),
    );
    const set = ["evaluation.early_stop={half_width: 0.3, min_episodes: 4}"];
    const file = await orphan({ set }, episodes);
    const report = await verifyBundle(file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
    expect(textOf(report, "data")).toContain("the run records an early stop");
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
    const fewer = await forged(file, (parts) =>
      edit<RunSummary>(partNamed(parts, "run/summary.json"), (summary) => ({
        ...summary,
        early_stop: { vln: { ...summary.early_stop?.vln, counted: 1 } },
      })),
    );
    expect(statuses(await verifyBundle(fewer))).toMatchObject({ numbers: "failed" });
  });

  it("verifyBundle verifies a cancelled run with early stopping, whose intervals depend on episodes that never ran", async () => {
    const stop = new AbortController();
    let done = 0;
    const onEvent = ({ type }: { readonly type: string }) => {
      if (type === "episode" && ++done === 3) stop.abort();
    };
    const set = ["evaluation.early_stop={half_width: 0.1, min_episodes: 2}"];
    const path = await runOf(makeWorld(), { set, signal: stop.signal, onEvent, concurrency: 1 });
    const report = await verifyBundle((await bundled(path)).file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
  });

  it("verifyBundle verifies a cancelled run with early stopping that lacks the first drawn episode", async () => {
    const stop = new AbortController();
    const registries = createRegistries();
    let tries = 0;
    registries.agents.register("stumbling", {
      description: "fails in its first episode",
      create: () => ({
        reset: () => {
          if (tries++ === 0) throw new Error("not yet");
        },
        act: () => "stop",
      }),
    });
    let done = 0;
    const onEvent = ({ type }: { readonly type: string }) => {
      if (type === "episode" && ++done === 3) stop.abort();
    };
    const path = await runOf(makeWorld(), {
      ...{ registries, agent: "stumbling", signal: stop.signal, onEvent, concurrency: 1 },
      // The failed attempt is set aside, and its episode runs again after all others.
      set: [
        "evaluation.early_stop={half_width: 0.1, min_episodes: 2}",
        "evaluation.retry_invalid=1",
      ],
    });
    const { early_stop, per_task } = await (await RunDirectory.open(path)).summary();
    expect(early_stop?.vln).toMatchObject({ counted: 0 });
    expect(per_task.vln?.success?.count).toBeGreaterThan(1);
    const report = await verifyBundle((await bundled(path)).file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
  });

  it("verifyBundle verifies a shard and merged shards", async () => {
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
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
    expect(textOf(report, "data")).toContain("the run was made with --shard 1/2");
    expect(statuses(await verifyBundle(merged.file))).toEqual(ALL_WELL);
  });

  it("verifyBundle verifies a cancelled run", async () => {
    const world = makeWorld();
    const stop = new AbortController();
    const onEvent = ({ type }: { readonly type: string }) => type === "episode" && stop.abort();
    const path = await runOf(world, { signal: stop.signal, onEvent, concurrency: 1 });
    const report = await verifyBundle((await bundled(path)).file);
    expect(statuses(report)).toEqual({ ...ALL_WELL, data: "partial" });
    expect(textOf(report, "data")).toContain("the run is not finished: its status is cancelled");
    const narrower = await forged((await bundled(path)).file, (parts) =>
      edit<RunSummary>(partNamed(parts, "run/summary.json"), ({ per_task, ...summary }) => ({
        ...summary,
        per_task: { vln: { ...per_task.vln, spl: { ...per_task.vln?.spl, ci95: [0.9, 1] } } },
      })),
    );
    expect(statuses(await verifyBundle(narrower))).toMatchObject({ numbers: "failed" });
    await resumeRun(path);
    expect(statuses(await verifyBundle((await bundled(path)).file))).toEqual(ALL_WELL);
  });

  it("verifyBundle verifies a run made with other versions, and warns of them", async () => {
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

describe("verification can be aborted", () => {
  it.each(["at once", "while it replays"])(
    "an abort stops verification %s and leaves no files",
    async (when) => {
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
    },
  );
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

describe("verification of a forged bundle", () => {
  it.each(FORGERIES)(
    "verifyBundle finds a forgery of %s by the check %s",
    async (_, finder, change) => {
      const report = await verifyBundle(await forged(await orphan(), change));
      expect(report.verified).toBe(false);
      expect(statuses(report)[finder], JSON.stringify(report.checks)).toBe("failed");
    },
  );

  it("verifyBundle finds a repeat beyond those of the benchmark", async () => {
    const file = await forged(await orphan(), (parts) =>
      editLines(parts, (lines) => [...lines, { ...lines[0], repeat: 1 }]),
    );
    expect(textOf(await verifyBundle(file), "data")).toContain("the benchmark has 1 repeats");
  });

  it("verifyBundle finds a repeat that belongs to another episode", async () => {
    const set = ["evaluation.repeats=2"];
    const file = await forged(await orphan({ set }), (parts) => {
      const repeat = parts.filter(({ name }) => name.startsWith("run/trajectories/"))[1];
      if (!repeat) throw new Error("there is no second trajectory");
      editSteps(repeat, (lines) => {
        lines[0] = (lines[0] ?? "").replace('"node":', '"other":1,"node":');
      });
    });
    expect(textOf(await verifyBundle(file), "data")).toContain(
      "belongs to another episode than its other repeats",
    );
  });

  it("verifyBundle finds actions that lead to other states", async () => {
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
    ["one that nobody listed", "trajectories/other.jsonl.gz"],
  ])("verifyBundle finds a valid line that has %s", async (_, trajectory) => {
    const file = await forged(await orphan(), line({ trajectory }));
    await expect(verifyBundle(file)).rejects.toMatchObject({ code: "changed_bundle", exitCode: 4 });
  });

  it.each([
    "../../../somewhere.jsonl.gz",
    "/somewhere.jsonl.gz",
    "trajectories/../run.json",
    "trajectories/..",
    "videos/film.mp4",
    "trajectories/a\\b",
    "trajectories/",
  ])("verifyBundle finds a line whose trajectory is %s", async (trajectory) => {
    const file = await forged(await orphan(), line({ trajectory }));
    const report = await verifyBundle(file);
    expect(report.verified).toBe(false);
    expect(statuses(report)).toMatchObject({ data: "failed", numbers: "failed", replay: "failed" });
  });
});

describe("a checker with the benchmark", () => {
  async function pair(options: Options = {}) {
    const world = makeWorld();
    const { file } = await bundled(await runOf(world, options));
    return { world, file };
  }

  it("a checker with the benchmark can confirm that the result covers its data, partly or completely", async () => {
    const set = ["evaluation.max_steps=50"];
    for (const options of [{}, { shard: "1/2" }, { limit: 2 }, { seed: 7 }, { set }]) {
      const { world, file } = await pair(options);
      const report = await verifyBundle(file, { benchmark: world.yaml, ...options });
      expect(statuses(report)).toEqual(ALL_WELL);
      expect(textOf(report, "data")).toContain("each the one of your dataset");
    }
  });

  it("verifyBundle finds a changed goal, even with recomputed digests", async () => {
    const { world, file } = await pair();
    const episodes = [episodeDict("1", "a", "c"), episodeDict("2", "a", "c")];
    world.write("episodes/vln.json", { format: "robot-eval-episodes/1", episodes });
    const report = await verifyBundle(file, { benchmark: world.yaml });
    expect(statuses(report)).toMatchObject({ data: "failed", benchmark: "ok", replay: "ok" });
    expect(textOf(report, "data")).toContain("6 episodes that differ from your 2");
  });

  it("verifyBundle finds omitted episodes that the bundle digests do not show", async () => {
    const { world, file } = await pair({ shard: "1/2" });
    const less = await forged(file, (parts) => editLines(parts, (lines) => lines.slice(1)));
    const report = await verifyBundle(less, { benchmark: world.yaml, shard: "1/2" });
    expect(statuses(report)).toMatchObject({ data: "partial" });
    expect(textOf(report, "data")).toMatch(/^(\d) of (?!\1)\d episodes; missing: vln\//);
  });

  it("a checker with the benchmark can confirm that a run stopped early at the right episode", async () => {
    const set = ["evaluation.early_stop={half_width: 0.45, min_episodes: 2}"];
    const { world, file } = await pair({ set });
    const report = await verifyBundle(file, { benchmark: world.yaml, set });
    expect(statuses(report)).toEqual(ALL_WELL);
    expect(report.episodes.of).toBeLessThan(6);
    const picked = await forged(file, (parts) => {
      editLines(parts, (lines) => lines.slice(1));
    });
    const other = await verifyBundle(picked, { benchmark: world.yaml, set });
    expect(statuses(other)).toMatchObject({ data: "partial" });
    // A benchmark without an early stop requires all of them, whatever the run records.
    const whole = await verifyBundle(file, { benchmark: world.yaml });
    expect(statuses(whole)).toMatchObject({ benchmark: "failed", data: "partial" });
    expect(whole.episodes.of).toBe(6);
  });

  it("verifyBundle finds a run made with other settings, another seed or another profile than those of the benchmark", async () => {
    const { world, file } = await pair({ set: ["evaluation.max_steps=50"] });
    const asked = await verifyBundle(file, { benchmark: world.yaml });
    expect(statuses(asked)).toMatchObject({ benchmark: "failed" });
    expect(textOf(asked, "benchmark")).toContain("evaluation.max_steps was 50");
    const { world: mine, file: seeded } = await pair({ seed: 7 });
    const otherSeed = await verifyBundle(seeded, { benchmark: mine.yaml });
    expect(textOf(otherSeed, "benchmark")).toContain("evaluation.seed was 7");
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

/** A bundle of the four episodes in one scene, out of six; its documents agree with each other. */
async function cherryPicked(
  change: (info: RunInfo) => RunInfo,
): Promise<{ readonly file: string; readonly world: World }> {
  const world = makeWorld();
  const best = await runOf(world, { agent: "random", filter: "scene=hall" });
  const read = <T>(name: string) => JSON.parse(readFileSync(join(best, name), "utf8")) as T;
  const info = change(read<RunInfo>("run.json"));
  writeFileSync(join(best, "run.json"), JSON.stringify(info));
  const summary = { ...read<RunSummary>("summary.json"), status: info.status };
  writeFileSync(join(best, "summary.json"), JSON.stringify(summary));
  const connectivity = join(world.root, "episodes/connectivity");
  return { file: (await bundled(best, { permissions: { connectivity } })).file, world };
}

describe("a run with selected episodes", () => {
  it.each<[string, (info: RunInfo) => RunInfo]>([
    ["with a filter", (info) => info],
    ["with a filter that is kept quiet", (info) => ({ ...info, selection: {} })],
    [
      "as a run that was cancelled",
      (info) => ({ ...info, selection: {}, status: "cancelled", data: {} }),
    ],
    [
      "as a run that was merged",
      (info) => ({ ...info, selection: {}, merged: ["a", "b"], data: {} }),
    ],
  ])("a run with selected episodes is not verified %s", async (_, change) => {
    const { file, world } = await cherryPicked(change);
    const report = await verifyBundle(file, { benchmark: world.yaml });
    expect(report).toMatchObject({
      ...{ verified: false, verdict: "partial" },
      episodes: { judged: 4, invalid: 0, of: 6 },
    });
    expect(textOf(report, "data")).toMatch(/^4 of 6 episodes; missing: vln\/yard\/1 and 1 more/);
    // The checker may select only these.
    const asked = await verifyBundle(file, { benchmark: world.yaml, filter: "scene=hall" });
    expect(asked).toMatchObject({ episodes: { judged: 4, of: 4 } });
    expect(statuses(asked)).toMatchObject({ data: "ok" });
    const other = await verifyBundle(file, { benchmark: world.yaml, filter: "scene=yard" });
    expect(statuses(other)).toMatchObject({ data: "failed" });
  });

  it("a run with selected episodes is not verified without a benchmark if the run does not record its number of episodes", async () => {
    const filtered = await cherryPicked((info) => info);
    const report = await verifyBundle(filtered.file);
    expect(textOf(report, "data")).toContain(
      "that the run itself selected with --filter scene=hall",
    );
    expect(statuses(report)).toMatchObject({ data: "unknown" });
    const merged = await cherryPicked((info) => ({ ...info, merged: ["a"], data: {} }));
    expect(await verifyBundle(merged.file)).toMatchObject({
      ...{ verified: false, verdict: "partial", episodes: { judged: 4, of: null } },
    });
  });

  it("a run with selected episodes is not verified if the run documents do not describe its episodes", async () => {
    const quiet = (info: RunInfo) => ({ ...info, data: {}, merged: ["a"] });
    const { file, world } = await cherryPicked((info) => ({ ...quiet(info), selection: {} }));
    // A line of an episode that the checker does not have, and that has no record to be known by.
    const more = await forged(file, (parts) =>
      editLines(parts, (lines) => [
        ...lines,
        {
          ...lines[0],
          ...{ episode_key: "vln/hall/77", episode_id: "77", trajectory: null, metrics: {} },
          ...{ outcome: "invalid", fault: "platform" },
          ...{ seed: episodeSeed(0, "vln/hall/77"), agent_seed: agentSeed(0, "vln/hall/77", 0) },
        },
      ]),
    );
    const report = await verifyBundle(more, { benchmark: world.yaml });
    expect(textOf(report, "data")).toContain("vln/hall/77 is not among the selected episodes");
    const episodes = EPISODES.map((dict, i) => (i === 0 ? episodeDict("1", "a", "c") : dict));
    world.write("episodes/vln.json", { format: "robot-eval-episodes/1", episodes });
    const other = await verifyBundle(file, { benchmark: world.yaml });
    expect(textOf(other, "data")).toContain(
      "vln/hall/1 differs from your dataset, or is not in it",
    );
  });

  it("a run with selected episodes is not verified if the other episodes are declared invalid", async () => {
    const world = makeWorld();
    const path = await runOf(world, { agent: "random" });
    const { file } = await bundled(path);
    const lost = await forged(file, (parts) =>
      editLines(parts, (lines) =>
        lines.map((line, i) => {
          if (i < 2) return line;
          const { metrics, trajectory, ...rest } = line;
          return { ...rest, metrics: {}, trajectory: null, outcome: "invalid", fault: "platform" };
        }),
      ),
    );
    const report = await verifyBundle(lost, { benchmark: world.yaml });
    expect(report.verified).toBe(false);
    expect(statuses(report)).toMatchObject({ data: "partial" });
    expect(report.episodes).toEqual({ judged: 2, invalid: 4, of: 6 });
  });

  it("a run with selected episodes is not verified if a line claims that its simulator is not deterministic", async () => {
    const file = await forged(await orphan(), (parts) =>
      editLines(parts, (lines) =>
        lines.map((line, i) => (i === 0 ? { ...line, nondeterministic: true } : line)),
      ),
    );
    const report = await verifyBundle(file);
    expect(report).toMatchObject({ verified: false, verdict: "partial" });
    expect(textOf(report, "replay")).toContain("1 that count cannot be replayed");
  });
});

describe("an unsigned bundle", () => {
  it.each<[string, Partial<EpisodeLine>, string]>([
    ["explanation", { explanation: "it stood at the goal" }, "replay"],
    ["agent_seed", { agent_seed: 1 }, "data"],
    ["seed", { seed: 1 }, "data"],
    ["profile", { profile: "vlnce" }, "replay"],
  ])("an unsigned bundle fails with a changed %s", async (_, change, finder) => {
    const report = await verifyBundle(await forged(await orphan(), line(change)));
    expect(statuses(report)[finder], JSON.stringify(report.checks)).toBe("failed");
  });

  it("an unsigned bundle fails with a changed field disclosed", async () => {
    const file = await forged(await orphan(), (parts) =>
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        disclosed: { vln: ["goals"] },
      })),
    );
    const report = await verifyBundle(file);
    expect(textOf(report, "numbers")).toContain('disclosed.vln[0]: says "goals"');
  });

  it("verifyBundle checks the seeds of invalid episodes too", async () => {
    const episodes = [...EPISODES, episodeDict("9", "a", "x")];
    const file = await forged(await orphan({}, episodes), (parts) =>
      editLines(parts, (lines) =>
        lines.map((one) => (one.outcome === "invalid" ? { ...one, agent_seed: 1 } : one)),
      ),
    );
    expect(textOf(await verifyBundle(file), "data")).toContain(
      "agent_seed does not follow from the run's seed",
    );
  });

  it("verifyBundle lists the unattested fields; a signed one lists those that only the signature attests", async () => {
    const { attested } = await verifyBundle(await orphan());
    expect(attested.by).toBe("nobody");
    expect(attested.fields.join()).toMatch(
      /agent, name, tags, policies, versions, parity, started_at.*wall_ms.*set_aside/,
    );
  });
});

describe("a signed bundle", () => {
  it("a signed bundle has a known signer only if the checker names the public key", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const world = makeWorld();
    const key = world.write("key.pem", privateKey.export({ type: "pkcs8", format: "pem" }));
    const open = world.write("open.pem", publicKey.export({ type: "spki", format: "pem" }));
    const { file } = await bundled(await runOf(world), { key });
    const unnamed = await verifyBundle(file);
    expect(statuses(unnamed).signature).toBe("unknown");
    expect(textOf(unnamed, "signature")).toContain(
      "name the public key with --key to check whose key that is",
    );
    expect(statuses(await verifyBundle(file, { key: open })).signature).toBe("ok");
    expect(unnamed.attested.by).toBe("signature");
  });
});

describe("a plugin", () => {
  const METRIC = `export default (registries) => {
    globalThis.ranPlugin = (globalThis.ranPlugin ?? 0) + 1;
  };`;

  it("a plugin is not in the bundle and runs only if the checker names it", async () => {
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

  it("verifyBundle loads no plugin that only the bundle config names", async () => {
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

  it("verifyBundle never runs a plugin inside the bundle", async () => {
    const file = await forged(await orphan(), (parts, manifest) => {
      manifest.plugins = [];
      edit<RunInfo>(partNamed(parts, "run/run.json"), (info) => ({
        ...info,
        config: { ...info.config, plugins: ["../scenes/evil.mjs"] },
      }));
      const evil = "globalThis.evil = true; export default () => {};";
      parts.push({ name: "scenes/evil.mjs", bytes: Buffer.from(evil) });
    });
    await expect(verifyBundle(file)).rejects.toMatchObject({
      ...{ code: "foreign_run", exitCode: 2 },
      hint: expect.stringContaining("--plugin ../scenes/evil.mjs"),
    });
    expect(globalThis).not.toHaveProperty("evil");
  });
});

describe("a run directory", () => {
  it("verifyBundle rejects a run directory with a hint to bundle it first", async () => {
    const world = makeWorld();
    const path = await runOf(world);
    await expect(RunDirectory.open(path)).resolves.toBeDefined();
    await expect(verifyBundle(path)).rejects.toMatchObject({
      code: "no_bundle",
      hint: expect.stringContaining("robot-eval bundle"),
    });
  });
});
