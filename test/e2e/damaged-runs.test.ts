import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { EpisodeLine, RunInfo, RunSummary } from "../../src/core/interfaces/result.js";
import {
  type CliResult,
  evaluate,
  linesOf,
  makeWorld,
  robotEval,
  robotEvalHere,
  temporaryFolder,
  type World,
} from "../support/cli.js";

let world: World;
/** An undamaged run. */
let good: string;
beforeAll(async () => {
  world = makeWorld();
  good = (await evaluate(world)).run_dir ?? "";
});

type Damage = (path: string) => void;

const remove: Damage = (path) => rmSync(path, { recursive: true });
const cutInHalf: Damage = (path) => {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
};
const makeFolder: Damage = (path) => {
  rmSync(path);
  mkdirSync(path);
};
const write =
  (content: string | Uint8Array): Damage =>
  (path) =>
    writeFileSync(path, content);

const change =
  <T>(edit: (document: T) => unknown): Damage =>
  (path) =>
    writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, "utf8")))));

/** Edits the second line of a file. */
const changeLine =
  (edit: (line: EpisodeLine) => unknown): Damage =>
  (path) => {
    const lines = readFileSync(path, "utf8").split("\n");
    lines[1] = JSON.stringify(edit(JSON.parse(lines[1] ?? "")));
    writeFileSync(path, lines.join("\n"));
  };

/** The arguments of each command for a run's directory; commands that write use `out`. */
const COMMANDS: Readonly<Record<string, (run: string, out: string) => readonly string[]>> = {
  "describe run": (run) => ["describe", "run", run],
  compare: (run) => ["compare", good, run],
  table: (run) => ["table", good, run],
  score: (run, out) => ["score", run, "--out", out],
  resume: (run) => ["resume", run, "--workers", "1"],
  report: (run, out) => ["report", run, "--out", join(out, "report.html")],
  export: (run, out) => ["export", run, "--to", "csv", "--out", join(out, "run.csv")],
  replay: (run) => ["replay", run, "--workers", "1"],
  audit: (run) => ["audit", run, "--workers", "1"],
  merge: (run, out) => ["merge", run, "--out", out],
  bundle: (run, out) => ["bundle", run, "--out", join(out, "run.tar.gz")],
  film: (run, out) => ["film", run, "--out", out],
  map: (run, out) => ["map", run, "--out", out],
  "run --agent replay": (run, out) => [
    ...["run", world.yaml, "--agent", `replay:${run}`, "--workers", "1", "--out", out],
  ],
};

/** Runs a command on a copy of the good run in which a file is damaged. */
async function on(command: string, file: string, damage: Damage): Promise<CliResult> {
  const run = join(temporaryFolder(), "run");
  cpSync(good, run, { recursive: true });
  damage(join(run, file));
  const args = COMMANDS[command]?.(run, temporaryFolder()) ?? [];
  const result = await robotEvalHere(args);
  expect(result.stderr, command).not.toMatch(/internal error|^\s+at /m);
  return result;
}

/** @param words expected in the error, which must also name the file */
async function expectRejected(
  commands: readonly string[],
  file: string,
  damage: Damage,
  words: RegExp,
): Promise<void> {
  for (const command of commands) {
    const { code, stderr } = await on(command, file, damage);
    expect({ command, code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(words),
    });
    expect(stderr, command).toContain(file);
  }
}

const ALL = Object.keys(COMMANDS);

const DAMAGED_INFO: readonly [string, Damage, RegExp][] = [
  ["is missing", remove, /run\.json is missing/],
  ["is a folder", makeFolder, /run\.json: expected a regular file, found something else/],
  ["is empty", write(""), /not valid JSON/],
  ["is truncated", cutInHalf, /not valid JSON/],
  ["is not JSON", write("benchmark: small world\n"), /not valid JSON/],
  ["is a number", write("7"), /expected a JSON object, got 7/],
  ["is a list", write("[]"), /format is nothing/],
  [
    "is of a later version",
    change<RunInfo>((info) => ({ ...info, format: "robot-eval-run/2" })),
    /format is "robot-eval-run\/2"\n.*this version reads robot-eval-run\/1/,
  ],
  ["has no config", change<RunInfo>(({ config, ...info }) => info), /config: missing/],
  [
    "has a list instead of a config",
    change<RunInfo>((info) => ({ ...info, config: [] })),
    /config: expected a mapping, got \[\]/,
  ],
  [
    "has a seed in quotes",
    change<RunInfo>((info) => ({ ...info, seed: "7" })),
    /seed: expected a whole number of at least 0, got "7"/,
  ],
  [
    "has an unknown status",
    change<RunInfo>((info) => ({ ...info, status: "fine" })),
    /status: .*"fine"/,
  ],
  [
    "has a number instead of a digest",
    change<RunInfo>((info) => ({ ...info, data: { vln: { episodes: 6, sha256: 7 } } })),
    /data\.vln\.sha256: expected a string, got 7/,
  ],
  ["has no agent", change<RunInfo>(({ agent, ...info }) => info), /agent: missing/],
];

describe("every command on a damaged run.json", () => {
  it.each(DAMAGED_INFO)(
    "every command reports an error if run.json %s",
    async (_, damage, words) => {
      await expectRejected(ALL, "run.json", damage, words);
    },
  );
});

const AT_LINE_2 = String.raw`episodes\.jsonl:2: not the result of an episode: `;

const DAMAGED_LINES: readonly [string, Damage, RegExp][] = [
  ["is missing", remove, /episodes\.jsonl: the file does not exist/],
  ["is a folder", makeFolder, /episodes\.jsonl: expected a regular file, found something else/],
  ["is not JSON", write("hello\n"), /episodes\.jsonl:1: not valid JSON/],
  [
    "has zero bytes in its middle",
    (path) => {
      const bytes = readFileSync(path);
      write(bytes.fill(0, 100, 200))(path);
    },
    /episodes\.jsonl:1: not valid JSON/,
  ],
  ["has a line with a list", changeLine(() => []), new RegExp(`${AT_LINE_2}\\[\\]`)],
  [
    "has a line without episode_key",
    changeLine(({ episode_key, ...line }) => line),
    new RegExp(`${AT_LINE_2}episode_key: missing`),
  ],
  [
    "has an unknown outcome",
    changeLine((line) => ({ ...line, outcome: "won" })),
    new RegExp(`${AT_LINE_2}outcome: .*"won"`),
  ],
  [
    "has a string instead of a metric's value",
    changeLine((line) => ({ ...line, metrics: { ...line.metrics, success: "yes" } })),
    new RegExp(`${AT_LINE_2}metrics\\.success: expected a number or null, got "yes"`),
  ],
  [
    "has a number instead of a trajectory's path",
    changeLine((line) => ({ ...line, trajectory: 7 })),
    new RegExp(`${AT_LINE_2}trajectory: expected a string or null, got 7`),
  ],
  [
    "has a fractional repeat",
    changeLine((line) => ({ ...line, repeat: 0.5 })),
    new RegExp(`${AT_LINE_2}repeat: expected a whole number of at least 0, got 0\\.5`),
  ],
];

describe("every command on a damaged episodes.jsonl", () => {
  it.each(DAMAGED_LINES)(
    "every command reports an error if episodes.jsonl %s",
    async (_, damage, words) => {
      await expectRejected(ALL, "episodes.jsonl", damage, words);
    },
  );

  it("every command reads all complete lines if only the last line is truncated, and resume completes the run", async () => {
    const cutLast: Damage = (path) => write(readFileSync(path).subarray(0, -40))(path);
    for (const command of ["score", "export", "replay", "report"]) {
      const { code, stderr } = await on(command, "episodes.jsonl", cutLast);
      expect(code, `${command}: ${stderr}`).toBe(0);
    }
    const run = join(temporaryFolder(), "run");
    cpSync(good, run, { recursive: true });
    cutLast(join(run, "episodes.jsonl"));
    expect(await linesOf(run)).toHaveLength(5);
    const { code, stderr } = await robotEvalHere(["resume", run, "--workers", "1"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("6 episodes, 5 of them already done");
    expect(await linesOf(run)).toHaveLength(6);
  });
});

const DAMAGED_SUMMARIES: readonly [string, Damage, RegExp][] = [
  ["is missing", remove, /summary\.json is missing.*\n.*robot-eval resume/],
  ["is truncated", cutInHalf, /summary\.json: not valid JSON/],
  [
    "is of a later version",
    change<RunSummary>((summary) => ({ ...summary, format: "robot-eval-summary/2" })),
    /summary\.json: format is "robot-eval-summary\/2"/,
  ],
  [
    "has no tasks",
    change<RunSummary>(({ per_task, ...summary }) => summary),
    /summary\.json: per_task: missing/,
  ],
  [
    "has a string instead of a mean",
    change<RunSummary>(({ per_task, ...summary }) => ({
      ...summary,
      per_task: { vln: { ...per_task.vln, success: { ...per_task.vln?.success, mean: "high" } } },
    })),
    /summary\.json: per_task\.vln\.success\.mean: expected a number or null, got "high"/,
  ],
  [
    "has a number instead of an early stop",
    change<RunSummary>((summary) => ({ ...summary, early_stop: { vln: 7 } })),
    /summary\.json: early_stop\.vln: expected a mapping, got 7/,
  ],
];

describe("commands that read summary.json", () => {
  it.each(DAMAGED_SUMMARIES)(
    "commands that read summary.json report an error if summary.json %s",
    async (_, damage, words) => {
      const readers = ["describe run", "compare", "table", "report"];
      await expectRejected(readers, "summary.json", damage, words);
    },
  );

  it("resume replaces a damaged summary.json", async () => {
    for (const [, damage] of DAMAGED_SUMMARIES) {
      const { code, stderr } = await on("resume", "summary.json", damage);
      expect(code, stderr).toBe(0);
    }
  });
});

const TRAJECTORY = "trajectories/vln_hall_2.jsonl.gz";

/** Edits the lines of a gzipped file. */
const repack =
  (edit: (lines: string[]) => readonly string[]): Damage =>
  (path) => {
    const lines = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n");
    writeFileSync(path, gzipSync(edit(lines).join("\n")));
  };

const DAMAGED_STEPS: readonly [string, Damage, RegExp][] = [
  ["is missing", remove, /the trajectory is missing/],
  ["is truncated", cutInHalf, /the gzip file is damaged or cut off/],
  ["is not a gzip file", write("hello"), /the gzip file is damaged or cut off/],
  ["is a folder", makeFolder, /\.jsonl\.gz: expected a regular file, found something else/],
  [
    "is of a later version",
    repack(([head = "", ...rest]) => [head.replace("trajectory/2", "trajectory/3"), ...rest]),
    /gz:1: the first line is not a robot-eval-trajectory\/2 header/,
  ],
  ["lacks a step", repack((lines) => lines.filter((_, i) => i !== 2)), /gz:3: .* step 1/],
  ["has a step that is not JSON", repack(([head = ""]) => [head, "{"]), /gz:2: not valid JSON/],
];

describe("commands that read trajectories", () => {
  it.each(DAMAGED_STEPS)(
    "commands that read trajectories report an error if a trajectory %s",
    async (_, damage, words) => {
      await expectRejected(["score"], TRAJECTORY, damage, words);
      const { code, stdout } = await on("replay", TRAJECTORY, damage);
      expect(code).toBe(4);
      expect(stdout).toMatch(/vln\/hall\/2: trajectory: /);
      expect(stdout).toMatch(words);
    },
  );
});

const DAMAGED_OTHERS: readonly [string, string, Damage, RegExp][] = [
  ["benchmark.yaml", "is missing", remove, /benchmark\.yaml: no such benchmark file/],
  ["benchmark.yaml", "is not YAML", write("]["), /run\/benchmark\.yaml:1:1: /],
  ["benchmark.yaml", "is empty", write(""), /run\/benchmark\.yaml: the file is empty/],
  ["set_aside.jsonl", "is not JSON", write("hello\n"), /set_aside\.jsonl:1: not valid JSON/],
  ["set_aside.jsonl", "has a list", write("[]\n"), /set_aside\.jsonl:1: not the result of/],
  [
    "run.json",
    "has an empty config",
    change<RunInfo>((info) => ({ ...info, config: {} })),
    /differs from the run's configuration: benchmark \(nothing, now /,
  ],
  [
    "run.json",
    "has an invalid config",
    change<RunInfo>((info) => ({ ...info, config: { ...info.config, evaluation: 7 } })),
    /differs from the run's configuration: evaluation \(7, now /,
  ],
];

describe("`resume`", () => {
  it.each(DAMAGED_OTHERS)("resume reports an error if %s %s", async (file, _, damage, words) => {
    await expectRejected(["resume"], file, damage, words);
  });

  it("resume reports an error for a folder that is not a run, and writes nothing to it", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await robotEvalHere(["resume", folder]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${folder}: run.json is missing`);
    expect(existsSync(join(folder, "run.lock"))).toBe(false);
  });
});

describe("the built command", () => {
  it("the built command reports a damaged run too and exits with 2", async () => {
    const run = join(temporaryFolder(), "run");
    cpSync(good, run, { recursive: true });
    cutInHalf(join(run, "run.json"));
    const { code, stdout, stderr } = await robotEval(["resume", run, "--json"], world.root);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${join(run, "run.json")}: not valid JSON`);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "damaged_file", where: join(run, "run.json") },
    });
  });
});
