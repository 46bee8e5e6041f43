import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  episodeDict,
  evaluate,
  linesOf,
  makeWorld,
  type Node,
  type World,
} from "../support/cli.js";
import { startProgram } from "../support/program.js";
import { contentOf } from "../support/run-content.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs bash in the world's folder with the built `robot-eval` and substitutes for Slurm's commands, which log their arguments. */
function shell(world: World, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const bin = join(world.root, "bin");
  mkdirSync(bin, { recursive: true });
  const command = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  command("robot-eval", `exec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"`);
  command("scontrol", `echo "scontrol $*" >> asked`);
  command("sbatch", `echo "sbatch $*" >> asked\necho '4711;here'`);
  return startProgram(["bash", ...args], world.root, env);
}

async function until(holds: () => boolean, what: string, said: () => string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (holds()) return;
    await later(50);
  }
  expect.fail(`${what} did not occur within 25 s\n${said()}`);
}

/** All pairs of nodes in two scenes. The agent stops at once or, while a file `hold` exists, when that is deleted. */
function holdableWorld(): World {
  const nodes: readonly Node[] = ["a", "b", "c", "d"];
  const ways = nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => [from, to]));
  const episodes = ways.flatMap(([from = "a", to = "b"]) =>
    ["hall", "yard"].map((scene) => episodeDict(`${from}-${to}`, from as Node, to as Node, scene)),
  );
  const world = makeWorld(episodes);
  const plugin = world.write(
    "plugin.mjs",
    `import { existsSync, writeFileSync } from "node:fs";
     class Patient {
       reset() {}
       async act() {
         writeFileSync(new URL("acted", import.meta.url), "");
         while (existsSync(new URL("hold", import.meta.url))) await new Promise((done) => setTimeout(done, 5));
         return "stop";
       }
     }
     export default ({ agents }) => {
       agents.register("patient", { description: "", create: () => new Patient() });
     };`,
  );
  writeFileSync(world.yaml, `${readFileSync(world.yaml, "utf8")}plugins: ["${plugin}"]\n`);
  return world;
}

describe.concurrent("the deployment examples", { timeout: 120_000 }, () => {
  const slurm = (world: World, task: number, env: Readonly<Record<string, string>> = {}) =>
    shell(
      world,
      [join(root, "deploy/slurm/shards/array.sbatch"), "benchmark.yaml", "--agent", "patient"],
      {
        SLURM_ARRAY_JOB_ID: "77",
        SLURM_ARRAY_TASK_ID: String(task),
        SLURM_ARRAY_TASK_COUNT: "2",
        ...env,
      },
    );

  it("the Slurm example evaluates shards, continues when requeued, and merges the results", async () => {
    const world = holdableWorld();
    const first = await slurm(world, 1).done;
    expect(first.code, first.said).toBe(0);

    writeFileSync(join(world.root, "hold"), "");
    rmSync(join(world.root, "acted"));
    const second = slurm(world, 2);
    await until(() => existsSync(join(world.root, "acted")), "an episode", second.said);
    second.child.kill("SIGUSR1");
    await until(() => second.said().includes("stopping after"), "the signal", second.said);
    rmSync(join(world.root, "hold"));
    expect((await second.done).code, second.said()).toBe(130);
    const asked = join(world.root, "asked");
    expect(readFileSync(asked, "utf8")).toBe("scontrol requeue 77_2\n");

    const runs = join(world.root, "runs/slurm-77");
    const cut = await linesOf(join(runs, "shard-2"));
    expect(cut.length).toBeGreaterThan(0);
    // The node of the first attempt is gone and has left its lock.
    const holder = JSON.stringify({ pid: 1, host: "another-node", started: null });
    writeFileSync(join(runs, "shard-2", "run.lock"), holder);
    const third = await slurm(world, 2).done;
    expect(third.code, third.said).toBe(0);
    expect((await linesOf(join(runs, "shard-2"))).slice(0, cut.length)).toEqual(cut);

    const merging = [join(root, "deploy/slurm/shards/merge.sbatch"), "runs/slurm-77", "--json"];
    const merged = await shell(world, merging).done;
    expect(merged.code, merged.said).toBe(0);
    const name = readdirSync(runs).find((run) => run.includes("-merged-")) ?? "";
    const whole = await evaluate(world, { agent: "patient" });
    expect(await contentOf(join(runs, name))).toEqual(await contentOf(whole.run_dir ?? ""));
  });

  it("the Slurm example submits the shards, and a merge that depends on them", async () => {
    const world = makeWorld();
    const script = join(root, "deploy/slurm/shards/submit.sh");
    const { code, said } = await shell(world, [script, "8", "my.yaml", "--agent", "random"]).done;
    expect(code, said).toBe(0);
    const folder = join(root, "deploy/slurm/shards");
    expect(readFileSync(join(world.root, "asked"), "utf8").trimEnd().split("\n")).toEqual([
      `sbatch --parsable --array=1-8 ${folder}/array.sbatch my.yaml --agent random`,
      `sbatch --dependency=afterany:4711 ${folder}/merge.sbatch runs/slurm-4711`,
    ]);
  });

  it("the Kubernetes example evaluates shards, continues after a pod is lost, and merges the results", async () => {
    const world = holdableWorld();
    const env = { SHARDS: "2", BENCHMARK: "benchmark.yaml", AGENT: "patient" };
    const shards = job("indexed-job.yaml");
    const pod = (index: number) =>
      shell(world, [...shards.args], {
        ...shards.env,
        ...env,
        JOB_COMPLETION_INDEX: String(index),
      });
    const runs = join(world.root, shards.env.RUNS ?? "");
    // A pod that was killed before its run began has left its lock.
    mkdirSync(join(runs, "shard-1"), { recursive: true });
    const holder = JSON.stringify({ pid: 1, host: "another-pod", started: null });
    writeFileSync(join(runs, "shard-1", "run.lock"), holder);
    const first = await pod(0).done;
    expect(first.code, first.said).toBe(0);

    writeFileSync(join(world.root, "hold"), "");
    rmSync(join(world.root, "acted"));
    const evicted = pod(1);
    await until(() => existsSync(join(world.root, "acted")), "an episode", evicted.said);
    evicted.child.kill("SIGKILL");
    await evicted.done;
    rmSync(join(world.root, "hold"));
    const second = await pod(1).done;
    expect(second.code, second.said).toBe(0);

    const merging = job("merge-job.yaml");
    const merged = await shell(world, [...merging.args], merging.env).done;
    expect(merged.code, merged.said).toBe(0);
    const name = readdirSync(runs).find((run) => run.includes("-merged-")) ?? "";
    const whole = await evaluate(world, { agent: "patient" });
    expect(await contentOf(join(runs, name))).toEqual(await contentOf(whole.run_dir ?? ""));
  });

  it("the Kubernetes example defines a job with as many pods as shards", () => {
    const { spec, env } = job("indexed-job.yaml");
    expect(spec).toMatchObject({ completionMode: "Indexed", podReplacementPolicy: "Failed" });
    expect(String(spec.completions)).toBe(env.SHARDS);
  });
});

interface Job {
  readonly kind: string;
  readonly spec: {
    readonly completions?: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[];
            readonly args: readonly string[];
            readonly env: readonly { readonly name: string; readonly value: string }[];
          },
        ];
      };
    };
  };
}

/** The bash arguments and the environment of a manifest's pods. */
function job(file: string) {
  const text = readFileSync(join(root, "deploy/kubernetes/shards", file), "utf8");
  const { kind, spec } = parse(text) as Job;
  expect(kind).toBe("Job");
  const [{ command, args, env }] = spec.template.spec.containers;
  const [bash, ...flags] = command;
  expect(bash).toBe("bash");
  return {
    spec,
    args: [...flags, ...args],
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
  };
}
