import { formatInterval, formatNumber } from "../format.js";
import { useT } from "../i18n/index.js";

export interface IntervalBarProps {
  readonly mean: number | null;
  readonly ci95: readonly [number, number] | null;
  /** The values at the bar's ends. */
  readonly scale: readonly [number, number];
  /** Marked with a line, for example 0 in a plot of differences. */
  readonly origin?: number;
  readonly tone?: "plain" | "better" | "worse";
}

/** A mean as a dot on its 95 % interval. The label gives the numbers to screen readers. */
export function IntervalBar({ mean, ci95, scale, origin, tone = "plain" }: IntervalBarProps) {
  const t = useT();
  if (mean === null) return <span className="interval-bar empty">{t("metric.none")}</span>;
  const share = (value: number) =>
    100 * Math.min(1, Math.max(0, (value - scale[0]) / (scale[1] - scale[0] || 1)));
  const at = (value: number) => `${share(value).toFixed(2)}%`;
  const label = ci95
    ? t("metric.interval_label", { mean: formatNumber(mean), interval: formatInterval(ci95) })
    : formatNumber(mean);
  return (
    <svg className={`interval-bar ${tone}`} role="img" aria-label={label}>
      <rect className="track" width="100%" height="8" y="6" rx="4" />
      {origin !== undefined && (
        <line className="origin" x1={at(origin)} x2={at(origin)} y1="0" y2="20" />
      )}
      {ci95 && (
        <rect
          className="band"
          x={at(ci95[0])}
          width={`${(share(ci95[1]) - share(ci95[0])).toFixed(2)}%`}
          y="6"
          height="8"
          rx="4"
        />
      )}
      <circle className="dot" cx={at(mean)} cy="10" r="5" />
    </svg>
  );
}
