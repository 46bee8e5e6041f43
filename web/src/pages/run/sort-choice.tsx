import { type Order, orderText } from "../../filter/order.js";
import { useT } from "../../i18n/index.js";

/** Sorts by columns that have no visible header: hidden metrics, and all columns on a phone. */
export function SortChoice({
  order,
  metrics,
  onSort,
}: {
  readonly order: Order;
  readonly metrics: readonly string[];
  readonly onSort: (sort: string) => void;
}) {
  const t = useT();
  const columns = [
    ["outcome", t("run.outcome")],
    ["episode", t("run.episode")],
    ["end", t("run.end")],
    ["steps", t("run.steps")],
    ["latency", t("run.latency_short")],
    ...metrics.map((name) => [name, name] as const),
  ] as const;
  return (
    <div className="field">
      <label className="field">
        <span>{t("run.sort_by")}</span>
        <select
          value={order.column}
          onChange={({ target }) => onSort(orderText({ ...order, column: target.value }))}
        >
          {columns.map(([column, label]) => (
            <option key={column} value={column}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        aria-label={t(order.descending ? "run.falling" : "run.rising")}
        onClick={() => onSort(orderText({ ...order, descending: !order.descending }))}
      >
        {order.descending ? "↓" : "↑"}
      </button>
    </div>
  );
}
