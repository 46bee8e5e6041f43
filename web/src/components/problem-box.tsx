import type { Problem } from "../../../src/server/view/documents.js";
import { useT } from "../i18n/index.js";
import { useSentence } from "../i18n/sentences/index.js";
import { hrefOf } from "../route.js";
import { Facts } from "./facts.js";

/** Shows an error: message, hint, location and code. */
export function ProblemBox({ problem, status }: { problem: Problem; status?: number }) {
  const t = useT();
  const say = useSentence();
  return (
    <section className="problem" role="alert">
      <h1>{t(status === 404 ? "problem.missing" : "problem.title")}</h1>
      <p className="problem-message">{say(problem.message)}</p>
      {problem.hint && <p>{say(problem.hint)}</p>}
      <Facts
        className="facts"
        facts={[
          [t("problem.where"), problem.where && <code>{problem.where}</code>],
          [t("problem.code"), <code key="code">{problem.code}</code>],
        ]}
      />
      <p>
        <a href={hrefOf({ page: "runs" })}>{t("problem.back")}</a>
      </p>
    </section>
  );
}
