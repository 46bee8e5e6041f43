import { outcomeText } from "./bars.js";
import { breakable, type Html, html, type Part } from "./html.js";
import type { RunReport } from "./read.js";
import { table, withNote } from "./tables.js";

/** Errors other than failing the task, and which side caused them. */
export function faultSection({ faults }: RunReport): Html | null {
  if (faults.length === 0) return null;
  const rows = faults.map(({ fault, code, message, outcomes, examples }): Part[] => [
    withNote(breakable(code), `${fault} fault`),
    message,
    outcomeText(outcomes),
    withNote("", ...examples),
  ]);
  return html`<section id="faults" aria-labelledby="h-faults">
<h2 id="h-faults">Faults</h2>
${table(
  "Invalid episodes, and failures caused by agent faults, grouped by message",
  [{ title: "what" }, { title: "message" }, { title: "episodes" }, { title: "such as" }],
  rows,
)}
</section>
`;
}
