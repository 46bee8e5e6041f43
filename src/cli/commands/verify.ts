import { Command } from "commander";
import type { BundleCheck, VerifyReport } from "../../evaluator/verify/documents.js";
import { verifyBundle } from "../../evaluator/verify-bundle.js";
import { differenceLines, tellProgress } from "../check-text.js";
import { interruptible } from "../interrupt.js";
import { collect, wholeNumber } from "../options.js";
import { paint, printData, printJson, say, table } from "../output.js";

interface VerifyFlags {
  readonly key?: string;
  readonly benchmark?: string;
  readonly scenes?: string;
  readonly connectivity?: string;
  readonly plugin?: readonly string[];
  readonly workers?: number;
  readonly json?: boolean;
}

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check a bundle: its files, its numbers, and every step by replaying it")
    .argument("<bundle>", "what `robot-eval bundle` made")
    .option("--key <public.pem>", "the key that must have signed it")
    .option("--benchmark <file.yaml>", "your copy of its benchmark, whose dataset it must be of")
    .option("--scenes <folder>", "your copy of the scenes' files, in place of the bundle's")
    .option("--connectivity <folder>", "your copy of the navigation graphs, likewise")
    .option("--plugin <module>", "a plugin's file or package; may be repeated", collect)
    .option("--workers <n>", "threads that replay (default: as for `run`)", wholeNumber(1))
    .option("--json", "print the report as one JSON document")
    .addHelpText(
      "after",
      `
Exits with 4 when anything in it is not what it should be.

Examples:
  robot-eval verify result.bundle.tgz
  robot-eval verify result.bundle.tgz --key public.pem --benchmark vln.yaml --scenes data/scene_datasets`,
    )
    .action(verify);
}

async function verify(file: string, flags: VerifyFlags): Promise<void> {
  const interrupt = interruptible("stopping after the episodes under way");
  const { key, benchmark, scenes, connectivity, plugin: plugins, workers = "auto" } = flags;
  try {
    const report = await verifyBundle(file, {
      ...{ key, benchmark, scenes, connectivity, plugins, workers },
      signal: interrupt.signal,
      onStage: (text) => say(`${text} ...`),
      onProgress: tellProgress("replayed"),
    });
    if (flags.json) printJson(report);
    else printData(reportText(report));
    for (const warning of report.warnings) say(`warning: ${warning}`);
    process.exitCode = report.interrupted ? 130 : report.verified ? 0 : 4;
  } finally {
    interrupt.release();
  }
}

const MARKS = {
  ok: ["green", "ok"],
  failed: ["red", "FAILED"],
  unknown: ["yellow", "unknown"],
} as const;

function reportText(report: VerifyReport): string {
  const { run_id, benchmark, agent, checks, replay } = report;
  const rows = checks.map(({ name, status, text }: BundleCheck) => {
    const [colour, mark] = MARKS[status];
    return [`  ${name}`, paint(colour, mark), text];
  });
  return [
    paint("bold", `${benchmark.name} · agent ${agent} · ${run_id}`),
    table(["  check", "", ""], rows),
    ...differenceLines(replay?.different ?? []),
    verdict(report),
  ].join("\n");
}

function verdict({ verified, interrupted, warnings, replay }: VerifyReport): string {
  if (interrupted) return "stopped: not all of it was checked";
  if (verified) return "verified: what was recorded happens again, and gives these numbers";
  const isReplay = (replay?.different.length ?? 0) > 0;
  return isReplay && warnings.length > 0
    ? "NOT verified; other versions may be the reason, so try those that the run was made with"
    : "NOT verified";
}
