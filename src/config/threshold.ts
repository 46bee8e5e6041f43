/** What a threshold is compared with: the mean, or an end of its 95 % interval. */
const STATISTICS = ["mean", "ci_low", "ci_high"] as const;

/** A value that a metric must reach. */
export interface Threshold {
  /** As it was written. */
  readonly text: string;
  /** Absent: over all tasks. */
  readonly task?: string;
  readonly metric: string;
  readonly statistic: (typeof STATISTICS)[number];
  /** `=`: at least, or at most for a metric for which less is better. */
  readonly comparison: ">=" | "<=" | "=";
  readonly value: number;
}

export const THRESHOLD_HINT =
  "write [task.]metric[.ci_low|.ci_high], then =, >= or <= and a number: success=0.5, vln.success>=0.5, success.ci_low>=0.9, navigation_error<=3";

const FORM = /^(?<name>[^<>=\s]+)\s*(?<comparison>>=|<=|=)\s*(?<value>[^<>=\s]+)$/;

/** Reads `vln.success.ci_low>=0.5`; undefined if it has another form. */
export function readThreshold(text: string): Threshold | undefined {
  const { name = "", comparison, value } = FORM.exec(text.trim())?.groups ?? {};
  const parts = name.split(".");
  const statistic = STATISTICS.find((one) => parts.length > 1 && one === parts.at(-1));
  const named = statistic ? parts.slice(0, -1) : parts;
  const metric = named.at(-1) ?? "";
  const task = named.slice(0, -1).join(".");
  const number = Number(value);
  if (parts.includes("") || value === undefined || !Number.isFinite(number)) return undefined;
  if (comparison !== ">=" && comparison !== "<=" && comparison !== "=") return undefined;
  return {
    text,
    ...(task === "" ? {} : { task }),
    metric,
    statistic: statistic ?? "mean",
    comparison,
    value: number,
  };
}
