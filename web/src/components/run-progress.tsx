import type { RunCard } from "../../../src/server/view/documents.js";
import { useT } from "../i18n/index.js";
import { StatusBadge } from "./badge.js";

/** A run's status, with its progress if it is not finished, and whether part of its dataset was scored. */
export function RunProgress({ card }: { readonly card: RunCard }) {
  const t = useT();
  const { status, planned, episodes, partial } = card;
  const under = status === "running" || status === "stale" || status === "cancelled";
  return (
    <span className="run-progress">
      <StatusBadge status={status} />
      {isAllInvalid(card) && <span className="badge failure">{t("run.all_invalid")}</span>}
      {partial && <span className="badge invalid">{t("run.partial")}</span>}
      {under && planned !== null && (
        <>
          <progress
            max={planned}
            value={Math.min(episodes.total, planned)}
            aria-label={t("run.progress")}
          />
          <span className="number">
            {episodes.total} / {planned}
          </span>
        </>
      )}
      {under && planned === null && (
        <span className="muted">{t("run.done_so_far", { n: episodes.total })}</span>
      )}
    </span>
  );
}

/** True if no episode so far has a valid result. */
export function isAllInvalid({ episodes }: RunCard): boolean {
  return episodes.total > 0 && episodes.invalid === episodes.total;
}
