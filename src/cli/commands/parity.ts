import { loadConfig } from "../../config/load.js";
import { checkParity } from "../../evaluator/check/parity/check-parity.js";
import type { ParityReport, WorldParity } from "../../evaluator/check/parity/documents.js";
import { BENCHMARK_HELP, benchmarkFile } from "../benchmark-file.js";
import { CliCommand } from "../cli-command.js";
import { withInterrupt } from "../interrupt.js";
import { collect } from "../options.js";
import { printResult, say, table } from "../output.js";

interface ParityFlags {
  readonly set?: readonly string[];
  readonly json?: boolean;
}

export function parityCommand(): CliCommand {
  return new CliCommand("parity")
    .argument("<benchmark>", BENCHMARK_HELP)
    .option("--set <path=value>", "change a value of the benchmark (repeatable)", collect)
    .option("--json", "print one JSON document")
    .remarks(`
Exits with 4 if a position is off by more than 1e-6, or an outcome or the verdict about a boundary state differs from the
original's.

Examples:
  robot-eval parity lift/benchmark.yaml
  robot-eval parity lift/benchmark.yaml --json`)
    .action(parity);
}

async function parity(benchmark: string, { set, json }: ParityFlags): Promise<void> {
  const loaded = loadConfig(benchmarkFile(benchmark), set ? { set } : {});
  const report = await withInterrupt("stopping after the rollout under way", (signal) =>
    checkParity(loaded, { signal, onProgress: json ? undefined : say }),
  );
  printResult(json, report, textOf);
  process.exitCode = report.passed ? 0 : 4;
}

function textOf({ worlds, passed, tolerance_qpos }: ParityReport): string {
  const columns = [
    "world",
    "frozen on",
    "played on",
    "rollouts",
    "chaotic",
    "max |dqpos|",
    "end effector",
    "over at",
    "success",
    "boundary states",
  ];
  const verdict = passed
    ? `all worlds agree with their originals within ${tolerance_qpos}`
    : "not all worlds agree with their originals";
  return `${table(columns, worlds.map(rowOf))}\n${verdict}; no frames recorded`;
}

function boundariesOf({ boundaries: { states, inside, different } }: WorldParity): string {
  if (states === 0) return "none";
  const [first] = different;
  const equal = `${states - different.length} of ${states} equal (${inside} inside)`;
  return first ? `${equal}; not "${first.name}" of episode ${first.episode_id}` : equal;
}

function rowOf(world: WorldParity): string[] {
  const succeeded = world.rollouts.filter(({ success }) => success.original).length;
  return [
    world.world,
    world.frozen_engine,
    world.engine,
    String(world.rollouts.length),
    String(world.chaotic),
    world.max_qpos_error.toExponential(1),
    `${world.max_ee_error_m.toExponential(1)} m`,
    world.first_step_over === null ? "never" : `step ${world.first_step_over}`,
    `${(100 * world.success_agreement).toFixed(1)} % of ${world.rollouts.length} (${succeeded} succeed)`,
    boundariesOf(world),
  ];
}
