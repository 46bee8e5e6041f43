import { loadAndInspect } from "../../evaluator/plan/inspect.js";
import { sensorNames, sensorText } from "../../evaluator/plan/sensors.js";
import { createRegistries } from "../../registry/registries.js";
import { BENCHMARK_HELP, benchmarkFile } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { collect } from "../options.js";
import { printData, printJson, say, table } from "../output.js";
import { hasErrors, tellProblems } from "../world-problems.js";

interface ValidateFlags {
  readonly set?: readonly string[];
  readonly json?: boolean;
}

export function validateCommand(): CliCommand {
  return new CliCommand("validate")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--json", "print one JSON document")
    .remarks("\nExamples:\n  robot-eval validate vln_challenge\n  robot-eval validate my.yaml")
    .action(validate);
}

async function validate(benchmark: string, flags: ValidateFlags): Promise<void> {
  const options = flags.set ? { set: flags.set } : {};
  const found = await loadAndInspect(benchmarkFile(benchmark), createRegistries(), options);
  if (flags.json) {
    const sensors = sensorNames(found.tasks.map((task) => ({ ...task, task })));
    const tasks = found.tasks.map((task) => ({ ...task, sensors: sensors[task.name] ?? null }));
    printJson({ valid: !hasErrors(found.problems), ...found, tasks });
  } else {
    const verdict = hasErrors(found.problems) ? "cannot run" : "is valid";
    printData(`${benchmark} ${verdict}: ${found.benchmark}`);
    const columns = ["task", "type", "profile", "simulator", "episodes", "format", "metrics"];
    const rows = found.tasks.map(({ name, type, profile, simulator, ...task }) => [
      ...[name, type, profile, simulator, String(task.episodes ?? "missing")],
      ...[task.format ?? "", task.metrics.join(", ")],
    ]);
    printData(table(columns, rows));
    for (const { name, sensors } of found.tasks) {
      printData(`${name}: the policy receives ${sensorText(sensors)}`);
    }
  }
  for (const text of found.warnings) say(`warning: ${text}`);
  for (const { path, where } of found.missing) say(`${where}: missing data file: ${path}`);
  tellProblems(found.problems);
}
