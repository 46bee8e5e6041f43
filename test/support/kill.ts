import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Random } from "../../src/core/math/random.js";
import { episodeDict, makeWorld, type Node, startRobotEval, type World } from "./cli.js";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const PRELOAD = new URL("die-at.js", import.meta.url).href;

const NODES: readonly Node[] = ["a", "b", "c", "d"];

/**
 * An agent that takes random actions with a delay. Until it is repaired, it fails to begin episodes whose goal is
 * `a`.
 */
const SLOW_RANDOM = `
import { existsSync, readFileSync } from "node:fs";
const pause = new URL("pause_ms", import.meta.url);
const repaired = new URL("repaired", import.meta.url);
export default ({ agents }) => {
  const random = agents.get("random");
  agents.register("slow-random", {
    description: "takes its time",
    create: (options) => {
      const agent = random.create(options);
      const ms = Number(readFileSync(pause, "utf8"));
      return {
        reset(episode) {
          if (episode.episodeId.endsWith("-a") && !existsSync(repaired)) throw new Error("the agent is broken");
          agent.reset(episode);
        },
        async act(observation) {
          if (ms > 0) await new Promise((done) => setTimeout(done, ms));
          return agent.act(observation);
        },
      };
    },
  });
};
`;

/** Episodes of every kind: valid, invalid by an agent fault and, in the cellar, by a data fault. */
export function mixedEpisodes(times: number) {
  return Array.from({ length: times }, (_, i) =>
    NODES.flatMap((from) =>
      NODES.filter((to) => to !== from).flatMap((to) =>
        ["hall", "yard", ...(from === "b" ? ["cellar"] : [])].map((scene) =>
          episodeDict(`${i}-${from}-${to}`, from, to, scene),
        ),
      ),
    ),
  ).flat();
}

export interface SlowWorld extends World {
  /** Arguments of `run`. */
  readonly run: readonly string[];
  /** The agent's delay per action. */
  pause(ms: number): void;
  /** Repairs the agent, so that it begins every episode. */
  repairAgent(): void;
}

/** @param set further benchmark settings */
export function makeSlowWorld(episodes: readonly object[], ...set: readonly string[]): SlowWorld {
  const world = makeWorld(episodes);
  world.write("plugin.mjs", SLOW_RANDOM);
  const settings = [
    ...["plugins=[./plugin.mjs]", "vln_task.config.success_distance=1", "evaluation.max_steps=12"],
    ...["evaluation.give_up_after=0", "evaluation.fail_on_invalid=1"],
    // Episodes of the missing scene end at once, so twenty of them may be the first to end.
    ...["evaluation.give_up_if_first_invalid=0", ...set],
  ];
  const pause = (ms: number) => {
    world.write("pause_ms", String(ms));
  };
  pause(0);
  return {
    ...world,
    run: [
      ...["run", "benchmark.yaml", "--agent", "slow-random", "--seed", "11"],
      ...settings.flatMap((one) => ["--set", one]),
    ],
    pause,
    repairAgent: () => {
      world.write("repaired", "");
    },
  };
}

export interface KilledRun {
  readonly runDir: string;
  readonly kills: number;
  /** Number of kills between the start and the end of the run. */
  readonly underWay: number;
  /** Number of kills at any time since the process started; how many of them come before the run depends on the machine. */
  readonly anyTime: number;
  /** What each process printed that ended before it could be killed. */
  readonly missed: readonly string[];
}

/**
 * Starts a run, kills it, resumes it, kills it, ... at times derived from the seed: most within half a second after
 * episodes begin, one in eight at any time since the process started.
 */
export async function killRepeatedly(
  world: SlowWorld,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<KilledRun> {
  const random = new Random(seed);
  const counts = { kills: 0, underWay: 0, anyTime: 0 };
  const missed: string[] = [];
  while (counts.kills + missed.length < kills) {
    const workers = ["--workers", String(1 + random.below(3))];
    const lanes = ["--concurrency", String(1 + random.below(2))];
    const begun = runIn(world.out);
    const what = begun === undefined ? [...world.run, "--out", "out"] : ["resume", begun];
    const cli = startRobotEval([...what, ...workers, ...lanes], world.root);
    const whenever = random.below(8) === 0;
    if (!whenever) await cli.said(" into ");
    await later(random.uniform() * (whenever ? 1500 : 500));
    cli.signal("SIGKILL");
    const { code, stderr } = await cli.done;
    if (code !== null) missed.push(`exit code ${code}: ${stderr}`);
    else {
      counts.kills++;
      if (whenever) counts.anyTime++;
      if (stderr.includes(" into ")) counts.underWay++;
    }
  }
  return { runDir: runIn(world.out) ?? "", ...counts, missed };
}

/** The resumable run in a folder; undefined if the process was killed before one existed. */
export function runIn(folder: string): string | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => join(folder, name)).find((path) => existsSync(join(path, "run.json")));
}

/**
 * Runs the command and kills it at its n-th disk write below `folder`. `death` is n, from 1; with 0 the command is
 * not killed and reports its number of writes.
 */
export async function dieAt(
  death: number,
  folder: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly killed: boolean; readonly changes: number; readonly stderr: string }> {
  const env = { ...process.env, DIE_AT: String(death), DIE_BELOW: folder };
  const child = execFile(process.execPath, ["--import", PRELOAD, MAIN, ...args], { cwd, env });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [, signal] = await once(child, "close");
  return {
    killed: signal === "SIGKILL",
    changes: Number(/changes: (\d+)/.exec(stderr)?.[1] ?? Number.NaN),
    stderr,
  };
}
