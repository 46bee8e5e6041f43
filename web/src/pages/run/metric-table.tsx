import type { MetricTable as Metrics } from "../../../../src/core/interfaces/result.js";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { TableHead } from "../../components/table-head.js";
import { TableScroll } from "../../components/table-scroll.js";
import { formatInterval, formatNumber, unitText } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { scaleOf } from "../../scale.js";

/** All metrics of a set of episodes, the primary one first. */
export function MetricTable({
  title,
  table,
  primary,
  notes,
}: {
  readonly title: string;
  readonly table: Metrics;
  readonly primary: string | undefined;
  readonly notes: RunDocument["metrics"];
}) {
  const t = useT();
  const say = useSentence();
  const names = Object.keys(table).sort((a, b) => Number(b === primary) - Number(a === primary));
  return (
    <TableScroll>
      <table className="table metric-table">
        <caption className="visually-hidden">{title}</caption>
        <TableHead
          columns={[
            [t("metric.name")],
            [t("metric.mean"), "number"],
            [t("metric.picture"), "bar-column", "hidden"],
            [t("metric.interval"), "number"],
            ["n", "number"],
          ]}
        />
        <tbody>
          {names.map((name) => {
            const metric = table[name];
            if (!metric) return null;
            const { mean, ci95, count, n_invalid, unit, direction, ci_method } = metric;
            return (
              <tr key={name}>
                <th scope="row" title={say(notes[name]?.summary ?? "")}>
                  {name}{" "}
                  <span className="muted small">
                    {unitText(unit)}{" "}
                    {direction === "higher" ? "↑" : direction === "lower" ? "↓" : ""}
                  </span>
                </th>
                <td className="number">{formatNumber(mean)}</td>
                <td className="bar-column">
                  <IntervalBar
                    mean={mean}
                    ci95={ci95}
                    scale={scaleOf(notes[name]?.range, [mean, ...(ci95 ?? [])])}
                  />
                </td>
                <td className="number" title={ci_method}>
                  {formatInterval(ci95)}
                </td>
                <td className="number">
                  {count}
                  {n_invalid > 0 && <span className="muted"> +{n_invalid}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableScroll>
  );
}
