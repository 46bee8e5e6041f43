import { memo, useMemo } from "react";
import type { EpisodeRow, RunDocument } from "../../../../src/server/view/documents.js";
import { binsOf } from "../../bins.js";
import { Facts } from "../../components/facts.js";
import { Histogram } from "../../components/histogram.js";
import { formatMs, formatPercent } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";

/** The agent's latency, and the share of time in agent and simulator. */
export const Latency = memo(function Latency({
  run,
  document,
  rows,
}: {
  readonly run: string;
  readonly document: RunDocument;
  readonly rows: readonly EpisodeRow[];
}) {
  const t = useT();
  const { agent_latency_ms: latency, agent_ms, sim_ms, wall_ms, steps } = document.summary.timings;
  const bins = useMemo(
    () =>
      binsOf(
        rows.flatMap((row) => row.latency_p50_ms ?? []),
        20,
      ),
    [rows],
  );
  return (
    <section className="card" aria-labelledby="latency-title">
      <h2 id="latency-title">{t("run.latency")}</h2>
      {latency ? (
        <Facts
          className="fact-line"
          facts={[
            ...(["p50", "p95", "p99"] as const).map(
              (name) => [name, formatMs(latency[name])] as const,
            ),
            [t("run.answers"), latency.n],
            [t("run.steps"), steps],
            [t("run.agent_share"), wall_ms > 0 ? formatPercent(agent_ms / wall_ms) : "–"],
            [t("run.sim_share"), wall_ms > 0 ? formatPercent(sim_ms / wall_ms) : "–"],
          ]}
        />
      ) : (
        <p className="muted">{t("run.not_timed")}</p>
      )}
      {bins.length > 0 && (
        <>
          <p className="muted small">{t("run.latency_note")}</p>
          <Histogram
            label={t("run.latency")}
            bins={bins}
            hrefOf={({ from, to }, last) =>
              hrefOf(
                { page: "run", run },
                { filter: `latency>=${from} latency${last ? "<=" : "<"}${to}`, tab: "episodes" },
              )
            }
          />
        </>
      )}
    </section>
  );
});
