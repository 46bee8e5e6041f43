import { Option } from "commander";
import { LEROBOT_VERSIONS, type LerobotVersion } from "../../dataset/lerobot/writer.js";
import { ImageReplay } from "../../evaluator/check/replay/replay-images.js";
import { createRegistries } from "../../registry/registries.js";
import { EXPORT_FORMATS, type ExportReport, exportRun } from "../../runs/export/export.js";
import type { Only } from "../../runs/export/format.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { positive, rejectUnused, wholeNumber } from "../options.js";
import { printData, printJson, say } from "../output.js";
import { type PermissionFlags, permissionOptions, permissionsIn } from "../permission-options.js";

const PERMISSIONS = ["scenes", "connectivity", "plugin", "simulator", "benchmark"] as const;

interface ExportFlags extends PermissionFlags {
  readonly to: string;
  readonly out: string;
  readonly task?: string;
  readonly only?: Only;
  readonly episode?: string;
  readonly repeat?: number;
  readonly fps?: number;
  readonly lerobotVersion?: LerobotVersion;
  readonly images?: boolean;
  readonly partial?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function exportCommand(): CliCommand {
  const formats = EXPORT_FORMATS.map(
    ({ name, description }) => `  ${name.padEnd(8)} ${description}`,
  );
  return new CliCommand("export")
    .argument("<run>", "run directory")
    .requiredOption("--to <format>", "format to write")
    .output("--out <path>", "file or folder to write", "file-or-folder", { required: true })
    .option("--task <name>", "only episodes of this task of the benchmark")
    .addOption(
      new Option("--only <outcome>", "only episodes with this outcome (default: all)").choices([
        "success",
        "failure",
        "all",
      ]),
    )
    .option("--episode <key>", "one episode, by its key or an id that only one has")
    .option("--repeat <n>", "which repeat of that episode (default: 0)", wholeNumber(0))
    .option("--fps <n>", "steps per second, if the simulator has no clock", positive)
    .addOption(
      new Option(
        "--lerobot-version <version>",
        "version of LeRobot's format (default: 3.0)",
      ).choices(LEROBOT_VERSIONS),
    )
    .option("--images", "for lerobot: render the policy's colour images again by replaying the run")
    .option("--partial", "leave out invalid episodes, which a submission cannot contain")
    .option("--force", "replace an existing export")
    .option("--json", "print one JSON document")
    .with(permissionOptions())
    .remarks(`
Formats:
${formats.join("\n")}

Examples:
  robot-eval export runs/20260101T120000Z-vln-challenge-random --to csv --out episodes.csv
  robot-eval export runs/20260101T120000Z-unified-smoke-expert --to lerobot --task stacking --out stacking
  robot-eval export runs/20260101T120000Z-vln-challenge-random --to mcap --episode vln/apartment/100/1 --out one.mcap`)
    .action(exportFrom);
}

async function exportFrom(path: string, flags: ExportFlags): Promise<void> {
  const { json, images: wantsImages, benchmark, simulator, plugin, ...rest } = flags;
  const { scenes, connectivity, ...choices } = rest;
  if (!wantsImages) rejectUnused(flags, PERMISSIONS, "without --images");
  const replay = wantsImages ? new ImageReplay(path, permissionsIn(flags)) : undefined;
  const report = await withInterrupt("stopping", async (signal) => {
    try {
      return await exportRun({
        ...choices,
        ...{ path, registries: createRegistries(), signal },
        images: replay && ((line) => replay.framesOf(line)),
      });
    } finally {
      await replay?.close();
    }
  });
  if (json) return printJson(report);
  printData(reportText(report));
  for (const note of report.notes) say(`note: ${note}`);
}

function reportText({ episodes, frames, left_out, run_id, out, to }: ExportReport): string {
  const steps = frames === undefined ? "" : ` with ${frames} frames`;
  const what = episodes === 1 ? "1 episode" : `${episodes} episodes`;
  const rest = left_out ? `, ${left_out} left out` : "";
  return `${what}${steps} of ${run_id} written to ${out} (${to})${rest}`;
}
