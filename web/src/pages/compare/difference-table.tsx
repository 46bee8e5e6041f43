import { Fragment } from "react";
import type { MetricComparison, RunComparison } from "../../../../src/runs/compare/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { TableHead } from "../../components/table-head.js";
import { TableScroll } from "../../components/table-scroll.js";
import { formatInterval, formatNumber, formatP, formatSigned } from "../../format.js";
import { type Translate, useT } from "../../i18n/index.js";
import { scaleAroundZero } from "../../scale.js";

const TONES = { better: "better", worse: "worse", differs: "plain", unclear: "plain" } as const;
const BADGES = { better: "success", worse: "failure", differs: "info", unclear: "plain" } as const;

/** The paired differences: interval bar, test result, and the number of episodes needed for a clear one. */
export function DifferenceTable({ comparison }: { readonly comparison: RunComparison }) {
  const t = useT();
  const { metrics, tests, unjudged_tasks } = comparison;
  return (
    <section aria-labelledby="differences-title" className="card">
      <h2 id="differences-title">{t("compare.differences")}</h2>
      <p className="muted small">{t("compare.differences_note", { tests })}</p>
      <TableScroll>
        <table className="table difference-table">
          <caption className="visually-hidden">{t("compare.differences")}</caption>
          <TableHead
            columns={[
              [t("run.task")],
              [t("metric.name")],
              ["A", "number wide"],
              ["B", "number wide"],
              ["B − A", "number"],
              [t("metric.picture"), "bar-column", "hidden"],
              [t("metric.interval"), "number wide"],
              ["p", "number wide"],
              [t("compare.p"), "number wide"],
              [t("compare.verdict")],
              ["n", "number wide"],
            ]}
          />
          <tbody>
            {metrics.map((row) => (
              <DifferenceRow
                key={`${row.task} ${row.metric}`}
                row={row}
                scale={scaleFor(row, metrics)}
                tests={tests}
              />
            ))}
          </tbody>
        </table>
      </TableScroll>
      {metrics.length === 0 && <p>{t("compare.nothing")}</p>}
      {unjudged_tasks.map((task) => (
        <p key={task}>{t("compare.unjudged_task", { task })}</p>
      ))}
    </section>
  );
}

function DifferenceRow({
  row,
  scale,
  tests,
}: {
  readonly row: MetricComparison;
  readonly scale: readonly [number, number];
  readonly tests: number;
}) {
  const t = useT();
  const { task, metric, primary, mean_a, mean_b, difference, ci95, p, p_holm, verdict, n } = row;
  const note = row.significant ? "" : tellApartText(row, tests, t);
  return (
    <Fragment>
      <tr className={primary ? "primary-row" : undefined}>
        <td>{task}</td>
        <th scope="row">{metric}</th>
        <td className="number wide" data-label="A">
          {formatNumber(mean_a)}
        </td>
        <td className="number wide" data-label="B">
          {formatNumber(mean_b)}
        </td>
        <td className="number">{formatSigned(difference)}</td>
        <td className="bar-column">
          <IntervalBar
            mean={difference}
            ci95={ci95}
            scale={scale}
            origin={0}
            tone={TONES[verdict]}
          />
        </td>
        <td className="number wide" data-label={t("metric.interval")}>
          {formatInterval(ci95)}
        </td>
        <td className="number wide" data-label="p">
          {formatP(p)}
        </td>
        <td className="number wide" data-label={t("compare.p")}>
          {primary ? formatP(p_holm) : ""}
        </td>
        <td>
          <span className={`badge ${primary ? BADGES[verdict] : "plain"}`}>
            {primary || verdict === "unclear"
              ? t(`verdict.${verdict}`)
              : t("verdict.uncorrected", { verdict: t(`verdict.${verdict}`) })}
          </span>
        </td>
        <td className="number wide" data-label="n">
          {n}
        </td>
      </tr>
      {primary && note !== "" && (
        <tr className="tell-apart">
          <td />
          <td colSpan={10} className="small muted">
            {note}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** One scale for all rows of a metric, so that tasks can be compared. */
function scaleFor(
  { metric }: MetricComparison,
  metrics: readonly MetricComparison[],
): readonly [number, number] {
  return scaleAroundZero(
    metrics
      .filter((row) => row.metric === metric)
      .flatMap(({ difference, ci95 }) => [difference, ...(ci95 ?? [])]),
  );
}

/** How many more episodes a test would need to find the difference. */
function tellApartText(
  { n, p, ci95, tell_apart }: MetricComparison,
  tests: number,
  t: Translate,
): string {
  if (p === null) return t("compare.too_few");
  if (!tell_apart) return t("compare.same");
  const { more, detectable } = tell_apart;
  const shown =
    detectable === null
      ? t("compare.undetectable", { n })
      : t("compare.detectable", { n, detectable: formatNumber(detectable) });
  const seen = ci95 !== null && p < 0.05 ? `${t("compare.corrected", { tests })} ${shown}` : shown;
  if (more === null) return `${seen} ${t("compare.means_same")}`;
  if (more === 1) return `${seen} ${t("compare.one_more")}`;
  // Rounded to two digits, because it is an estimate.
  return `${seen} ${t("compare.more", { more: Number(more.toPrecision(2)) })}`;
}
