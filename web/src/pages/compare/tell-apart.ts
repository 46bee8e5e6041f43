import type { MetricComparison } from "../../../../src/runs/compare/documents.js";
import { formatNumber } from "../../format.js";
import type { Translate } from "../../i18n/index.js";

/** How many more episodes a test would need to find the difference. */
export function tellApartText({ n, p, tell_apart }: MetricComparison, t: Translate): string {
  if (p === null) return t("compare.too_few");
  if (!tell_apart) return t("compare.same");
  const { more, detectable } = tell_apart;
  const seen = t("compare.detectable", { n, detectable: formatNumber(detectable) });
  if (more === null) return `${seen} ${t("compare.means_same")}`;
  if (more === 0) return `${seen} ${t("compare.few_more")}`;
  // Rounded to two digits, because it is an estimate.
  return `${seen} ${t("compare.more", { more: Number(more.toPrecision(2)) })}`;
}

/** The test is over episodes and the interval over scenes, so they can disagree with few scenes. */
export function holdsZero({ significant, ci95 }: MetricComparison): boolean {
  return significant && ci95 !== null && ci95[0] <= 0 && ci95[1] >= 0;
}
