import { holmAdjust } from "../../stats/holm.js";
import type { StressAxis, StressLevel, StressRank } from "./documents.js";

/** Significance level of adjusted p-values. */
const ALPHA = 0.05;

/** Adjusts the p-values of all levels of all axes together. */
export function adjust(axes: readonly StressAxis[]): StressAxis[] {
  const tested = axes.flatMap(({ levels }) => levels).filter(({ p }) => p !== null);
  const adjusted = holmAdjust(tested.map(({ p }) => p ?? 1));
  const holm = new Map(tested.map((level, i) => [level, adjusted[i] ?? 1]));
  const judge = (level: StressLevel): StressLevel => {
    const p = holm.get(level) ?? null;
    const { ci95, stopped_early } = level;
    const excludes0 = ci95 !== null && (ci95[0] > 0 || ci95[1] < 0);
    const significant = p !== null && p < ALPHA && (stopped_early === null || excludes0);
    return { ...level, p_holm: p, significant };
  };
  return axes.map((axis) => ({ ...axis, levels: axis.levels.map(judge) }));
}

/** Axes by their mean loss, greatest first. */
export function rank(axes: readonly StressAxis[]): StressRank[] {
  const ranks = axes.flatMap(({ axis, levels }): StressRank[] => {
    const compared = levels.flatMap(({ level, difference, p_holm }) =>
      difference === null ? [] : [{ level, difference, p: p_holm ?? 1 }],
    );
    const [first, ...rest] = compared;
    if (!first) return [];
    const worst = rest.reduce((x, y) => (y.difference < x.difference ? y : x), first);
    const sum = compared.reduce((total, { difference }) => total - difference, 0);
    return [
      {
        axis,
        damage: sum / compared.length,
        worst_level: worst.level,
        worst_difference: worst.difference,
        p_holm: Math.min(...compared.map(({ p }) => p)),
        significant: levels.some(({ significant }) => significant),
      },
    ];
  });
  return ranks.sort(
    (x, y) =>
      y.damage - x.damage || (x.p_holm ?? 1) - (y.p_holm ?? 1) || (x.axis < y.axis ? -1 : 1),
  );
}
