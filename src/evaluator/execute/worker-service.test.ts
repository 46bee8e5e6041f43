import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { parseConfig } from "../../config/load.js";
import { UnifiedRobotEvaluator } from "../evaluator.js";
import type { FromWorker, ToWorker } from "./worker-messages.js";
import { serve } from "./worker-service.js";
import { makeSetup, planFrom } from "./worker-setup.js";

/** A worker's service at the other end of a channel, in this thread. */
async function service(
  world: ReturnType<typeof tinyWorld>,
  { agent = "random", concurrency = 1, set = [] as readonly string[] } = {},
) {
  const file = join(world.dir, "benchmark.yaml");
  const loaded = parseConfig(stringify(world.benchmark), { file, set });
  const plan = await new UnifiedRobotEvaluator(loaded, { agent }).prepare();
  const setup = structuredClone(makeSetup(plan, { seed: 7, savesTrajectories: true, concurrency }));
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const heard: FromWorker[] = [];
  const waiting: (() => void)[] = [];
  port1.on("message", (message: FromWorker) => {
    heard.push(message);
    for (const wake of waiting.splice(0)) wake();
  });
  const next = async <T extends FromWorker["type"]>(type: T) => {
    for (;;) {
      const at = heard.findIndex((message) => message.type === type);
      if (at !== -1) return heard.splice(at, 1)[0] as Extract<FromWorker, { type: T }>;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const send = (message: ToWorker) => port1.postMessage(message);
  serve(port2);
  send({ type: "setup", setup });
  return { plan, setup, send, next };
}

const run = (job: number, from: "a" | "c", task = "vln"): ToWorker => ({
  type: "run",
  repeat: 0,
  attempt: 1,
  job,
  task,
  episode: tinyEpisode(from, "d").toDict(),
});

describe("a worker", () => {
  it("a worker reports ready, runs the jobs it is sent, and closes", async () => {
    const { send, next } = await service(tinyWorld(), { agent: "shortest-path" });
    expect(await next("ready")).toEqual({ type: "ready", missingSensors: [], policies: {} });
    send(run(3, "a"));
    const { job, line, trajectory, faults } = await next("done");
    expect({ job, faults }).toEqual({ job: 3, faults: [] });
    expect(line).toMatchObject({ episode_key: "vln/tiny/a-d", outcome: "success" });
    const [header = ""] = gunzipSync(trajectory ?? "")
      .toString()
      .split("\n");
    expect(JSON.parse(header)).toMatchObject({ episode: { episode_id: "a-d" } });
    send({ type: "close" });
    await next("closed");
  });

  it("a worker runs as many episodes at once as concurrency says", async () => {
    const { send, next } = await service(tinyWorld(), { concurrency: 2 });
    await next("ready");
    send(run(0, "a"));
    send(run(1, "c"));
    const jobs = [(await next("done")).job, (await next("done")).job];
    expect(jobs.sort()).toEqual([0, 1]);
  });

  it("a worker rejects a set-up whose agent cannot be opened", async () => {
    const { next } = await service(tinyWorld(), { agent: "replay:/nowhere" });
    expect(await next("refused")).toMatchObject({
      error: { name: "DataError", ours: { code: "missing_file", where: "/nowhere" } },
    });
  });

  it("a worker reports an error that ends the run", async () => {
    const { send, next } = await service(tinyWorld());
    await next("ready");
    send(run(5, "a", "another"));
    expect(await next("failed")).toMatchObject({ job: 5, error: { name: "Error" } });
  });
});

describe("the plan of a worker", () => {
  it("the plan of a worker equals that of the main thread, with --set, without reading the dataset", async () => {
    const set = ["evaluation.max_steps=12", "vln_task.config.success_distance=1.5"];
    const world = tinyWorld({ tasks: ["vln", "other"] });
    const { plan, setup } = await service(world, { set });
    const elsewhere = structuredClone(setup.benchmark.document) as {
      dataset: Record<string, { data_path: string }>;
    };
    const theirs = await planFrom(setup);
    expect(theirs.loaded.config).toEqual(plan.loaded.config);
    expect(theirs.tasks.map(({ task }) => task.config)).toEqual(
      plan.tasks.map(({ task }) => task.config),
    );
    expect(theirs).toMatchObject({ seed: 7, agentSpec: "random" });
    expect(theirs.loaded.locate(["vln_task", "type"])).toBe(
      plan.loaded.locate(["vln_task", "type"]),
    );
    for (const section of Object.values(elsewhere.dataset)) section.data_path += ".gone";
    const gone = { ...setup, benchmark: { ...setup.benchmark, document: elsewhere } };
    expect((await planFrom(gone)).tasks.map(({ episodes }) => episodes.length)).toEqual([1, 1]);
  });

  it("the plan of a worker leaves out a task without episodes in this run", async () => {
    const { setup } = await service(tinyWorld({ tasks: ["vln", "other"] }));
    const { other, ...samples } = setup.samples;
    const { tasks } = await planFrom({ ...setup, samples });
    expect(tasks.map(({ task }) => task.name)).toEqual(["vln"]);
  });
});
