import { memo } from "react";
import type { RunInfo, RunSummary } from "../../../../src/core/interfaces/result.js";
import { ConfigTree } from "../../components/config-tree.js";
import { useT } from "../../i18n/index.js";

/** Config, hashes and versions of the run. */
export const Provenance = memo(function Provenance({
  info,
  summary,
}: {
  info: RunInfo;
  summary: RunSummary;
}) {
  const t = useT();
  const facts = {
    run_id: info.run_id,
    format: info.format,
    benchmark: info.benchmark,
    selection: info.selection,
    data: info.data,
    profiles: summary.profiles,
    disclosed: info.disclosed,
    versions: info.versions,
    ...(info.source ? { source: info.source } : {}),
    ...(info.merged ? { merged: info.merged } : {}),
    ...(info.resumed ? { resumed: info.resumed } : {}),
  };
  return (
    <section id="config" aria-labelledby="config-title" className="columns">
      <h2 id="config-title" className="visually-hidden">
        {t("run.section.config")}
      </h2>
      <div className="card">
        <h3>{t("run.config")}</h3>
        <ConfigTree value={info.config} />
      </div>
      <div className="card">
        <h3>{t("run.hashes")}</h3>
        <ConfigTree value={facts} />
      </div>
    </section>
  );
});
