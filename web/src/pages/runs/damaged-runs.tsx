import type { RunsDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

const SHOWN = 100;

/** Run folders that cannot be read, with the reason. */
export function DamagedRuns({ damaged }: Pick<RunsDocument, "damaged">) {
  const t = useT();
  const say = useSentence();
  if (damaged.length === 0) return null;
  return (
    <section className="card notice" aria-labelledby="damaged">
      <h2 id="damaged">{t("runs.damaged", { n: damaged.length })}</h2>
      <ul className="plain-list">
        {damaged.slice(0, SHOWN).map(({ id, problem }) => (
          <li key={id}>
            <code>{id}</code>
            <p className="preserve">{say(problem.message)}</p>
            {problem.where && <p className="muted">{problem.where}</p>}
            {problem.hint && <p className="muted">{say(problem.hint)}</p>}
          </li>
        ))}
      </ul>
      {damaged.length > SHOWN && (
        <p className="muted">{t("runs.damaged_more", { n: damaged.length - SHOWN })}</p>
      )}
    </section>
  );
}
