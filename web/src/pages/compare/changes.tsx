import type { ChangedEnd, ChangedKey } from "../../../../src/runs/compare/documents.js";
import { type Column, TableHead } from "../../components/table-head.js";
import { useT } from "../../i18n/index.js";

/** Episodes with different end reasons. */
export function ChangedEnds({ ends }: { readonly ends: readonly ChangedEnd[] }) {
  const t = useT();
  return (
    <Changes
      id="changed-ends-title"
      title={t("compare.ends")}
      none={t("compare.ends_none")}
      columns={[[t("run.task")], ["A"], ["B"], ["n", "number"]]}
      rows={ends.map(({ task, a, b, count }) => [task, a, b, count])}
    />
  );
}

/** Other differences between the runs: config, data, versions. */
export function ChangedKeys({ changed }: { readonly changed: readonly ChangedKey[] }) {
  const t = useT();
  return (
    <Changes
      id="changed-keys-title"
      title={t("compare.changed")}
      none={t("compare.changed_none")}
      className="table diff-table"
      columns={[[t("compare.key")], ["A"], ["B"]]}
      rows={changed.map(({ key, a, b }) => [key, valueText(a), valueText(b)])}
    />
  );
}

interface ChangesProps {
  readonly id: string;
  readonly title: string;
  /** Shown without rows. */
  readonly none: string;
  readonly className?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number)[])[];
}

function Changes({ id, title, none, className = "table", columns, rows }: ChangesProps) {
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <table className={className}>
          <caption className="visually-hidden">{title}</caption>
          <TableHead columns={columns} />
          <tbody>
            {rows.map(([name, a, b, count]) => (
              <tr key={`${name} ${a} ${b}`}>
                <th scope="row">{name}</th>
                <td>{a}</td>
                <td>{b}</td>
                {count !== undefined && <td className="number">{count}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function valueText(value: unknown): string {
  if (value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
