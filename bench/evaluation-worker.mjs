// One run in its own process, for evaluation.mjs.
import { join } from "node:path";
import { serve } from "../build/api/policy/index.js";
import { parseConfig } from "../build/config/load.js";
import { UnifiedRobotEvaluator } from "../build/evaluator/evaluator.js";
import { median } from "./measure.mjs";

function benchmark(dataset, evaluation = {}) {
  return parseConfig(
    JSON.stringify({
      benchmark: { name: "bench" },
      vln_task: {
        type: "vln",
        config: { profile: "vlnce", metrics: ["success", "spl", "navigation_error"] },
      },
      simulator: { sensors: { instruction: {} } },
      evaluation,
      dataset: { vln: { type: "vln", data_path: dataset } },
    }),
    { file: "bench.yaml" },
  );
}

async function evaluate(config, options) {
  // Medians over tenths of the run, because single samples depend on the garbage collector.
  const tenths = [1, 5, 9];
  const memory = tenths.map(() => []);
  let [ms, steps, sim, agent, last] = [0, 0, 0, 0, undefined];
  let began;
  const results = await new UnifiedRobotEvaluator(config, {
    ...options,
    onEvent: (event) => {
      if (event.type === "started") began = performance.now();
      if (event.type !== "episode") return;
      const { line } = event;
      ms += line.wall_ms;
      sim += line.sim_ms;
      agent += line.agent_ms;
      steps += line.steps;
      last = performance.now();
      if (event.done % 20 === 0) {
        const tenth = Math.floor((10 * (event.done - 1)) / event.total);
        memory[tenths.indexOf(tenth)]?.push(process.memoryUsage.rss());
      }
    },
  }).run();
  if (results.episodes.invalid > 0)
    throw new Error(`${results.episodes.invalid} episodes are invalid`);
  const wall = last - began;
  const us = (time) => (1000 * time) / steps;
  return {
    seconds: wall / 1000,
    steps,
    memory: memory.map((samples) => (samples.length > 0 ? median(samples) : 0)),
    overheadUs: us(wall - sim - agent),
    inEpisodeUs: us(ms - sim - agent),
    simUs: us(sim),
    agentUs: us(agent),
  };
}

process.once(
  "message",
  async ({ kind, folder, dataset, workers, shard, concurrency, policyMs }) => {
    const outDir = join(folder, "runs");
    if (kind === "throughput") {
      const options = { agent: "shortest-path", outDir, workers, shard };
      process.send(await evaluate(benchmark(dataset), options));
    } else {
      const act = () => new Promise((done) => setTimeout(() => done("turn_left"), policyMs));
      const server = await serve(() => ({ reset() {}, act }), { port: 0 });
      const config = benchmark(dataset, { max_steps: 100 });
      const agent = `ws://127.0.0.1:${server.port}`;
      const found = await evaluate(config, {
        agent,
        outDir,
        concurrency,
        first: 16,
        filter: "scene=apartment/100",
      });
      await server.close();
      process.send(found);
    }
    process.disconnect();
  },
);
