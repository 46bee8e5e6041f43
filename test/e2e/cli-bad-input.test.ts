import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  type CliResult,
  EPISODES,
  episodeDict,
  makeWorld,
  robotEval,
  robotEvalHere,
  type World,
} from "../support/cli.js";

/** Arguments with an error, and the place, message and hint that the command must print. */
interface BadInput {
  readonly args: (world: World) => readonly string[];
  readonly place: string;
  readonly words: string;
  readonly hint?: string;
}

const runOf = (world: World, yaml = world.yaml) => [
  ...["run", yaml, "--agent", "random", "--out", world.out],
];

/** The unchanged benchmark with more flags. */
const run =
  (...flags: readonly string[]) =>
  (world: World) => [...runOf(world), ...flags];

/** A benchmark with one text in place of another. */
function edited(world: World, from: string, to: string): string[] {
  const text = readFileSync(world.yaml, "utf8");
  if (!text.includes(from)) throw new Error(`the benchmark has no "${from}"`);
  return runOf(world, world.write("bad.yaml", text.replace(from, to)));
}

/** A benchmark on other episodes. */
function onData(world: World, name: string, content: Uint8Array | object): string[] {
  world.write(`episodes/${name}`, content);
  return edited(world, "episodes/vln.json", `episodes/${name}`);
}

/** A submission to a dataset of one path, a to d. */
function submission(world: World, trajectory: readonly string[]): string[] {
  const path = ["a", "b", "c", "d"];
  const dataset = world.write("R2R.json", [
    { path_id: 7, scan: "hall", path, heading: 0, instructions: ["go"] },
  ]);
  const poses = trajectory.map((node) => [node, 0, 0]);
  const answers = world.write("answers.json", [{ instr_id: "7_0", trajectory: poses }]);
  return [
    ...["score", answers, "--dataset", dataset, "--out", world.out],
    ...["--connectivity", join(world.root, "episodes", "connectivity")],
  ];
}

const quaternion = { ...episodeDict("5", "a", "b"), start_state: { rotation: [0, 0, 1] } };

const BAD: Readonly<Record<string, BadInput>> = {
  "a dataset whose gzip is cut off": {
    args: (world) =>
      onData(world, "cut.json.gz", gzipSync(JSON.stringify(EPISODES)).subarray(0, 150)),
    place: "episodes/cut.json.gz",
    words: "is cut off",
    hint: "copy or download the file again",
  },
  "a misspelt key": {
    args: (world) => edited(world, "profile: r2r", "prfile: r2r"),
    place: "bad.yaml:6:5",
    words: "unknown key",
    hint: 'did you mean "profile"?',
  },
  "a misspelt section": {
    args: (world) => edited(world, "dataset:", "datasets:"),
    place: "bad.yaml:8:1",
    words: "datasets: unknown key",
    hint: 'did you mean "dataset"?',
  },
  "invalid YAML": {
    args: (world) => edited(world, "profile: r2r", 'profile: "r2r'),
    place: "bad.yaml:6:14",
    words: "not closed",
    hint: "add the closing",
  },
  "an unknown metric": {
    args: (world) => edited(world, "[success, spl,", "[success, splx,"),
    place: "bad.yaml:7:24",
    words: 'unknown metric "splx"',
    hint: 'did you mean "spl"?',
  },
  "an unknown task type": {
    args: (world) => edited(world, "type: vln\n  config", "type: vlm\n  config"),
    place: "bad.yaml:4:9",
    words: 'unknown task "vlm"',
    hint: 'did you mean "vln"?',
  },
  "an unknown agent": {
    args: run("--agent", "randm"),
    place: "--agent",
    words: 'unknown agent "randm"',
    hint: 'did you mean "random"?',
  },
  "an unknown agent in the file": {
    args: (world) => edited(world, "dataset:", "agent: randm\ndataset:").toSpliced(2, 2),
    place: "bad.yaml:8:8",
    words: 'unknown agent "randm"',
    hint: 'did you mean "random"?',
  },
  "no agent": {
    args: ({ yaml, out }) => ["run", yaml, "--out", out],
    place: "benchmark.yaml",
    words: "no agent is named",
    hint: "--agent random",
  },
  "an unknown simulator": {
    args: run("--set", "simulator.backend=habitat"),
    place: "--set simulator.backend",
    words: 'unknown simulator "habitat"',
    hint: "valid: ",
  },
  "a plugin that registers a name again": {
    args: (world) => {
      world.write("again.mjs", 'export default (r) => r.metrics.register("success")(class {});');
      return edited(world, "dataset:", "plugins: [./again.mjs]\ndataset:");
    },
    place: "bad.yaml:8:11",
    words: 'the metric "success" is already registered',
    hint: "choose another name",
  },
  "a missing plugin file": {
    args: (world) => edited(world, "dataset:", "plugins: [./none.mjs]\ndataset:"),
    place: "bad.yaml:8:11",
    words: "the plugin file",
  },
  "a missing plugin package": {
    args: (world) => edited(world, "dataset:", "plugins: [no-such-package]\ndataset:"),
    place: "bad.yaml:8:11",
    words: '"no-such-package" is not installed',
    hint: "npm install no-such-package",
  },
  "a plugin that does not parse": {
    args: (world) => {
      world.write("broken.mjs", "export default (;");
      return edited(world, "dataset:", "plugins: [./broken.mjs]\ndataset:");
    },
    place: "bad.yaml:8:11",
    words: "does not load",
  },
  "a rotation of three numbers": {
    args: (world) => onData(world, "three.json", [...EPISODES, quaternion]),
    place: "episodes/three.json, episodes[6]",
    words: "episode 5, start_state.rotation:",
  },
  "an episode that occurs twice": {
    args: (world) => onData(world, "twice.json", [...EPISODES, EPISODES[0] ?? {}]),
    place: "episodes/twice.json",
    words: "episode 1 of scene hall occurs twice",
    hint: "rename or remove one",
  },
  "an empty dataset": {
    args: (world) => onData(world, "empty.json", []),
    place: "episodes/empty.json",
    words: "has no episodes",
    hint: "check that it is the right file",
  },
  "a missing dataset": {
    args: (world) => edited(world, "episodes/vln.json", "episodes/val.json"),
    place: "episodes/val.json",
    words: "the file does not exist",
    hint: "episodes",
  },
  "a submission that leaves the graph": {
    args: (world) => submission(world, ["a", "c"]),
    place: "answers.json",
    words: "no edge from a to c",
    hint: "edge of the graph",
  },
  "a submission that starts elsewhere": {
    args: (world) => submission(world, ["b", "c"]),
    place: "answers.json",
    words: "starts at b, but the episode starts at a",
    hint: "start viewpoint",
  },
  "a --set without a value": {
    args: run("--set", "evaluation.max_steps"),
    place: "--set",
    words: 'has no "="',
    hint: "--set evaluation.max_steps=100",
  },
  "a --set of an unknown key": {
    args: run("--set", "evaluation.max_step=3"),
    place: "--set evaluation.max_step",
    words: "unknown key",
    hint: 'did you mean "max_steps"?',
  },
  "a --threshold without a value": {
    args: run("--threshold", "success"),
    place: "--threshold",
    words: '"success" is not a threshold',
    hint: "success=0.5",
  },
  "a --threshold of a metric that the task does not report": {
    args: run("--threshold", "manip_success=1"),
    place: "--threshold",
    words: 'does not report the metric "manip_success"',
    hint: "valid: success",
  },
  "a --filter of an unknown field": {
    args: run("--filter", "scen=hall"),
    place: "--filter",
    words: '"scen=hall" is not a filter',
    hint: 'did you mean "scene"?',
  },
  "a --filter that no episode matches": {
    args: run("--filter", "scene=attic"),
    place: "--filter",
    words: "no episode matches the filter",
  },
  "a --limit of 0": {
    args: run("--limit", "0"),
    place: "--limit",
    words: "a whole number of at least 1",
    hint: "--help",
  },
  "a --limit that is not a number": {
    args: run("--limit", "many"),
    place: "--limit",
    words: "a whole number of at least 1",
    hint: "--help",
  },
  "an unknown flag": {
    args: run("--agnt", "random"),
    place: "--agnt",
    words: "unknown option",
    hint: "--help",
  },
  "a missing benchmark file": {
    args: (world) => runOf(world, join(world.root, "benchmrk.yaml")),
    place: "benchmrk.yaml",
    words: "no such benchmark file",
    hint: "did you mean ",
  },
  "a missing folder of scenes to check": {
    args: ({ root }) => ["scene", "--check", join(root, "scnes")],
    place: "scnes",
    words: "the folder does not exist",
    hint: "give an existing folder",
  },
  "a folder to check and a picture to draw": {
    args: ({ root }) => ["scene", "--check", root, "--picture", join(root, "room.png")],
    place: "--check",
    words: "cannot be combined with --picture",
  },
  "an output folder that cannot be created": {
    args: ({ yaml }) => ["run", yaml, "--agent", "random", "--out", join(yaml, "out")],
    place: "benchmark.yaml",
    words: "found a file, expected a folder",
    hint: "--out",
  },
};

function expectClearError({ code, stdout, stderr }: CliResult, bad: BadInput): void {
  expect(code, stderr).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^error: /);
  expect(stderr.match(/^(internal )?error: /gm)).toHaveLength(1);
  expect(stderr).toContain(bad.place);
  expect(stderr).toContain(bad.words);
  expect(stderr).toContain(bad.hint ?? "");
  expect(stderr).not.toMatch(/^ +at /m);
}

describe("a command with bad input", () => {
  it.each(Object.entries(BAD))(
    "a command with bad input prints one error with its place and writes no run: %s",
    async (_, bad) => {
      const world = makeWorld();
      expectClearError(await robotEvalHere(bad.args(world)), bad);
      expect(world.runs()).toEqual([]);
    },
  );
});

describe.concurrent("the built command with bad input", () => {
  const some = [
    "a misspelt key",
    "a dataset whose gzip is cut off",
    "a plugin that registers a name again",
    "a submission that leaves the graph",
    "a --limit of 0",
  ];
  it.each(some)(
    "the built command with bad input prints one error with its place and writes no run: %s",
    async (name) => {
      const world = makeWorld();
      const bad = BAD[name];
      if (!bad) throw new Error(`BAD has no entry "${name}"`);
      expectClearError(await robotEval(bad.args(world), world.root), bad);
      expect(world.runs()).toEqual([]);
    },
  );
});
