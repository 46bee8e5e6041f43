import { loadConfig } from "../../config/load.js";
import type { Finding } from "../../evaluator/probe/findings.js";
import { type ProbeReport, probePolicy } from "../../evaluator/probe/probe.js";
import { benchmarkFile } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { withoutHints } from "../hints.js";
import { collect, wholeNumber } from "../options.js";
import { paint, printResult, say } from "../output.js";

interface Flags {
  readonly task?: string;
  readonly set?: readonly string[];
  readonly benchmark: string;
  readonly steps: number;
  readonly json?: boolean;
}

export function probeCommand(): CliCommand {
  return new CliCommand("probe")
    .argument("<agent>", "ws://host:8000, openpi+ws://..., listen:8000; also a built-in agent")
    .option("--task <name>", "a task of the benchmark (default: the first that fits the policy)")
    .option(
      "--benchmark <benchmark>",
      "benchmark with the task, sensors and `policy:` section to use: a name or a YAML file",
      "unified_smoke",
    )
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--steps <n>", "actions to request in each of two episodes", wholeNumber(1), 20)
    .option("--json", "print one JSON document")
    .remarks(
      "\nExamples:\n  robot-eval probe ws://localhost:8000\n  robot-eval probe openpi+ws://localhost:8000 --benchmark my.yaml --task pick_place",
    )
    .action(async (agent: string, { task, benchmark, steps, set, json }: Flags) => {
      const loaded = loadConfig(benchmarkFile(benchmark), set ? { set } : {});
      if (!json) say(`probing ${agent}, ${steps} steps, twice ...`);
      const report = await probePolicy(loaded, { agent, task, steps });
      printResult(json, report, textOf);
      // 4: a check failed. 1 would be an internal error of this program.
      process.exitCode = report.healthy ? 0 : 4;
    });
}

const MARKS = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  failed: ["red", "FAILED "],
} as const;

function textOf({ task, peer, findings, healthy }: ProbeReport): string {
  const { texts, hints } = withoutHints(findings.map(({ text }) => text));
  const width = Math.max(...findings.map(({ name }) => name.length));
  const line = ({ name, status }: Finding, i: number) => {
    const [style, mark] = MARKS[status];
    const text = texts[i] ?? "";
    return `${paint(style, mark)} ${name.padEnd(width)}  ${text.replaceAll("\n", `\n${" ".repeat(width + 10)}`)}`;
  };
  const declared = Object.entries(peer ?? {}).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  const warnings = findings.filter(({ status }) => status === "warning").length;
  const verdict = healthy
    ? warnings > 0
      ? `it works; ${warnings} thing${warnings > 1 ? "s" : ""} to look at`
      : "it works"
    : "it does not work yet";
  return [
    ...(declared.length > 0 ? ["the policy says:", ...declared, ""] : []),
    `task ${task}`,
    ...findings.map(line),
    ...(hints.length > 0 ? ["", ...hints] : []),
    "",
    verdict,
  ].join("\n");
}
