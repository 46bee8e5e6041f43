import type { MetricWhy } from "../../../../src/server/view/documents.js";
import { formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

/** The formula of each metric with its values. */
export function WhyScore({ why }: { readonly why: readonly MetricWhy[] }) {
  const t = useT();
  return (
    <section className="card episode-why">
      <h2>{t("episode.why")}</h2>
      {why.length === 0 && <p className="muted">{t("episode.why.none")}</p>}
      {why.map((one) => (
        <Metric key={one.metric} why={one} />
      ))}
    </section>
  );
}

function Metric({
  why: { metric, value, formula, substituted, terms },
}: {
  readonly why: MetricWhy;
}) {
  const t = useT();
  const say = useSentence();
  return (
    <div className="why-metric">
      <h3>
        <span>{metric}</span>
        <span className="number">{formatNumber(value)}</span>
      </h3>
      {formula && <code className="why-formula">{say(formula)}</code>}
      {substituted && <code className="why-numbers">{say(substituted)}</code>}
      {terms.length > 0 && (
        <dl className="why-terms" aria-label={t("episode.why.terms")}>
          {terms.map(({ name, value: number, unit }) => (
            <div key={name}>
              <dt>{say(name)}</dt>
              <dd>
                {Number.isInteger(number) ? number : formatNumber(number)}
                {unit !== "" && unit !== "1" && ` ${unit}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
