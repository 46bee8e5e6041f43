import { Command } from "commander";
import { loadConfig } from "../../config/load.js";
import { inspectBenchmark } from "../../evaluator/plan/inspect.js";
import { createRegistries } from "../../registry/registries.js";
import { BENCHMARK_HELP, benchmarkFile } from "../benchmark-file.js";
import { collect } from "../options.js";
import { printData, printJson, say, table } from "../output.js";

interface ValidateFlags {
  readonly set?: readonly string[];
  readonly json?: boolean;
}

export function validateCommand(): Command {
  return new Command("validate")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      "\nExamples:\n  robot-eval validate vln_challenge\n  robot-eval validate my.yaml",
    )
    .action(validate);
}

async function validate(benchmark: string, flags: ValidateFlags): Promise<void> {
  const loaded = loadConfig(benchmarkFile(benchmark), flags.set ? { set: flags.set } : {});
  const found = await inspectBenchmark(loaded, createRegistries());
  if (flags.json) {
    printJson({ valid: true, ...found });
  } else {
    printData(`${benchmark} is valid: ${found.benchmark}`);
    printData(
      table(
        ["task", "type", "profile", "simulator", "episodes", "format", "metrics"],
        found.tasks.map((task) => [
          task.name,
          task.type,
          task.profile,
          task.simulator,
          task.episodes === null ? "missing" : String(task.episodes),
          task.format ?? "",
          task.metrics.join(", "),
        ]),
      ),
    );
  }
  for (const { path, where } of found.missing) say(`${where}: missing data file: ${path}`);
  for (const { name, type, simulator } of found.tasks) {
    if (simulator === "none") say(`warning: no simulator serves ${type} (task ${name})`);
  }
}
