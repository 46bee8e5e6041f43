import { Fragment } from "react";
import type { MetricComparison, RunComparison } from "../../../../src/runs/compare/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { formatInterval, formatNumber, formatP, formatSigned } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { scaleAroundZero } from "../../scale.js";
import { holdsZero, tellApartText } from "./tell-apart.js";

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
      <div className="table-scroll">
        <table className="table difference-table">
          <caption className="visually-hidden">{t("compare.differences")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("run.task")}</th>
              <th scope="col">{t("metric.name")}</th>
              <th scope="col" className="number wide">
                A
              </th>
              <th scope="col" className="number wide">
                B
              </th>
              <th scope="col" className="number">
                B − A
              </th>
              <th scope="col" className="bar-column">
                <span className="visually-hidden">{t("metric.picture")}</span>
              </th>
              <th scope="col" className="number wide">
                {t("metric.interval")}
              </th>
              <th scope="col" className="number wide">
                {t("compare.p")}
              </th>
              <th scope="col">{t("compare.verdict")}</th>
              <th scope="col" className="number wide">
                n
              </th>
            </tr>
          </thead>
          <tbody>
            {metrics.map((row) => (
              <DifferenceRow
                key={`${row.task} ${row.metric}`}
                row={row}
                scale={scaleFor(row, metrics)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {metrics.length === 0 && <p>{t("compare.nothing")}</p>}
      {metrics.some(holdsZero) && <p className="small">{t("compare.holds_zero")}</p>}
      {unjudged_tasks.map((task) => (
        <p key={task}>{t("compare.unjudged_task", { task })}</p>
      ))}
    </section>
  );
}

function DifferenceRow({
  row,
  scale,
}: {
  readonly row: MetricComparison;
  readonly scale: readonly [number, number];
}) {
  const t = useT();
  const { task, metric, primary, mean_a, mean_b, difference, ci95, p_holm, verdict, n } = row;
  const note = row.significant ? "" : tellApartText(row, t);
  return (
    <Fragment>
      <tr className={primary ? "primary-row" : undefined}>
        <td>{task}</td>
        <th scope="row">{metric}</th>
        <td className="number wide">{formatNumber(mean_a)}</td>
        <td className="number wide">{formatNumber(mean_b)}</td>
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
        <td className="number wide">{formatInterval(ci95)}</td>
        <td className="number wide">{formatP(p_holm)}</td>
        <td>
          <span className={`badge ${BADGES[verdict]}`}>{t(`verdict.${verdict}`)}</span>
          {holdsZero(row) && " *"}
        </td>
        <td className="number wide">{n}</td>
      </tr>
      {primary && note !== "" && (
        <tr className="tell-apart">
          <td />
          <td colSpan={9} className="small muted">
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
