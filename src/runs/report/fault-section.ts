import { outcomeText } from "./bars.js";
import { breakable, type Html, html, type Part } from "./html.js";
import type { RunReport } from "./read.js";
import { table, withNote } from "./tables.js";

/** What went wrong beside the task itself, and whose fault it was. */
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
  "Invalid episodes, and failures that the agent is to blame for, by what was said",
  [{ title: "what" }, { title: "message" }, { title: "episodes" }, { title: "such as" }],
  rows,
)}
</section>
`;
}
