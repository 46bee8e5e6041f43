import type { ChangedEnd } from "../../../../src/runs/compare/documents.js";
import { useT } from "../../i18n/index.js";

/** Episodes with different end reasons. */
export function ChangedEnds({ ends }: { readonly ends: readonly ChangedEnd[] }) {
  const t = useT();
  return (
    <section className="card" aria-labelledby="changed-ends-title">
      <h2 id="changed-ends-title">{t("compare.ends")}</h2>
      {ends.length === 0 ? (
        <p className="muted">{t("compare.ends_none")}</p>
      ) : (
        <table className="table">
          <caption className="visually-hidden">{t("compare.ends")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("run.task")}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
              <th scope="col" className="number">
                n
              </th>
            </tr>
          </thead>
          <tbody>
            {ends.map(({ task, a, b, count }) => (
              <tr key={`${task} ${a} ${b}`}>
                <th scope="row">{task}</th>
                <td>{a}</td>
                <td>{b}</td>
                <td className="number">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
