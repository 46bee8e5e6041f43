import type { Condition, StepRecord } from "../../core/interfaces/step.js";
import { px } from "../../simulator/maps/svg.js";
import { number, plural } from "./format.js";
import { type Html, html } from "./html.js";
import { table } from "./tables.js";

/** The drawing's own units; it is stretched to the width that there is. */
const WIDTH = 300;
const HEIGHT = 26;
const MARGIN = 3;
const MOST_CONDITIONS = 16;

/** The parts of a success condition over an episode, a row each; null where the steps have none. */
export function conditionPlot(records: readonly StepRecord[]): Html | null {
  const last = records.findLast(({ state }) => (state.conditions?.length ?? 0) > 0);
  const names = last?.state.conditions?.map(({ name }) => name).slice(0, MOST_CONDITIONS) ?? [];
  const rows = names.flatMap((name) => {
    const course = records.flatMap(({ state }, step) => {
      const found = state.conditions?.find((condition) => condition.name === name);
      return found && Number.isFinite(found.value) ? [{ ...found, step }] : [];
    });
    const end = course.at(-1);
    if (!end) return [];
    return [
      [
        name.replaceAll("_", " "),
        courseDrawing(course, records.length - 1),
        number(end.value),
        `${relationOf(course)} ${number(end.threshold)}`,
        end.holds ? html`<span class="holds">yes</span>` : html`<span class="fails">no</span>`,
      ],
    ];
  });
  if (rows.length === 0) return null;
  return table(
    `Parts of the success condition over ${plural(records.length - 1, "step")}: shaded where a part holds, dashed what it needs`,
    [
      { title: "part" },
      { title: "value over time", kind: "drawing" },
      { title: "at the end", kind: "number" },
      { title: "needs", kind: "number" },
      { title: "holds" },
    ],
    rows,
  );
}

interface Moment extends Condition {
  readonly step: number;
}

/** Whether more or less is asked for is not recorded; what held and what did not tells it. */
function relationOf(course: readonly Moment[]): string {
  for (const { value, threshold, holds } of course) {
    if (value === threshold) continue;
    return value > threshold === holds ? "≥" : "≤";
  }
  return "=";
}

function courseDrawing(course: readonly Moment[], steps: number): Html {
  const values = course.flatMap(({ value, threshold }) => [value, threshold]);
  const low = Math.min(0, ...values);
  const high = Math.max(...values, low + 1e-9);
  const x = (step: number) => (steps === 0 ? 0 : (step / steps) * WIDTH);
  const y = (value: number) =>
    HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const bands = stretches(course).map(
    ([from, to]) =>
      html`<rect class="held" x="${px(x(from))}" width="${px(Math.max(1, x(to) - x(from)))}" height="${HEIGHT}"/>`,
  );
  const line = thinned(course)
    .map(({ step, value }) => `${px(x(step))},${px(y(value))}`)
    .join(" ");
  const needed = px(y(course.at(-1)?.threshold ?? 0));
  return html`<svg class="course" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bands}<line class="needed" x1="0" x2="${WIDTH}" y1="${needed}" y2="${needed}"/><polyline class="value" points="${line}"/></svg>`;
}

/** From and to of each stretch of steps in which the condition holds. */
function stretches(course: readonly Moment[]): [number, number][] {
  const found: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const { step, holds } of course) {
    if (!holds) open = undefined;
    else if (open) open[1] = step;
    else {
      open = [step, step];
      found.push(open);
    }
  }
  return found;
}

/** One unit of the drawing cannot show more than the least and the greatest of its values. */
function thinned(course: readonly Moment[]): Moment[] {
  if (course.length <= WIDTH) return [...course];
  const size = Math.ceil((2 * course.length) / WIDTH);
  const kept: Moment[] = [];
  for (let from = 0; from < course.length; from += size) {
    const part = course.slice(from, from + size).sort((a, b) => a.value - b.value);
    const ends = [part[0], part.at(-1)].flatMap((moment) => moment ?? []);
    kept.push(...ends.sort((a, b) => a.step - b.step));
  }
  return kept;
}
