import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { runProgram } from "../../src/cli/program.js";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine, RunInfo, RunResults } from "../../src/core/interfaces/result.js";
import type { Vec3 } from "../../src/core/math/vec3.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { RunDirectory } from "../../src/runs/directory/run-directory.js";
import { afterEachFile } from "./clean-up.js";

const folders: string[] = [];
const children = new Set<ChildProcess>();
afterEachFile(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "robot-eval-"));
  folders.push(folder);
  return folder;
}

/**
 * The viewpoints of both scenes, 2 m between neighbours, in Matterport's axes (z up). `x` is unreachable.
 *
 *     a -- b -- c
 *               |
 *               d         x
 */
const NODES = { a: [0, 0], b: [2, 0], c: [4, 0], d: [4, -2], x: [20, 0] } as const;
const EDGES = ["ab", "bc", "cd"];

export type Node = keyof typeof NODES;
const NAMES = Object.keys(NODES) as Node[];

function connectivity(): object[] {
  return NAMES.map((from) => ({
    image_id: from,
    pose: [1, 0, 0, NODES[from][0], 0, 1, 0, NODES[from][1], 0, 0, 1, 0, 0, 0, 0, 1],
    included: true,
    unobstructed: NAMES.map((to) => EDGES.includes(from + to) || EDGES.includes(to + from)),
  }));
}

/** Position of a viewpoint in our axes: y up, -z forward. */
export function positionOf(node: Node): Vec3 {
  const [x, y] = NODES[node];
  return [x, 0, 0 - y];
}

/** A dataset episode from one viewpoint to another, with the path between them as reference. */
export function episodeDict(id: string, from: Node, to: Node, scene = "hall") {
  const way = NAMES.slice(
    Math.min(NAMES.indexOf(from), NAMES.indexOf(to)),
    Math.max(NAMES.indexOf(from), NAMES.indexOf(to)) + 1,
  );
  if (NAMES.indexOf(from) > NAMES.indexOf(to)) way.reverse();
  return {
    episode_id: id,
    task_type: "vln",
    scene_id: scene,
    start_state: { position: positionOf(from), rotation: [0, 0, 0, 1], node: from },
    goals: { position: positionOf(to), node: to },
    instruction: { text: `go to ${to}` },
    reference_data: { path: way.map(positionOf), nodes: way },
  };
}

/** Six episodes in two scenes with paths of 6, 4, 4, 6, 2 and 6 m. */
export const EPISODES = [
  episodeDict("1", "a", "d"),
  episodeDict("2", "a", "c"),
  episodeDict("3", "b", "d"),
  episodeDict("4", "d", "a"),
  episodeDict("1", "a", "b", "yard"),
  episodeDict("2", "d", "a", "yard"),
];

const BENCHMARK = `benchmark:
  name: small world
vln_task:
  type: vln
  config:
    profile: r2r
    metrics: [success, spl, navigation_error, oracle_success, path_length, ndtw, cls]
dataset:
  vln:
    type: vln
    data_path: episodes/vln.json
`;

/** A folder with a benchmark, its episodes and its graphs. */
export interface World {
  readonly root: string;
  readonly yaml: string;
  /** Folder for runs; does not exist before the first. */
  readonly out: string;
  /** Writes a file into the folder and returns its absolute path. */
  write(name: string, content: string | Uint8Array | object): string;
  /** Entries of `out`, including hidden ones. */
  runs(): string[];
}

export function makeWorld(episodes: readonly object[] = EPISODES): World {
  const root = temporaryFolder();
  const write: World["write"] = (name, content) => {
    const path = join(root, name);
    mkdirSync(join(path, ".."), { recursive: true });
    const raw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(path, raw ? content : JSON.stringify(content));
    return path;
  };
  write("episodes/connectivity/hall_connectivity.json", connectivity());
  write("episodes/connectivity/yard_connectivity.json", connectivity());
  write("episodes/vln.json", { format: "robot-eval-episodes/1", episodes });
  const out = join(root, "out");
  return {
    root,
    yaml: write("benchmark.yaml", BENCHMARK),
    out,
    write,
    runs: () => (existsSync(out) ? readdirSync(out) : []),
  };
}

/** Runs the world's benchmark in this process. */
export function evaluate(
  world: World,
  options: EvaluatorOptions & { readonly set?: readonly string[] } = {},
): Promise<RunResults> {
  const { set = [], ...rest } = options;
  const loaded = loadConfig(world.yaml, { set });
  return new UnifiedRobotEvaluator(loaded, {
    agent: "shortest-path",
    outDir: world.out,
    ...rest,
  }).run();
}

/** The lines of a run's episodes.jsonl. */
export async function linesOf(runDir: string | null): Promise<EpisodeLine[]> {
  const lines: EpisodeLine[] = [];
  for await (const line of new RunDirectory(runDir ?? "").episodes()) lines.push(line);
  return lines;
}

/** An episode result with the given fields and defaults for the others. */
export function episodeLine(partial: Partial<EpisodeLine> = {}): EpisodeLine {
  const { task = "vln", scene_id = "hall", episode_id = "1" } = partial;
  return {
    episode_key: `${task}/${scene_id}/${episode_id}`,
    episode_id,
    scene_id,
    task,
    task_type: "vln",
    repeat: 0,
    attempt: 1,
    seed: 0,
    agent_seed: 0,
    outcome: partial.metrics?.success === 1 ? "success" : "failure",
    end_reason: "stop",
    metrics: {},
    profile: "r2r",
    steps: 1,
    wall_ms: 1,
    sim_ms: 1,
    agent_ms: 1,
    agent_latency_ms: null,
    initial_state_hash: null,
    final_state_hash: null,
    trajectory: null,
    explanation: "",
    ...partial,
  };
}

export function runInfo(partial: Partial<RunInfo> = {}): RunInfo {
  return {
    format: "robot-eval-run/1",
    run_id: "a-run",
    status: "running",
    kind: "run",
    benchmark: { name: "small world", sha256: "" },
    config: {},
    selection: {},
    data: {},
    seed: 0,
    agent: "random",
    disclosed: {},
    versions: {},
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: null,
    warnings: [],
    ...partial,
  };
}

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly done: Promise<CliResult>;
  /** Resolves when stderr contains this. */
  said(text: string): Promise<void>;
  /** Resolves with the first capture group of the pattern in stderr. */
  heard(pattern: RegExp): Promise<string>;
  signal(signal: NodeJS.Signals): void;
}

/** Starts the built command in a separate process. */
export function startRobotEval(args: readonly string[], cwd: string): RunningCli {
  if (!existsSync(main)) throw new Error("dist/ is missing: npm run build");
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  child.on("close", () => children.delete(child));
  let [stdout, stderr] = ["", ""];
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
    for (const listener of listeners) listener();
  });
  const heard = (find: (said: string) => string | undefined, what: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = find(stderr);
        if (found !== undefined) resolve(found);
      };
      listeners.add(look);
      look();
      child.on("close", () => reject(new Error(`ended without saying ${what}:\n${stderr}`)));
    });
  return {
    done: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    }),
    said: async (text) => {
      await heard((said) => (said.includes(text) ? text : undefined), `"${text}"`);
    },
    heard: (pattern) => heard((said) => pattern.exec(said)?.[1], String(pattern)),
    signal: (signal) => {
      child.kill(signal);
    },
  };
}

/** Starts the command in this process. Paths must be absolute, and only one can run at a time. */
export function startRobotEvalHere(args: readonly string[]): Pick<RunningCli, "done" | "heard"> {
  const said = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      said[name] += String(chunk);
      for (const listener of listeners) listener();
      return true;
    }),
  );
  const exitCode = process.exitCode;
  process.exitCode = undefined;
  const done = runProgram(args)
    .then(() => ({ code: Number(process.exitCode ?? 0), ...said }))
    .finally(() => {
      process.exitCode = exitCode;
      for (const spy of spies) spy.mockRestore();
    });
  return {
    done,
    heard: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(said.stderr)?.[1];
          if (found !== undefined) resolve(found);
        };
        listeners.add(look);
        look();
        done.then(
          () => reject(new Error(`ended without saying ${pattern}:\n${said.stderr}`)),
          reject,
        );
      }),
  };
}

/** Runs the command in this process, from the arguments to the exit code. */
export function robotEvalHere(args: readonly string[]): Promise<CliResult> {
  return startRobotEvalHere(args).done;
}

/** Runs the built command to its end. */
export function robotEval(args: readonly string[], cwd: string): Promise<CliResult> {
  return startRobotEval(args, cwd).done;
}
