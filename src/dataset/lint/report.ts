import { findProblems, type LintOptions } from "./lint.js";
import type { LintFinding, Severity } from "./types.js";

/** The result of a lint run. Its keys are those of `lint --json`. */
export interface LintReport {
  readonly format: "robot-eval-lint/1";
  readonly dataset: string;
  /** Null if the file is too damaged to detect its format. */
  readonly format_name: string | null;
  readonly episodes: number;
  readonly unreadable: number;
  readonly counts: Readonly<Record<Severity, number>>;
  /** Counts by rule and severity, including findings that are not listed. The most severe come first. */
  readonly rules: readonly LintRuleCount[];
  readonly findings: readonly LintFinding[];
}

interface LintRuleCount {
  readonly code: string;
  readonly severity: Severity;
  readonly why: string;
  readonly count: number;
  readonly shown: number;
}

const DEFAULT_SHOWN = 10;
const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/**
 * Checks a dataset for problems.
 *
 * @example
 * const { formats } = createRegistries();
 * const { counts, findings } = await lintDataset({ path: "val_seen.json.gz", formats });
 */
export async function lintDataset(
  options: LintOptions & {
    /** Maximum findings to keep for each rule, 10 by default; the rest are only counted. */
    readonly maxPerRule?: number | undefined;
  },
): Promise<LintReport> {
  const { maxPerRule = DEFAULT_SHOWN } = options;
  const groups = new Map<string, { readonly shown: LintFinding[]; count: number }>();
  const problems = findProblems(options);
  let step = await problems.next();
  for (; !step.done; step = await problems.next()) {
    const finding = step.value;
    const name = `${SEVERITIES.indexOf(finding.severity)} ${finding.code}`;
    const group = groups.get(name) ?? { shown: [], count: 0 };
    groups.set(name, group);
    group.count++;
    // At least one finding is kept, because it describes the rule.
    if (group.shown.length < Math.max(1, maxPerRule)) group.shown.push(finding);
  }
  const { format, episodes, unreadable } = step.value;
  const counts = { error: 0, warning: 0, info: 0 };
  const rules: LintRuleCount[] = [];
  const findings: LintFinding[] = [];
  for (const [, { shown, count }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = shown;
    if (!first) continue;
    const { code, severity, why } = first;
    const kept = shown.slice(0, maxPerRule);
    counts[severity] += count;
    rules.push({ code, severity, why, count, shown: kept.length });
    findings.push(...kept);
  }
  return {
    format: "robot-eval-lint/1",
    dataset: options.path,
    format_name: format,
    episodes,
    unreadable,
    counts,
    rules,
    findings,
  };
}
