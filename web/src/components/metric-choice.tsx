import { useT } from "../i18n/index.js";
import type { PageProps } from "../route.js";

interface MetricChoiceProps extends Pick<PageProps, "navigate"> {
  readonly names: readonly string[];
  readonly metric: string;
}

/** Chooses the metric that a plot shows, in the address of the page. */
export function MetricChoice({ names, metric, navigate }: MetricChoiceProps) {
  const t = useT();
  return (
    <label className="field">
      <span className="visually-hidden">{t("metric.name")}</span>
      <select value={metric} onChange={({ target }) => navigate({ metric: target.value })}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}
