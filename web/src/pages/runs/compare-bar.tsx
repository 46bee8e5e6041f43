import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";

/** Links to the comparison when two runs are selected. */
export function CompareBar({
  selected,
  onClear,
}: {
  readonly selected: readonly string[];
  readonly onClear: () => void;
}) {
  const t = useT();
  const [a, b] = selected;
  const ready = a !== undefined && b !== undefined;
  return (
    <div className="compare-bar">
      <button
        type="button"
        className="primary"
        disabled={!ready}
        onClick={() => {
          if (ready) window.location.hash = hrefOf({ page: "compare", a, b });
        }}
      >
        {t("runs.compare")}
      </button>
      {selected.length > 0 && (
        <button type="button" className="quiet" onClick={onClear}>
          {t("runs.clear")}
        </button>
      )}
      <span className="muted" role="status">
        {ready ? t("runs.compare_ready") : t("runs.compare_choose", { n: 2 - selected.length })}
      </span>
    </div>
  );
}
