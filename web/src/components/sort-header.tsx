import { type Order, orderText } from "../filter/order.js";
import { useT } from "../i18n/index.js";

export interface SortHeaderProps {
  readonly column: string;
  readonly label: string;
  /** Tooltip that describes the column. */
  readonly title?: string;
  readonly order: Order;
  readonly onSort: (sort: string) => void;
  readonly className?: string | undefined;
  /** The order of the first click. */
  readonly first?: "rising" | "falling" | undefined;
}

/** A column header that sorts by the column; a second click reverses the order. */
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
