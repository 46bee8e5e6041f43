import {
  CONVERT_TARGETS,
  type ConvertReport,
  convertDataset,
} from "../../../dataset/convert/convert.js";
import { MatterportGraphs } from "../../../dataset/formats/matterport-connectivity.js";
import { createRegistries } from "../../../registry/registries.js";
import { CliCommand } from "../../cli-command.js";
import { withInterrupt } from "../../interrupt.js";
import { printData, printJson, say, table } from "../../output.js";

interface ConvertFlags {
  readonly to: string;
  readonly out: string;
  readonly format?: string;
  readonly connectivity?: string;
  readonly partial?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function convertCommand(): CliCommand {
  const targets = CONVERT_TARGETS.map(
    ({ name, description }) => `  ${name.padEnd(10)} ${description}`,
  );
  return new CliCommand("convert")
    .argument("<in>")
    .requiredOption("--to <format>", "format to write")
    .output("--out <path>", "file or folder to write", "file-or-folder", { required: true })
    .option("--format <name>", "format of the dataset (default: detected from its content)")
    .option("--connectivity <folder>", "navigation graphs, <scene>_connectivity.json")
    .option("--partial", "skip listed episodes whose data files are missing")
    .option("--force", "replace an existing dataset")
    .option("--json", "print one JSON document")
    .remarks(`
Formats to write:
${targets.join("\n")}

Examples:
  robot-eval convert val_seen.json.gz --to native --out val_seen.jsonl
  robot-eval convert R2R_val_unseen.json --to r2r-vlnce --out val.json.gz --connectivity graphs/`)
    .action(convert);
}

async function convert(path: string, flags: ConvertFlags): Promise<void> {
  const { connectivity, json, ...rest } = flags;
  const report = await withInterrupt("stopping", (signal) =>
    convertDataset({
      ...rest,
      path,
      formats: createRegistries().formats,
      graphs: connectivity === undefined ? undefined : new MatterportGraphs(connectivity),
      signal,
    }),
  );
  if (json) return printJson(report);
  printData(reportText(report));
  for (const note of report.notes) say(`note: ${note}`);
}

function reportText({ from, to, out, written, left_out, dropped }: ConvertReport): string {
  const lines = [`${written} episodes of ${from.path} (${from.format}) written to ${out} (${to})`];
  if (left_out > 0) lines.push(`${left_out} listed episodes left out: their files are missing`);
  if (dropped.length === 0) return [...lines, "nothing was dropped"].join("\n");
  const rows = dropped.map(({ field, episodes, why }) => [field, String(episodes), why]);
  return [...lines, table(["dropped", "episodes", "why"], rows)].join("\n");
}
