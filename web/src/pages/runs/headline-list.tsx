import type { Headline } from "../../../../src/server/view/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { formatInterval, formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { scaleOf } from "../../scale.js";

/** The primary metric of each task, on one line. */
export function HeadlineList({ headlines }: { readonly headlines: readonly Headline[] }) {
  const t = useT();
  if (headlines.length === 0) return <span className="muted">{t("runs.no_headline")}</span>;
  return (
    <ul className="headlines">
      {headlines.map(({ task, metric, mean, ci95 }) => (
        <li key={task}>
          <span className="headline-name">
            {task} <span className="muted">{metric}</span>
          </span>
          <IntervalBar mean={mean} ci95={ci95} scale={scaleOf([0, null], [1, mean, ci95?.[1]])} />
          <span className="number">{formatNumber(mean)}</span>
          <span className="number muted small">{formatInterval(ci95)}</span>
        </li>
      ))}
    </ul>
  );
}
