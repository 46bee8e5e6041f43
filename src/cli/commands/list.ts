import { Argument } from "commander";
import { type BenchmarkSummary, benchmarkIndex } from "../../config/benchmark-index.js";
import { CATALOGS } from "../catalog.js";
import { CliCommand } from "../cli-command.js";
import { collect } from "../options.js";
import { printResult, table } from "../output.js";
import { registriesWith } from "../plugins.js";

interface ListFlags {
  readonly json?: boolean;
  readonly plugin?: readonly string[];
}

export function listCommand(): CliCommand {
  return new CliCommand("list")
    .addArgument(new Argument("<kind>").choices(Object.keys(CATALOGS)))
    .option("--json", "print one JSON document")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .remarks("\nExamples:\n  robot-eval list benchmarks\n  robot-eval list metrics")
    .action(async (kind: string, flags: ListFlags) => {
      if (kind === "benchmarks") {
        listBenchmarks(flags.json === true);
        return;
      }
      const entries = CATALOGS[kind]?.(await registriesWith(flags.plugin)) ?? [];
      const shown = entries.map(({ name, summary }) => ({ name, summary }));
      const rows = entries.map(({ name, summary }) => [name, summary]);
      printResult(flags.json, shown, () => table([kind, ""], rows));
    });
}

/** `list benchmarks`: the tasks, requirements and default agent of each. */
function listBenchmarks(json: boolean): void {
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
