import { Facts } from "../../components/facts.js";
import { formatInterval, formatNumber, formatP } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import { type StressAxis, type StressLevel, signed, valueText } from "./axis-text.js";

interface LevelDetailProps {
  readonly axis: StressAxis;
  readonly level: StressLevel;
  /** Run id of the unperturbed episodes. */
  readonly baseline: string;
}

/** All numbers of a cell, with links to its episodes. */
export function LevelDetail({ axis, level, baseline }: LevelDetailProps) {
  const t = useT();
  const { stopped_early, unsolvable, invalid } = level;
  return (
    <section className="card" aria-labelledby="level-title" aria-live="polite">
      <h2 id="level-title">
        {axis.axis}, {t("stress.level_n", { level: level.level })}: {axis.parameter}{" "}
        {valueText(axis, level.value)}
      </h2>
      <Facts
        className="fact-line"
        facts={[
          [t("stress.success"), formatNumber(level.success)],
          [t("stress.baseline"), formatNumber(level.baseline)],
          [t("stress.difference"), `${signed(level.difference)} ${formatInterval(level.ci95)}`],
          ["p", formatP(level.p)],
          [t("stress.p_holm"), formatP(level.p_holm)],
          [t("stress.pairs"), level.n],
          [t("stress.lost"), level.lost],
          [t("stress.gained"), level.gained],
          [t("stress.unsolvable"), unsolvable > 0 ? unsolvable : null],
          [t("stress.invalid"), invalid > 0 ? invalid : null],
          [t("stress.episodes"), stopped_early && t("stress.stopped", stopped_early)],
        ]}
      />
      {level.status !== "waiting" && (
        <p>
          <a href={hrefOf({ page: "compare", a: baseline, b: level.run })}>{t("stress.compare")}</a>
        </p>
      )}
    </section>
  );
}
