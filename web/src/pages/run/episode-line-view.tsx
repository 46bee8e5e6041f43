import { memo } from "react";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { OutcomeBadge } from "../../components/badge.js";
import { formatMs, formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf } from "../../route.js";
import type { EpisodeColumns } from "./episode-columns.js";

interface EpisodeLineViewProps {
  readonly run: string;
  readonly row: EpisodeRow;
  readonly columns: EpisodeColumns;
  readonly index: number;
  /** Reachable with Tab; the other rows with the arrow keys. */
  readonly reachable: boolean;
}

export const EpisodeLineView = memo(function EpisodeLineView(props: EpisodeLineViewProps) {
  const { run, row, columns, index, reachable } = props;
  const t = useT();
  const explanation = useSentence()(row.explanation);
  return (
    <tr aria-rowindex={index + 2}>
      <td className="thumb-cell">
        {row.recorded && (
          <img
            src={addresses.thumbnail(run, row.id)}
            alt=""
            loading="lazy"
            decoding="async"
            width={84}
            height={56}
          />
        )}
      </td>
      <td>
        <OutcomeBadge outcome={row.outcome} />
      </td>
      <th scope="row" className="episode-cell">
        <a
          className="row-link"
          href={hrefOf({ page: "episode", run, episode: row.id })}
          data-index={index}
          tabIndex={reachable ? 0 : -1}
        >
          {row.key}
          {row.repeat > 0 && ` (${t("run.repeat_n", { n: row.repeat })})`}
        </a>
        {row.video && (
          <a className="video-link small" href={addresses.file(run, row.video)}>
            {t("run.video")}
          </a>
        )}
        <span className="muted small explanation" title={explanation}>
          {explanation}
        </span>
      </th>
      <td className="wide">{row.end_reason}</td>
      {columns.metrics.map(({ metric, primary }) => (
        <td key={metric} className={primary ? "number" : "number wide"}>
          {formatNumber(row.metrics[metric])}
        </td>
      ))}
      <td className="number wide">{row.steps}</td>
      <td className="number wide">{formatMs(row.latency_p50_ms)}</td>
    </tr>
  );
});
