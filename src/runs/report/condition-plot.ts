import type { Condition, StepRecord } from "../../core/interfaces/step.js";
import { px } from "../../simulator/maps/svg.js";
import { number, plural } from "./format.js";
import { type Html, html } from "./html.js";
import { table } from "./tables.js";

/** In SVG units; the page stretches the drawing to the available width. */
const WIDTH = 300;
const HEIGHT = 26;
const MARGIN = 3;
const MOST_CONDITIONS = 16;

/** The parts of a success condition over an episode, one row each; null if the steps record none. */
export function conditionPlot(records: readonly StepRecord[]): Html | null {
  const last = records.findLast(({ state }) => (state.conditions?.length ?? 0) > 0);
  const names = last?.state.conditions?.map(({ name }) => name).slice(0, MOST_CONDITIONS) ?? [];
  const rows = names.flatMap((name) => {
    const samples = records.flatMap(({ state }, step) => {
      const found = state.conditions?.find((condition) => condition.name === name);
      return found && Number.isFinite(found.value) ? [{ ...found, step }] : [];
    });
    const end = samples.at(-1);
    if (!end) return [];
    return [
      [
        name.replaceAll("_", " "),
        plotOf(samples, records.length - 1),
        number(end.value),
        `${relationOf(samples)} ${number(end.threshold)}`,
        end.holds ? html`<span class="holds">yes</span>` : html`<span class="fails">no</span>`,
      ],
    ];
  });
  if (rows.length === 0) return null;
  return table(
    `Parts of the success condition over ${plural(records.length - 1, "step")}: shaded while a part holds, dashed line at its threshold`,
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

interface Sample extends Condition {
  readonly step: number;
}

/** The direction of the threshold is not recorded, so infer it from which values hold. */
function relationOf(samples: readonly Sample[]): string {
  for (const { value, threshold, holds } of samples) {
    if (value === threshold) continue;
    return value > threshold === holds ? "≥" : "≤";
  }
  return "=";
}

function plotOf(samples: readonly Sample[], steps: number): Html {
  const values = samples.flatMap(({ value, threshold }) => [value, threshold]);
  const low = Math.min(0, ...values);
  const high = Math.max(...values, low + 1e-9);
  const x = (step: number) => (steps === 0 ? 0 : (step / steps) * WIDTH);
  const y = (value: number) =>
    HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - 2 * MARGIN);
  const bands = intervalsHeld(samples).map(
    ([from, to]) =>
      html`<rect class="held" x="${px(x(from))}" width="${px(Math.max(1, x(to) - x(from)))}" height="${HEIGHT}"/>`,
  );
  const line = downsample(samples)
    .map(({ step, value }) => `${px(x(step))},${px(y(value))}`)
    .join(" ");
  const needed = px(y(samples.at(-1)?.threshold ?? 0));
  return html`<svg class="course" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bands}<line class="needed" x1="0" x2="${WIDTH}" y1="${needed}" y2="${needed}"/><polyline class="value" points="${line}"/></svg>`;
}

/** First and last step of each interval in which the condition holds. */
function intervalsHeld(samples: readonly Sample[]): [number, number][] {
  const found: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const { step, holds } of samples) {
    if (!holds) open = undefined;
    else if (open) open[1] = step;
    else {
      open = [step, step];
      found.push(open);
    }
  }
  return found;
}

/** Keeps the minimum and maximum of every few steps: the drawing is too narrow to show more. */
function downsample(samples: readonly Sample[]): Sample[] {
  if (samples.length <= WIDTH) return [...samples];
  const size = Math.ceil((2 * samples.length) / WIDTH);
  const kept: Sample[] = [];
  for (let from = 0; from < samples.length; from += size) {
    const part = samples.slice(from, from + size).sort((a, b) => a.value - b.value);
    const ends = [part[0], part.at(-1)].flatMap((sample) => sample ?? []);
    kept.push(...ends.sort((a, b) => a.step - b.step));
  }
  return kept;
}
