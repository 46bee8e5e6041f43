import { useT } from "../../i18n/index.js";

const COMMAND = "robot-eval run configs/benchmarks/unified_smoke.yaml --agent random --out runs";

export function NoRuns({ live }: { readonly live: boolean }) {
  const t = useT();
  return (
    <section className="empty-state">
      <h1>{t("runs.none")}</h1>
      <p>{t("runs.none_how")}</p>
      <pre>
        <code>{COMMAND}</code>
      </pre>
      {live && <p className="muted">{t("runs.none_live")}</p>}
    </section>
  );
}
