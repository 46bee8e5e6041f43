import type {
  BundleCheck,
  OwnSelection,
  VerifyReport,
} from "../../evaluator/check/verify/documents.js";
import { verifyBundle } from "../../evaluator/check/verify-bundle.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { collect, rejectUnused, wholeNumber } from "../options.js";
import { paint, printResult, say, table } from "../output.js";
import { type PermissionFlags, permissionsIn } from "../permission-options.js";
import { differenceLines, errorLines, tellProgress } from "../text/check-text.js";

interface VerifyFlags extends PermissionFlags, OwnSelection {
  readonly key?: string;
  readonly workers?: number;
  readonly json?: boolean;
}

export function verifyCommand(): CliCommand {
  return new CliCommand("verify")
    .argument("<bundle>", "what `robot-eval bundle` made")
    .option("--key <public.pem>", "the key that must have signed it")
    .option(
      "--benchmark <benchmark>",
      "your copy of its benchmark, by name or file; its dataset must match",
    )
    .option(
      "--limit <n>",
      "with --benchmark: expect a sample of n episodes per task",
      wholeNumber(1),
    )
    .option("--first <n>", "with --benchmark: expect the first n episodes per task", wholeNumber(1))
    .option("--filter <expr>", "with --benchmark: expect these episodes, as with `run`")
    .option("--shard <i/n>", "with --benchmark: expect this part of n")
    .option("--seed <n>", "with --benchmark: the expected seed", wholeNumber(0))
    .option("--set <path=value>", "with --benchmark: an expected setting (repeatable)", collect)
    .option("--scenes <folder>", "your copy of the scenes' files, in place of the bundle's")
    .option(
      "--connectivity <folder>",
      "your copy of the navigation graphs, in place of the bundle's",
    )
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .option("--simulator <command|url>", "the program or address of a remote simulator")
    .option("--workers <n>", "threads that replay (default: as for `run`)", wholeNumber(1))
    .option("--json", "print the report as one JSON document")
    .remarks(`
Exits with 4 if a check fails or an episode is missing. The run's own selection (--filter, --limit, --shard, --seed,
--set) is not trusted: give your own.

Examples:
  robot-eval verify result.bundle.tgz
  robot-eval verify result.bundle.tgz --key public.pem --benchmark vln_challenge`)
    .action(verify);
}

async function verify(file: string, flags: VerifyFlags): Promise<void> {
  if (flags.benchmark === undefined) {
    const hint = "add your copy of the benchmark: --benchmark <file.yaml>";
    rejectUnused(
      flags,
      ["limit", "first", "filter", "shard", "seed", "set"],
      "without --benchmark",
      hint,
    );
  }
  const { key, workers = "auto", limit, first, filter, shard, seed, set } = flags;
  const report = await withInterrupt("stopping after the episodes under way", (signal) =>
    verifyBundle(file, {
      ...permissionsIn(flags),
      ...{ key, workers, limit, first, filter, shard, seed, set, signal },
      onStage: (text) => say(`${text} ...`),
      onProgress: tellProgress("replayed"),
    }),
  );
  printResult(flags.json, report, reportText);
  for (const warning of report.warnings) say(`warning: ${warning}`);
  process.exitCode = report.interrupted ? 130 : report.verified ? 0 : 4;
}

const MARKS = {
  ok: ["green", "ok"],
  failed: ["red", "FAILED"],
  partial: ["red", "PARTIAL"],
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
    ...errorLines(replay?.errors ?? []),
    verdict(report),
  ].join("\n");
}

function verdict(report: VerifyReport): string {
  const { warnings, replay, attested } = report;
  const source = attested.by === "signature" ? "attested by the signature only" : "not attested";
  const taken = `${source}: times, latencies, the agent's name, why episodes are invalid (docs/bundles.md)`;
  switch (report.verdict) {
    case "interrupted":
      return "stopped: the check is incomplete";
    case "verified":
      return `verified: ${countText(report)}; the replay reproduces the recording and these numbers\n${taken}`;
    case "partial":
      return `NOT verified, partial: ${countText(report)}; the replay reproduces these episodes, but others are missing\n${taken}`;
    case "not_verified": {
      const isReplay = (replay?.different.length ?? 0) > 0;
      return isReplay && warnings.length > 0
        ? "NOT verified; other versions may be the cause: try those of the run"
        : "NOT verified";
    }
  }
}

function countText({ episodes: { judged, invalid, of } }: VerifyReport): string {
  const counted = of === null ? `${judged} episodes` : `${judged} of ${of} episodes`;
  return invalid > 0 ? `${counted} (${invalid} invalid)` : counted;
}
