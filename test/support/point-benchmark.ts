import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { temporaryFolder } from "./cli.js";

export interface PointBenchmark {
  readonly root: string;
  readonly yaml: string;
  readonly out: string;
  /** The output of the simulators. */
  said(): string;
  /** Process ids of all started simulators. */
  pids(): number[];
}

interface PointOptions {
  readonly episodes?: number;
  /** The simulator's `env` of each episode, by its number. */
  env?(episode: number): object;
  readonly args?: readonly string[];
  /** Script in `test/support`; default point-simulator.mjs. */
  readonly script?: string;
  readonly config?: object;
  readonly simulator?: object;
  readonly evaluation?: object;
}

/** A benchmark of episodes in `point-simulator.mjs`, in a separate folder. */
export function pointBenchmark(options: PointOptions = {}): PointBenchmark {
  const root = temporaryFolder();
  const script = fileURLToPath(new URL(options.script ?? "point-simulator.mjs", import.meta.url));
  const logs = join(root, "logs");
  mkdirSync(logs);
  const episodes = Array.from({ length: options.episodes ?? 6 }, (_, i) => ({
    episode_id: String(i),
    task_type: "external",
    scene_id: "plane",
    instruction: { text: "go to the middle" },
    task_config: { env: options.env?.(i) ?? {} },
  }));
  const data = join(root, "episodes.json");
  writeFileSync(data, JSON.stringify({ format: "robot-eval-episodes/1", episodes }));
  const yaml = join(root, "benchmark.yaml");
  const document = {
    benchmark: { name: "points" },
    reach_task: {
      type: "external",
      config: { subtasks: ["near", "there"], max_steps: 40, ...options.config },
    },
    simulator: {
      backend: "remote",
      command: [process.execPath, script, ...(options.args ?? [])],
      cwd: root,
      log_dir: logs,
      step_timeout_s: 5,
      ...options.simulator,
    },
    dataset: { reach: { type: "external", data_path: data } },
    ...(options.evaluation ? { evaluation: options.evaluation } : {}),
  };
  writeFileSync(yaml, stringify(document));
  const out = join(root, "out");
  const said = () =>
    [logs, ...list(out).map((run) => join(out, run, "logs"))]
      .flatMap((folder) => list(folder).map((name) => readFileSync(join(folder, name), "utf8")))
      .join("");
  const pids = () => [...said().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid));
  return { root, yaml, out, said, pids };
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The running processes. A killed process stays in the process table until its parent reaps it. */
export function running(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    try {
      process.kill(pid, 0);
      return !isDead(pid);
    } catch {
      return false;
    }
  });
}

/** True for a zombie process, on systems that report it. */
function isDead(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
