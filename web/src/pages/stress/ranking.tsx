import type { StressReport } from "../../../../src/runs/stress/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { TableHead } from "../../components/table-head.js";
import { TableScroll } from "../../components/table-scroll.js";
import { formatNumber, formatP } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { signed } from "./axis-text.js";

/** The axes by their mean loss of success. */
export function Ranking({ ranking }: Pick<StressReport, "ranking">) {
  const t = useT();
  if (ranking.length === 0) return null;
  return (
    <section className="card" aria-labelledby="ranking-title">
      <h2 id="ranking-title">{t("stress.ranking")}</h2>
      <TableScroll>
        <table className="table ranking-table">
          <caption className="visually-hidden">{t("stress.ranking")}</caption>
          <TableHead
            columns={[
              [t("stress.axis")],
              [t("stress.damage"), "number"],
              [t("metric.picture"), "bar-column", "hidden"],
              [t("stress.worst"), "number"],
              [t("stress.difference"), "number"],
              [t("stress.p_holm"), "number"],
            ]}
          />
          <tbody>
            {ranking.map(({ axis, damage, worst_level, worst_difference, p_holm, significant }) => (
              <tr key={axis}>
                <th scope="row">{axis}</th>
                <td className="number">{formatNumber(damage)}</td>
                <td className="bar-column">
                  <IntervalBar
                    mean={damage}
                    ci95={null}
                    scale={[Math.min(0, damage), 1]}
                    origin={0}
                    tone={significant ? "worse" : "plain"}
                  />
                </td>
                <td className="number">{worst_level}</td>
                <td className="number">{signed(worst_difference)}</td>
                <td className="number">
                  {formatP(p_holm)}
                  {significant && "*"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
