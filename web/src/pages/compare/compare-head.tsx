import type { RunComparison } from "../../../../src/runs/compare/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf } from "../../route.js";
import type { Pair } from "./pair.js";

/** The two runs, the number of shared episodes, and notes on the comparison. */
export function CompareHead({ pair, comparison }: { pair: Pair; comparison: RunComparison }) {
  const t = useT();
  const say = useSentence();
  const { shared, only_a, only_b, invalid } = comparison.episodes;
  const apart = [
    only_a > 0 ? t("compare.only", { n: only_a, run: "A" }) : "",
    only_b > 0 ? t("compare.only", { n: only_b, run: "B" }) : "",
    invalid > 0 ? t("compare.invalid_in_one", { n: invalid }) : "",
  ].filter((part) => part !== "");
  return (
    <div className="stack">
      <div className="run-title">
        <h1>{t("compare.title")}</h1>
        <a className="button" href={hrefOf({ page: "compare", a: pair.b, b: pair.a })}>
          {t("compare.swap")}
        </a>
      </div>
      <div className="sides">
        {(["a", "b"] as const).map((side) => (
          <div key={side} className={`card side side-${side}`}>
            <span className="side-mark">{side.toUpperCase()}</span>
            <div>
              {comparison[side].name !== undefined && <b>{comparison[side].name} </b>}
              <AgentName agent={comparison[side].agent} policy={comparison[side].policy} />
              <a className="small" href={hrefOf({ page: "run", run: pair[side] })}>
                {pair[side]}
              </a>
            </div>
          </div>
        ))}
      </div>
      <p>
        {t("compare.shared", { n: shared })}
        {apart.length > 0 && ` ${t("compare.not_compared", { what: apart.join(", ") })}`}
      </p>
      {comparison.notes.length > 0 && (
        <ul className="card notice notes">
          {comparison.notes.map((note) => (
            <li key={note}>{say(note)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
