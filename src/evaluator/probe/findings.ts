import { isDeepStrictEqual } from "node:util";
import type { TaskConventions } from "../../core/task/conventions.js";
import { latencySummary } from "../../stats/quantile.js";
import type { Watched } from "./watch.js";

/** The result of one check of a policy. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warning" | "failed";
  readonly text: string;
}

/** Share of an action's values outside their limits above which a warning is given. */
const OUTSIDE_SHARE = 0.1;
/** Share of the range by which learned policies overshoot it without having wrong units. */
const OVERSHOOT = 0.02;

export function readiness({ readyMs, answers }: Watched): Finding[] {
  const [first, ...later] = answers;
  const findings: Finding[] = [
    { name: "episode_ready", status: "ok", text: `after ${ms(readyMs)}` },
  ];
  if (first) {
    findings.push({ name: "first action", status: "ok", text: `after ${ms(first.ms)}` });
  }
  const latency = latencySummary(later.map((answer) => answer.ms));
  if (latency) {
    findings.push({
      name: "latency",
      status: "ok",
      text: `p50 ${ms(latency.p50)}, p95 ${ms(latency.p95)}, p99 ${ms(latency.p99)} over ${latency.n} actions`,
    });
  }
  return findings;
}

/** Limits of an episode of the benchmark. */
interface Allowance {
  readonly actions: number;
  readonly timeoutMs: number;
}

/** Warns of a policy that is too slow for the benchmark's time limit; a short probe does not show it. */
export function pace({ answers }: Watched, { actions, timeoutMs }: Allowance): Finding | undefined {
  const [, ...later] = answers;
  if (later.length === 0) return undefined;
  // The mean, not the median: only the first action of a chunk takes time.
  const mean = later.reduce((sum, answer) => sum + answer.ms, 0) / later.length;
  const whole = mean * actions;
  if (whole < timeoutMs) return undefined;
  const seconds = (value: number) => `${Math.round(value / 1000)} s`;
  return {
    name: "pace",
    status: "warning",
    text: `too slow: at ${ms(mean)} an action, an episode of ${actions} actions takes ${seconds(whole)}, and the time limit ends it after ${seconds(timeoutMs)}. Raise evaluation.timeout, or answer with chunks of actions`,
  };
}

/** Warns of a policy that always gives the same action. */
export function variety({ answers }: Watched): Finding | undefined {
  const [first, ...rest] = answers;
  if (!first || rest.length < 4) return undefined;
  if (rest.some(({ raw }) => !isDeepStrictEqual(raw, first.raw))) {
    return { name: "actions", status: "ok", text: `${answers.length} valid, not all the same` };
  }
  return {
    name: "actions",
    status: "warning",
    text: `${answers.length} valid, every one the same: does the policy use what it sees?`,
  };
}

/** Values outside the limits are clamped without an error, so a policy with wrong units needs this warning. */
export function limits({ space, answers }: Watched): Finding | undefined {
  const vectors = answers.flatMap(({ raw }) => (Array.isArray(raw) ? [raw as number[]] : []));
  if (vectors.length === 0) return undefined;
  const outside = Array.from({ length: space.size }, (_, i) => {
    const [low, high] = space.limits(i) ?? [-Infinity, Infinity];
    const slack = Number.isFinite(high - low) ? OVERSHOOT * (high - low) : 1e-6;
    const beyond = vectors.filter((v) => (v[i] ?? 0) < low - slack || (v[i] ?? 0) > high + slack);
    return { i, low, high, share: beyond.length / vectors.length, sample: beyond[0]?.[i] };
  }).filter(({ share }) => share > OUTSIDE_SHARE);
  if (outside.length === 0) {
    return { name: "limits", status: "ok", text: "the actions keep to the robot's limits" };
  }
  const places = outside.map(
    ({ i, low, high, share, sample }) =>
      `action[${i}] in ${Math.round(share * 100)} % of the steps (${sample?.toPrecision(3)}, limits ${low} to ${high})`,
  );
  return {
    name: "limits",
    status: "warning",
    text: `outside its limits, and cut: ${places.join("; ")}. Other units, another order or another gripper convention?`,
  };
}

/** Joint position, in rad or m, beyond which absolute actions differ clearly from deltas. */
const FAR = 0.2;
/** Minimum number of such values for a verdict. */
const ENOUGH = 5;

/** Warns of deltas sent where positions are expected: all joints then move towards zero. */
export function absoluteOrDelta(
  { answers }: Watched,
  conventions: TaskConventions,
): Finding | undefined {
  if (conventions.control_mode !== "joint_position") return undefined;
  let told = 0;
  let small = 0;
  for (const { raw, qpos } of answers) {
    if (!Array.isArray(raw) || !qpos) continue;
    for (const [i, value] of qpos.entries()) {
      if (Math.abs(value) < FAR) continue;
      told++;
      if (Math.abs(Number(raw[i])) < Math.abs(value) / 4) small++;
    }
  }
  if (told < ENOUGH) return undefined;
  if (small / told < 0.8) {
    return { name: "positions", status: "ok", text: "the actions look like joint positions" };
  }
  return {
    name: "positions",
    status: "warning",
    text: "the actions look like deltas, but this task takes joint positions: set control_mode: joint_delta in the benchmark, or add qpos to each delta",
  };
}

/** Compares two runs of one episode: a difference comes from randomness or from state the policy kept. */
export function repeatability(first: Watched, second: Watched): Finding {
  const actions = ({ answers }: Watched) => answers.map(({ raw }) => raw);
  if (isDeepStrictEqual(actions(first), actions(second))) {
    return { name: "repeated", status: "ok", text: "the same episode gave the same actions" };
  }
  return {
    name: "repeated",
    status: "warning",
    text: "the same episode gave other actions: the policy draws by chance (use the seed of reset_episode) or keeps something from the last episode",
  };
}

function ms(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}
