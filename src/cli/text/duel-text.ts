import type { DuelComparison, DuelDocument } from "../../evaluator/duel/duel-document.js";
import type { DuelResult } from "../../evaluator/duel/hold-duel.js";
import { interval, number } from "../../runs/report/format.js";
import { paint, table } from "../output.js";

type NamedDuel = Omit<DuelResult, "folder">;

/** Flipped episodes shown on a terminal; duel.json has all. */
const MOST_FLIPPED = 10;

/** A duel's result for people: a sentence for each comparison, the numbers, the ranks and the flipped episodes. */
export function duelText(document: NamedDuel): string {
  const { benchmark, names, comparisons, episodes } = document;
  const lines = [
    paint("bold", `duel on ${benchmark}`),
    ...names.map((name, i) => `  ${letter(i)}  ${name}`),
    "",
    ...comparisons.map((one) => sentence(one, document)),
    "",
    comparisonTable(comparisons),
    ...(names.length > 2 ? ["", ...rankTexts(document)] : []),
    "",
    `${episodes.used} of ${episodes.of} episodes were needed, ${episodes.saved} were saved`,
    ...flippedTexts(document),
  ];
  return lines.join("\n");
}

/** A, B, ... */
function letter(policy: number): string {
  return String.fromCharCode(65 + policy);
}

function sentence(one: DuelComparison, { margin, status, comparisons }: DuelDocument): string {
  const [a, b] = [letter(one.a), letter(one.b)];
  const where = `${one.task}: `;
  const after = `after ${one.pairs} episodes`;
  switch (one.verdict) {
    case "better":
      return `${where}${paint("green", `${a} is better than ${b}`)} in ${one.metric}, ${after}`;
    case "worse":
      return `${where}${paint("green", `${b} is better than ${a}`)} in ${one.metric}, ${after}`;
    case "equivalent":
      return `${where}${a} and ${b} differ by less than ${margin} in ${one.metric}, ${after}`;
    default: {
      const losers = comparisons.flatMap((other) =>
        other.task === one.task ? loserOf(other) : [],
      );
      const dropped = losers.find((policy) => policy === one.a || policy === one.b);
      const end = status === "done" ? "no difference was shown" : "interrupted";
      const why = dropped === undefined ? end : `${letter(dropped)} was dropped`;
      return `${where}${paint("yellow", "undecided")} between ${a} and ${b} in ${one.metric}, ${after}: ${why}`;
    }
  }
}

function loserOf({ a, b, verdict }: DuelComparison): number[] {
  return verdict === "better" ? [b] : verdict === "worse" ? [a] : [];
}

function comparisonTable(comparisons: readonly DuelComparison[]): string {
  const rows = comparisons.map((one) => [
    `  ${one.task} ${letter(one.a)} ${letter(one.b)}`,
    number(one.mean_a),
    number(one.mean_b),
    number(one.difference),
    interval(one.ci95),
    String(one.pairs),
    String(one.only_a),
    String(one.only_b),
  ]);
  const header = [
    "  pair",
    "first",
    "second",
    "difference",
    "95 % sequence",
    "n",
    "only 1st",
    "only 2nd",
  ];
  return table(header, rows);
}

function rankTexts({ ranks, names }: NamedDuel): string[] {
  return Object.entries(ranks).flatMap(([task, own]) => [
    `ranks on ${task}, which hold together with probability 0.95`,
    ...own
      .map(([best, worst], policy) => ({ best, worst, policy }))
      .sort((x, y) => x.best - y.best || x.worst - y.worst || x.policy - y.policy)
      .map(({ best, worst, policy }) => {
        const rank = best === worst ? `${best}` : `${best} to ${worst}`;
        return `  ${rank.padEnd(8)} ${letter(policy)}  ${names[policy] ?? ""}`;
      }),
  ]);
}

function flippedTexts({ flipped }: DuelDocument): string[] {
  if (flipped.length === 0) return [];
  const letters = (policies: readonly number[]) => policies.map(letter).join(", ");
  const shown = flipped.slice(0, MOST_FLIPPED);
  const more = flipped.length - shown.length;
  return [
    "",
    `${flipped.length} ${flipped.length === 1 ? "episode" : "episodes"} that some policies solved and others failed`,
    ...shown.map(
      ({ episode_key, solved_by, failed_by }) =>
        `  ${episode_key}: solved by ${letters(solved_by)}, failed by ${letters(failed_by)}`,
    ),
    ...(more > 0 ? [`  and ${more} more, in duel.json`] : []),
  ];
}
