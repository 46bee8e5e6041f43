import { Option } from "commander";
import { loadConfig } from "../../../config/load.js";
import { DEFAULT_FPS } from "../../../dataset/lerobot/step-clock.js";
import { LEROBOT_VERSIONS, type LerobotVersion } from "../../../dataset/lerobot/writer.js";
import { type CollectReport, collectDemonstrations } from "../../../generate/collect/collect.js";
import { COLLECT_TARGETS, KEEP } from "../../../generate/collect/options.js";
import { createRegistries } from "../../../registry/registries.js";
import { BENCHMARK_HELP, benchmarkFile } from "../../benchmark-file.js";
import { CliCommand } from "../../cli-command.js";
import { withInterrupt } from "../../interrupt.js";
import { positive, collect as repeated, wholeNumber } from "../../options.js";
import { printData, printJson, say } from "../../output.js";
import { Progress } from "../../progress.js";

interface CollectFlags {
  readonly to: string;
  readonly out: string;
  readonly agent?: string;
  readonly limit?: number;
  readonly first?: number;
  readonly filter?: string;
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly keep: string;
  readonly depth?: boolean;
  readonly goalImage?: boolean;
  readonly fps?: number;
  readonly lerobotVersion?: LerobotVersion;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function collectCommand(): CliCommand {
  return new CliCommand("collect")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--to <format>", `format to write: ${COLLECT_TARGETS.join(", ")}`, "lerobot")
    .output("--out <folder>", "folder to create", "folder", { required: true })
    .option("--agent <spec>", "shortest-path, noisy:0.1, ...; per task: vln=...")
    .option(
      "--limit <n>",
      "episodes per task: a sample over the scenes, by the seed",
      wholeNumber(1),
    )
    .option("--first <n>", "episodes per task, from the first of the file", wholeNumber(1))
    .option("--filter <expr>", "only these episodes: scene=house_*,id=3|7")
    .option("--seed <n>", "replaces evaluation.seed", wholeNumber(0))
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", repeated)
    .option("--keep <which>", `episodes to write: ${KEEP.join(", ")}`, "success")
    .option("--depth", "also depth images, as 16-bit PNG in millimetres")
    .option("--goal-image", "the goal image in every frame (default: for image_nav)")
    .option("--no-goal-image", "no goal image")
    .option(
      "--fps <n>",
      `frames per second (default: the simulator's rate, or ${DEFAULT_FPS})`,
      positive,
    )
    .addOption(
      new Option(
        "--lerobot-version <version>",
        "version of LeRobot's format (default: 3.0)",
      ).choices(LEROBOT_VERSIONS),
    )
    .option("--force", "replace an existing dataset")
    .option("--json", "print one JSON document")
    .remarks(`
Examples:
  robot-eval collect vln_challenge --agent shortest-path --out vln-train
  robot-eval collect my.yaml --limit 20 --keep all --depth --out tries --set simulator.sensors.rgb.width=224`)
    .action(collect);
}

async function collect(benchmark: string, flags: CollectFlags): Promise<void> {
  const file = benchmarkFile(benchmark);
  const { set, json, ...rest } = flags;
  const progress = new Progress();
  say(
    flags.keep === "success"
      ? "only successful episodes are written, and failures are dropped; --keep all writes both"
      : "successful and failed episodes are written",
  );
  const report = await withInterrupt("stopping", (signal) =>
    collectDemonstrations(loadConfig(file, set ? { set } : {}), {
      ...rest,
      registries: createRegistries(),
      signal,
      onEvent: progress.onEvent,
    }),
  );
  progress.finish();
  if (json) return printJson(report);
  printData(reportText(report));
  for (const note of report.notes) say(`note: ${note}`);
}

function reportText(report: CollectReport): string {
  const { episodes, frames, to, out, bytes, fps, features, left_out } = report;
  const perFrame = Math.round(bytes / Math.max(1, frames));
  const lines = [
    `${episodes} episodes with ${frames} frames written to ${out} (${to}), ${fps} frames per second`,
    `features: ${features.join(", ")}`,
    `size: ${size(bytes)}, ${size(perFrame)} a frame`,
  ];
  const rest = Object.entries(left_out).filter(([, count]) => count > 0);
  if (rest.length > 0) {
    lines.push(`left out: ${rest.map(([outcome, count]) => `${count} ${outcome}`).join(", ")}`);
  }
  return lines.join("\n");
}

function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
