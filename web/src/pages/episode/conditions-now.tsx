import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import type { Playback } from "../../viewer/playback.js";
import { useIndex } from "../../viewer/use-playback.js";

interface ConditionsNowProps {
  readonly records: EpisodeDocument["records"];
  readonly playback: Playback;
}

/** Which parts of the success rule hold at the time cursor, by symbol and text. */
export function ConditionsNow({ records, playback }: ConditionsNowProps) {
  const t = useT();
  const record = records[useIndex(playback)];
  const conditions = record?.state.conditions ?? [];
  if (!record || conditions.length === 0) return null;
  return (
    <section className="card conditions-now">
      <h2>{t("episode.conditions.now", { step: record.step })}</h2>
      <ul>
        {conditions.map(({ name, value, threshold, holds }) => (
          <li key={name} data-holds={holds}>
            <span className={`badge ${holds ? "success" : "failure"}`}>
              <span aria-hidden="true">{holds ? "✓" : "✕"}</span>{" "}
              {t(holds ? "episode.conditions.holds" : "episode.conditions.not")}
            </span>
            <span className="condition-name">{name}</span>
            <span className="number muted small">
              {t("episode.conditions.value", {
                value: formatNumber(value),
                threshold: formatNumber(threshold),
              })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
