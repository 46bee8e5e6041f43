import { memo } from "react";
import type { RunInfo, RunSummary } from "../../../../src/core/interfaces/result.js";
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
    ...(info.partial ? { partial: info.partial } : {}),
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

/** A document as a collapsible outline, similar to YAML. */
function ConfigTree({ value }: { readonly value: unknown }) {
  return (
    <div className="config-tree">
      <Entries value={value} depth={0} />
    </div>
  );
}

function Entries({ value, depth }: { value: unknown; depth: number }) {
  return entriesOf(value).map(([key, item]) =>
    isBranch(item) ? (
      <details key={key} open={depth < 1}>
        <summary>
          <span className="config-key">{key}</span>
        </summary>
        <Entries value={item} depth={depth + 1} />
      </details>
    ) : (
      <div key={key} className="config-leaf">
        <span className="config-key">{key}:</span> <span>{leafText(item)}</span>
      </div>
    ),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, i) => [`- ${i}`, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
}

/** Lists of plain values are shown on one line. */
function isBranch(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && item !== null);
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function leafText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
