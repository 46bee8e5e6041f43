import type { Outcome } from "../../../src/core/interfaces/result.js";
import type { RunCard } from "../../../src/server/view/documents.js";
import { type MessageKey, useT } from "../i18n/index.js";

const SIGNS: Readonly<Record<Outcome, string>> = { success: "✓", failure: "✕", invalid: "?" };

/** Shows the outcome by symbol and text, not by colour alone. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }) {
  const t = useT();
  return (
    <span className={`badge ${outcome}`}>
      <span aria-hidden="true">{SIGNS[outcome]}</span> {t(`outcome.${outcome}`)}
    </span>
  );
}

const TONES: Readonly<Record<RunCard["status"], string>> = {
  running: "info",
  done: "plain",
  cancelled: "invalid",
  failed: "failure",
  stale: "invalid",
};

export function StatusBadge({ status }: { readonly status: RunCard["status"] }) {
  const t = useT();
  const key: MessageKey = `status.${status}`;
  return <span className={`badge ${TONES[status]}`}>{t(key)}</span>;
}
