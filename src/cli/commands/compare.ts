import { Command } from "commander";
import { compareRuns, type RunComparison } from "../../runs/compare.js";
import { number, paint, printData, printJson, table } from "../output.js";

/** Below this adjusted p a difference is marked. */
const SIGNIFICANT = 0.05;
const SHOWN_FLIPS = 10;

export function compareCommand(): Command {
  return new Command("compare")
    .description("compare runs episode by episode; the first is what the others are held against")
    .argument("<runs...>", "two or more run directories")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  robot-eval compare runs/baseline runs/candidate")
    .action(compare);
}

async function compare(
  paths: readonly string[],
  flags: { readonly json?: boolean },
  command: Command,
): Promise<void> {
  const [first, ...others] = paths;
  if (first === undefined || others.length === 0) {
    command.error("error: compare needs two or more run directories");
    return;
  }
  const comparisons: RunComparison[] = [];
  for (const other of others) comparisons.push(await compareRuns(first, other));
  if (flags.json) printJson(comparisons.length === 1 ? comparisons[0] : comparisons);
  else printData(comparisons.map(comparisonText).join("\n\n"));
}

function comparisonText({ a, b, episodes, metrics, flipped }: RunComparison): string {
  const rows = metrics.map((row) => [
    row.task,
    row.metric,
    number(row.mean_a),
    number(row.mean_b),
    `${row.difference >= 0 ? "+" : ""}${number(row.difference)}`,
    row.ci95 ? `[${number(row.ci95[0])}, ${number(row.ci95[1])}]` : "–",
    row.p_holm === null ? "–" : pText(row.p_holm),
    row.p_holm !== null && row.p_holm < SIGNIFICANT ? "differs" : "",
    String(row.n),
  ]);
  const apart =
    episodes.only_a + episodes.only_b + episodes.invalid > 0
      ? ` (not compared: ${episodes.only_a} only in A, ${episodes.only_b} only in B, ${episodes.invalid} invalid in one)`
      : "";
  return [
    paint("bold", `A ${a.run_id} (${a.agent})`),
    paint("bold", `B ${b.run_id} (${b.agent})`),
    `${episodes.shared} shared episodes${apart}`,
    "",
    table(["task", "metric", "A", "B", "B - A", "95 % interval", "p (Holm)", "", "n"], rows),
    "",
    flipText("failure in A, success in B", flipped.to_success),
    flipText("success in A, failure in B", flipped.to_failure),
  ].join("\n");
}

function pText(p: number): string {
  if (p === 0) return "<1e-300";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}

function flipText(what: string, keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN_FLIPS).map((key) => `\n  ${key}`);
  const more =
    keys.length > SHOWN_FLIPS ? `\n  and ${keys.length - SHOWN_FLIPS} more (--json)` : "";
  return `${what}: ${keys.length}${shown.join("")}${more}`;
}
