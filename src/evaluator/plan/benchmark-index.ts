import { basename } from "node:path";
import type { BenchmarkSummary } from "../../config/benchmark-index.js";
import { loadConfig } from "../../config/load.js";
import { benchmarkNames } from "../../config/named.js";
import type { SimulatorSection } from "../../config/schema.js";
import { createRegistries } from "../../registry/registries.js";
import { inspectBenchmark } from "./inspect.js";

/** The text of `configs/benchmarks.json`. Counting episodes reads every dataset, so `list` reads this file. */
export async function benchmarkIndexText(): Promise<string> {
  const summaries: BenchmarkSummary[] = [];
  for (const name of benchmarkNames()) summaries.push(await summaryOf(name));
  return `${JSON.stringify(summaries, null, 2)}\n`;
}

async function summaryOf(name: string): Promise<BenchmarkSummary> {
  const loaded = loadConfig(name);
  const { benchmark, simulator } = loaded.config;
  const { agent, tasks, missing } = await inspectBenchmark(loaded, createRegistries());
  const counts = tasks.map(({ episodes }) => episodes);
  return {
    name,
    title: benchmark.name,
    description: benchmark.description ?? "",
    agent,
    episodes: counts.includes(null) ? null : counts.reduce<number>((sum, n) => sum + (n ?? 0), 0),
    needs: { python: pythonPackage(simulator), data: missing.map(({ path }) => path) },
    tasks: tasks.map(({ sensors: _, ...task }) => task),
  };
}

/** The Python package that the benchmark's simulator needs: `python3 -m robot_eval_client.sim robosuite`. */
function pythonPackage({ command }: SimulatorSection): string | null {
  if (!Array.isArray(command) || !/^python/.test(basename(String(command[0])))) return null;
  const after = (word: string) => {
    const at = command.indexOf(word);
    return at < 0 ? undefined : String(command[at + 1]);
  };
  return after("--import") ?? after("robot_eval_client.sim") ?? "python";
}
