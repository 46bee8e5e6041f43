import { type BenchmarkSummary, benchmarkIndex } from "../config/benchmark-index.js";
import { printResult, table } from "./output.js";

/** `list benchmarks`: the tasks, requirements and default agent of each. */
export function listBenchmarks(json: boolean): void {
  const summaries = benchmarkIndex();
  const rows = summaries.map(({ name, tasks, episodes, needs, agent }) => [
    name,
    tasks.map((task) => task.name).join(", "),
    String(episodes ?? "unknown"),
    needsText(needs),
    agent === null ? "none: --agent" : agentsIn(agent),
  ]);
  const columns = ["benchmark", "tasks", "episodes", "needs", "agent"];
  printResult(json, summaries, () => table(columns, rows));
}

function needsText({ python, data }: BenchmarkSummary["needs"]): string {
  const needs = [
    ...(python === null ? [] : [`Python with ${python}`]),
    ...(data.length > 0 ? ["data"] : []),
  ];
  return needs.length > 0 ? needs.join(", ") : "nothing";
}

/** The agents of `vln=shortest-path,pick_place=expert`, each once. */
function agentsIn(spec: string): string {
  return [...new Set(spec.split(",").map((part) => part.replace(/^\w+=/, "")))].join(", ");
}
