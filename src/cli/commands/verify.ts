import { Command } from "commander";
import {
  type BundleCheck,
  type VerifyReport,
  verifyBundle,
} from "../../evaluator/verify-bundle.js";
import { interruptible } from "../interrupt.js";
import { wholeNumber } from "../options.js";
import { paint, printData, printJson, say, table } from "../output.js";

interface VerifyFlags {
  readonly key?: string;
  readonly scenes?: string;
  readonly connectivity?: string;
  readonly workers?: number;
  readonly json?: boolean;
}

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check a bundle: its files, its numbers, and every step by replaying it")
    .argument("<bundle>", "what `robot-eval bundle` made")
    .option("--key <public.pem>", "the key that must have signed it")
    .option("--scenes <folder>", "the scenes' files, where the bundle has none")
    .option("--connectivity <folder>", "navigation graphs, likewise")
    .option("--workers <n>", "threads that replay (default: as for `run`)", wholeNumber(1))
    .option("--json", "print the report as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  robot-eval verify result.bundle.tgz
  robot-eval verify result.bundle.tgz --key public.pem --scenes data/scene_datasets`,
    )
    .action(verify);
}

async function verify(file: string, flags: VerifyFlags): Promise<void> {
  const interrupt = interruptible("stopping after the episodes under way");
  let report: VerifyReport;
  try {
    const { key, scenes, connectivity, workers = "auto" } = flags;
    const { signal } = interrupt;
    report = await verifyBundle(file, { key, scenes, connectivity, workers, signal });
  } finally {
    interrupt.release();
  }
  if (flags.json) printJson(report);
  else printData(reportText(report));
  for (const warning of report.replay.warnings) say(`warning: ${warning}`);
  if (interrupt.signal.aborted) process.exitCode = 130;
  else process.exitCode = report.verified ? 0 : 4;
}

const MARKS = { ok: ["green", "ok"], failed: ["red", "FAILED"], unknown: ["yellow", "–"] } as const;

function reportText({ run_id, benchmark, agent, checks, verified, replay }: VerifyReport): string {
  const rows = checks.map(({ name, status, text }: BundleCheck) => {
    const [colour, mark] = MARKS[status];
    return [`  ${name}`, paint(colour, mark), text];
  });
  const first = replay.different.slice(0, 5).map(({ episode_key, step, field, why }) => {
    const at = step === null ? "" : ` at step ${step}`;
    return `  ${episode_key}${at}: ${why ?? field}`;
  });
  return [
    paint("bold", `${benchmark} · agent ${agent} · ${run_id}`),
    table(["  check", "", ""], rows),
    ...first,
    verified ? "the result is what this bundle says it is" : "the result could not be confirmed",
  ].join("\n");
}
