import { Argument } from "commander";
import { stringify } from "yaml";
import { RegistryError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { suggestion } from "../../core/registry.js";
import type { Registries } from "../../registry/registries.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { CATALOGS } from "../catalog.js";
import { CliCommand } from "../cli-command.js";
import { collect } from "../options.js";
import { printData, printJson, printResult, table } from "../output.js";
import { registriesWith } from "../plugins.js";
import { resultText } from "../results.js";

const SHOWN_FAILURES = 20;

export function describeCommand(): CliCommand {
  return new CliCommand("describe")
    .addArgument(new Argument("<kind>").choices([...Object.keys(CATALOGS), "run"]))
    .argument("<name>", "as `list` shows it; for a run its directory")
    .option("--json", "print one JSON document")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .remarks(
      "\nExamples:\n  robot-eval describe benchmarks vln_challenge\n  robot-eval describe metrics spl\n  robot-eval describe run runs/<run id>",
    )
    .action(async (kind: string, name: string, { json = false, plugin }: DescribeFlags) => {
      if (kind === "run") await describeRun(name, json);
      else describe(kind, name, await registriesWith(plugin), json);
    });
}

interface DescribeFlags {
  readonly json?: boolean;
  readonly plugin?: readonly string[];
}

function describe(kind: string, name: string, registries: Registries, json: boolean): void {
  const entries = CATALOGS[kind]?.(registries) ?? [];
  const entry = entries.find((candidate) => candidate.name.split(":")[0] === name);
  if (!entry) {
    throw new RegistryError("unknown_name", `unknown name "${name}" among the ${kind}`, {
      hint: `${suggestion(
        name,
        entries.map((candidate) => candidate.name),
      )}; names of a plugin need --plugin <module>`,
    });
  }
  const { summary, details } = entry;
  const document = snakeKeys({ name: entry.name, summary, ...details() });
  printResult(json, document, () => stringify(document).trimEnd());
}

/** Converts keys to the snake_case of documents and drops undefined values. */
function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), snakeKeys(part)]),
  );
}

/** Prints the summary, how episodes ended, and why the first failures failed. */
async function describeRun(path: string, json: boolean): Promise<void> {
  const run = await RunDirectory.open(path);
  const summary = await run.summary();
  if (json) {
    printJson({ ...summary, run_dir: path });
    return;
  }
  const failures: EpisodeLine[] = [];
  for await (const line of run.episodes()) {
    if (line.outcome === "failure" && failures.length < SHOWN_FAILURES) failures.push(line);
  }
  printData(resultText(summary));
  printData(`\nhow episodes ended: ${endText(summary.end_reasons)}`);
  if (failures.length === 0) return;
  const rows = failures.map((line) => [line.episode_key, line.explanation]);
  printData(`\n${table(["failed", "why"], rows)}`);
}

function endText(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
}
