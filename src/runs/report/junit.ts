import type { EpisodeLine, MetricTable, Outcome } from "../../core/interfaces/result.js";
import { agentText } from "../../core/policy-identity.js";
import { escapeXml } from "../../simulator/maps/svg.js";
import { lineName } from "../directory/line-name.js";
import { type ThresholdVerdict, targetOf, verdictText } from "../thresholds.js";
import { type RunReport, type TaskReport, total } from "./read.js";

/**
 * The report as JUnit XML for build servers: one suite per task, one case per episode. A failed episode is a
 * failure and an invalid one an error. Thresholds are cases of a separate suite.
 */
export async function junitXml(
  report: RunReport,
  thresholds: readonly ThresholdVerdict[],
): Promise<string> {
  const missed = thresholds.filter(({ passed }) => !passed);
  const { summary, tasks } = report;
  const suites: string[] = [];
  for (const task of tasks) suites.push(await suiteOf(report, task));
  const count = (outcome: Outcome) => tasks.reduce((sum, task) => sum + task.outcomes[outcome], 0);
  const [success, failure, invalid] = [count("success"), count("failure"), count("invalid")];
  const all = attributes({
    name: `${summary.benchmark} · ${agentText(summary)}`,
    tests: success + failure + invalid + thresholds.length,
    failures: failure + missed.length,
    errors: invalid,
    time: seconds(summary.timings.wall_ms),
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${all}>`,
    ...(thresholds.length > 0 ? [thresholdSuite(thresholds)] : []),
    ...suites,
    `</testsuites>\n`,
  ].join("\n");
}

/** Reads the episode file once per task, because the episodes of different tasks are interleaved in it. */
async function suiteOf({ run, info, summary }: RunReport, task: TaskReport): Promise<string> {
  const cases: string[] = [];
  let wallMs = 0;
  for await (const line of run.episodes()) {
    if (line.task !== task.name) continue;
    wallMs += line.wall_ms;
    cases.push(caseOf(line));
  }
  const head = attributes({
    name: task.name,
    tests: total(task.outcomes),
    failures: task.outcomes.failure,
    errors: task.outcomes.invalid,
    skipped: 0,
    time: seconds(wallMs),
    timestamp: String(info.started_at).replace(/\.\d+Z?$|Z$/, ""),
  });
  return [
    `<testsuite${head}>`,
    properties({
      run_id: info.run_id,
      status: summary.status,
      "partial.scored": summary.partial?.scored,
      "partial.of": summary.partial?.of,
      seed: info.seed,
      profile: summary.profiles[task.name],
      benchmark_sha256: info.benchmark.sha256,
      ...metricProperties(summary.per_task[task.name] ?? {}),
    }),
    ...cases,
    `</testsuite>`,
  ].join("\n");
}

function metricProperties(metrics: MetricTable): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, { mean, ci95, count }]) => [
      [name, mean],
      [`${name}.ci95_low`, ci95?.[0]],
      [`${name}.ci95_high`, ci95?.[1]],
      [`${name}.n`, count],
    ]),
  );
}

function caseOf(line: EpisodeLine): string {
  const { episode_key, task, scene_id, repeat, outcome, explanation, error } = line;
  const head = attributes({
    name: lineName(episode_key, repeat),
    classname: `${task}.${String(scene_id).replaceAll(".", "_")}`,
    time: seconds(line.wall_ms),
  });
  const told = {
    ...line.metrics,
    end_reason: line.end_reason,
    steps: line.steps,
    initial_state_hash: line.initial_state_hash,
    final_state_hash: line.final_state_hash,
  };
  const verdict = {
    success: "",
    failure: `<failure${attributes({ message: explanation, type: line.fault === undefined ? line.end_reason : `${line.fault}_fault` })}/>`,
    invalid: `<error${attributes({ message: error?.message ?? explanation, type: error?.code ?? `${line.fault}_fault` })}/>`,
  }[outcome];
  return `<testcase${head}>${properties(told)}${verdict}</testcase>`;
}

function thresholdSuite(thresholds: readonly ThresholdVerdict[]): string {
  const head = attributes({
    name: "thresholds",
    tests: thresholds.length,
    failures: thresholds.filter(({ passed }) => !passed).length,
    errors: 0,
    time: 0,
  });
  const cases = thresholds.map((verdict) => {
    const { value, required, passed } = verdict;
    const failure = attributes({ message: verdictText(verdict), type: "threshold_missed" });
    const about = attributes({ name: targetOf(verdict), classname: "thresholds", time: 0 });
    return `<testcase${about}>${properties({ value, required })}${passed ? "" : `<failure${failure}/>`}</testcase>`;
  });
  return [`<testsuite${head}>`, ...cases, `</testsuite>`].join("\n");
}

/** Omits properties without a value. */
function properties(values: Readonly<Record<string, unknown>>): string {
  const each = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`<property${attributes({ name, value })}/>`],
  );
  return `<properties>${each.join("")}</properties>`;
}

function attributes(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${attribute(String(value ?? ""))}"`)
    .join("");
}

/** Escapes line breaks and tabs as well: XML parsers turn them into spaces inside attributes. */
function attribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? (ms / 1000).toFixed(3) : "0";
}
