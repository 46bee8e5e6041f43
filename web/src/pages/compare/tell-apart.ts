import type { MetricComparison } from "../../../../src/runs/compare/documents.js";
import { formatNumber } from "../../format.js";
import type { Translate } from "../../i18n/index.js";

/** What it would take to show a difference that these episodes did not. */
export function tellApartText({ n, p, tell_apart }: MetricComparison, t: Translate): string {
  if (p === null) return t("compare.too_few");
  if (!tell_apart) return t("compare.same");
  const { more, detectable } = tell_apart;
  const seen = t("compare.detectable", { n, detectable: formatNumber(detectable) });
  if (more === null) return `${seen} ${t("compare.means_same")}`;
  if (more === 0) return `${seen} ${t("compare.few_more")}`;
  // To two figures: the number is known no better.
  return `${seen} ${t("compare.more", { more: Number(more.toPrecision(2)) })}`;
}

/** The test counts episodes, the interval counts scenes: with few of them they need not agree. */
export function holdsZero({ significant, ci95 }: MetricComparison): boolean {
  return significant && ci95 !== null && ci95[0] <= 0 && ci95[1] >= 0;
}
