import { type Order, orderText } from "../filter/order.js";
import { useT } from "../i18n/index.js";

export interface SortHeaderProps {
  readonly column: string;
  readonly label: string;
  /** What the column is, for a tooltip. */
  readonly title?: string;
  readonly order: Order;
  readonly onSort: (sort: string) => void;
  readonly className?: string;
  /** Which way the first press sorts. */
  readonly first?: "rising" | "falling";
}

/** A column's head that sorts by it; pressed again it turns the order around. */
export function SortHeader({
  column,
  label,
  title,
  order,
  onSort,
  className,
  first,
}: SortHeaderProps) {
  const t = useT();
  const active = order.column === column;
  const descending = active ? !order.descending : first === "falling";
  return (
    <th
      scope="col"
      className={className}
      aria-sort={active ? (order.descending ? "descending" : "ascending") : undefined}
    >
      <button
        type="button"
        className="sort"
        title={title ?? t("table.sort", { column: label })}
        onClick={() => onSort(orderText({ column, descending }))}
      >
        {label}
        <span aria-hidden="true" className="sort-sign">
          {active ? (order.descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}
