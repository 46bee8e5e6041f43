import { loadConfig } from "../../config/load.js";
import { checkParity } from "../../evaluator/check/parity/check-parity.js";
import type {
  ParityReport,
  RolloutParity,
  WorldParity,
} from "../../evaluator/check/parity/documents.js";
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
Exits with 4 if positions, the end effector, observations or success flags are off by more than 1e-6 at any step, or by more
than 10 times the effect of rounding errors if that is more; if an outcome or the verdict about a boundary state differs; or
if no step is equal within 1e-6. Frames of the original are compared with ours by PSNR and SSIM, and do not count.

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

function textOf({ worlds, passed, tolerance }: ParityReport): string {
  const columns = [
    "world",
    "frozen on",
    "played on",
    "rollouts",
    "compared steps",
    "max |dqpos|",
    "end effector",
    "chaotic steps",
    "max |dqpos|",
    "success",
    "boundary states",
    "frames",
  ];
  const verdict = passed
    ? `all worlds agree with their originals within ${tolerance} at compared steps`
    : "not all worlds agree with their originals";
  const problems = worlds.flatMap(problemsOf).map((problem) => `${problem}\n`);
  return `${table(columns, worlds.map(rowOf))}\n${problems.join("")}${verdict}`;
}

/** Problems named per world; the JSON document has all. */
const NAMED = 3;

function problemsOf(world: WorldParity): readonly string[] {
  const found = world.rollouts.flatMap((rollout) => {
    const where = `${world.world}: episode ${rollout.episode_id} (${rollout.source})`;
    const problem = problemOf(rollout);
    return problem === undefined ? [] : [`${where}, ${problem}`];
  });
  if (world.compared_steps === 0 && world.failed_rollouts === 0)
    found.push(`${world.world}: no step could be compared`);
  const more = found.length - NAMED;
  return more > 0 ? [...found.slice(0, NAMED), `${world.world}: ${more} more, see --json`] : found;
}

function problemOf({ failure, success }: RolloutParity): string | undefined {
  if (failure?.quantity === "success") {
    return `step ${failure.step}: the success flag differs`;
  }
  if (failure) {
    const { step, quantity, error, allowed } = failure;
    return `step ${step}: ${quantity} is off by ${error.toExponential(1)}, ${allowed.toExponential(1)} is allowed`;
  }
  if (success.original === success.replay) return undefined;
  return success.original
    ? "the original succeeds, its replay fails"
    : "the original fails, its replay succeeds";
}

function boundariesOf({ boundaries: { states, inside, different } }: WorldParity): string {
  if (states === 0) return "none";
  const [first] = different;
  const equal = `${states - different.length} of ${states} equal (${inside} inside)`;
  return first ? `${equal}; not "${first.name}" of episode ${first.episode_id}` : equal;
}

/** Means over all frames. */
function framesOf({ frames }: WorldParity): string {
  if (frames === null) return "no frames recorded";
  const similarity = `${frames.mean_psnr_db.toFixed(1)} dB, SSIM ${frames.mean_ssim.toFixed(3)}`;
  return `${frames.frames.length}: ${similarity}${frames.similar ? "" : " (not similar)"}`;
}

function rowOf(world: WorldParity): string[] {
  const succeeded = world.rollouts.filter(({ success }) => success.original).length;
  const chaotic = world.max_chaotic_qpos_error;
  return [
    world.world,
    world.frozen_engine,
    world.engine,
    String(world.rollouts.length),
    `${world.compared_steps} (${(100 * world.compared_positions).toFixed(1)} % of positions)`,
    world.max_qpos_error.toExponential(1),
    `${world.max_ee_error_m.toExponential(1)} m`,
    String(world.chaotic_steps),
    chaotic === null ? "–" : chaotic.toExponential(1),
    `${(100 * world.success_agreement).toFixed(1)} % of ${world.rollouts.length} (${succeeded} succeed)`,
    boundariesOf(world),
    framesOf(world),
  ];
}
