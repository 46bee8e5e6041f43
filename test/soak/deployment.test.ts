import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseExposition } from "../../src/core/telemetry/exposition.fixture.js";
import { evaluate, makeWorld, type World } from "../support/cli.js";
import { startPostgres, type TestServer } from "../support/postgres.js";
import { startProgram } from "../support/program.js";
import { contentOf } from "../support/run-content.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const TOKEN = "0123456789abcdef";

/** A substitute for `sbatch`: runs all tasks of the array at once and waits for them. */
const SBATCH = `
while [[ "$1" == --* ]]; do
  case "$1" in --array=1-*) tasks=\${1#--array=1-} ;; esac
  shift
done
pids=()
for _ in $(seq "\${tasks:-1}"); do bash "$@" >&2 & pids+=($!); done
for pid in "\${pids[@]}"; do wait "$pid"; done
echo '4711;here'`;

let server: TestServer;
let world: World;

beforeAll(async () => {
  server = await startPostgres();
  // Created in advance, so that programs that start concurrently find them.
  await server.cluster();
  world = makeWorld();
  const bin = join(world.root, "bin");
  mkdirSync(bin);
  const commands = {
    "robot-eval": `exec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"`,
    sbatch: SBATCH,
  };
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
});

/** Starts a program in the benchmark folder with the database address set and robot-eval on the path. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return startProgram(args, world.root, { ROBOT_EVAL_QUEUE: server.url, ...env });
}

const containerOf = (file: string) =>
  parse(readFileSync(join(root, "deploy/kubernetes", file), "utf8")).spec.template.spec
    .containers[0] as {
    readonly args: readonly string[];
    readonly command?: readonly string[];
    readonly env: readonly { readonly name: string; readonly value?: string }[];
  };

describe("the files for deployment", { timeout: 120_000 }, () => {
  it("the Slurm files run a benchmark through the queue with the result of a local run", async () => {
    const submit = [join(root, "deploy/slurm/submit.sh"), "2", "benchmark.yaml"];
    const { code, said } = await start([...submit, "--agent", "shortest-path"], { RUN_ID: "slurm" })
      .done;
    expect(code, said).toBe(0);
    const local = await evaluate(world, { outDir: join(world.root, "local"), runId: "slurm" });
    expect(await contentOf(join(world.root, "runs/slurm"))).toEqual(
      await contentOf(local.run_dir ?? ""),
    );
  });

  it("a Kubernetes worker answers probes, runs a submitted Job and stops on SIGTERM", async () => {
    const { args } = containerOf("workers.yaml");
    const here = args.map((arg) => arg.replace(/^(--metrics-port=).*/, "$10"));
    const worker = start(["robot-eval", ...here], { ROBOT_EVAL_METRICS_TOKEN: TOKEN });
    const port = await heard(worker, /health and metrics at http:\/\/0\.0\.0\.0:(\d+)/);
    const ask = (path: string, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    expect((await ask("/healthz")).status).toBe(200);
    expect((await ask("/readyz")).status).toBe(200);
    expect((await ask("/metrics")).status).toBe(401);

    const { command = [], args: script, env } = containerOf("submit.yaml");
    const settings = Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
    const own = { BENCHMARK: "benchmark.yaml", AGENT: "shortest-path", RUN_ID: "pod" };
    const job = () => start([...command, ...script], { ...settings, ...own }).done;
    const first = await job();
    expect(first.code, first.said + worker.said()).toBe(0);
    const written = await contentOf(join(world.root, "runs/pod"));
    const local = await evaluate(world, { outDir: join(world.root, "local"), runId: "pod" });
    expect(written).toEqual(await contentOf(local.run_dir ?? ""));

    // A replacement pod finds the run and does not start it again.
    rmSync(join(world.root, "runs/pod"), { recursive: true });
    const second = await job();
    expect(second.code, second.said).toBe(0);
    expect(await contentOf(join(world.root, "runs/pod"))).toEqual(written);

    const page = await (await ask("/metrics", { Authorization: `Bearer ${TOKEN}` })).text();
    const recorded = parseExposition(page).find(({ name }) => name.endsWith("recorded_total"));
    expect(recorded?.samples[0]?.value).toBe(written.lines.length);
    worker.child.kill("SIGTERM");
    expect((await worker.done).code, worker.said()).toBe(0);
  });
});

async function heard({ said, done }: ReturnType<typeof start>, pattern: RegExp): Promise<string> {
  let ended = false;
  void done.then(() => {
    ended = true;
  });
  for (;;) {
    const found = pattern.exec(said())?.[1];
    if (found !== undefined) return found;
    if (ended) expect.fail(`it ended before it said ${pattern}:\n${said()}`);
    await later(50);
  }
}
