import type { ChangedKey } from "../../../../src/runs/compare/documents.js";
import { useT } from "../../i18n/index.js";

/** Other differences between the runs: config, data, versions. */
export function ChangedKeys({ changed }: { readonly changed: readonly ChangedKey[] }) {
  const t = useT();
  return (
    <section className="card" aria-labelledby="changed-keys-title">
      <h2 id="changed-keys-title">{t("compare.changed")}</h2>
      {changed.length === 0 ? (
        <p className="muted">{t("compare.changed_none")}</p>
      ) : (
        <table className="table diff-table">
          <caption className="visually-hidden">{t("compare.changed")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("compare.key")}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ key, a, b }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                <td>{valueText(a)}</td>
                <td>{valueText(b)}</td>
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
