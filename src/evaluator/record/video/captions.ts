import type { BaseEpisode } from "../../../core/episode/base.js";
import type { EpisodeLine, Outcome } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { text, wrap } from "../../../simulator/maps/svg.js";
import type { Pacing } from "./pacing.js";

const CAP_PX = 7.5;
const LINE_PX = 15;
const MARGIN_PX = 8;
/** Maximum text lines above and below the images. */
const LINES = 2;

const INK = { page: "#16191d", text: "#e8eaed", faint: "#9aa3ad" } as const;
const OUTCOME_INK: Readonly<Record<Outcome, string>> = {
  success: "#5fd6a5",
  failure: "#ff8a70",
  invalid: "#e6c15c",
};

/** Characters of an action's name that are shown; a viewpoint's name has 32. */
const LONGEST_ACTION = 20;

/** A strip of text, drawn with built-in strokes: the machine may have no fonts. */
export interface Strip {
  readonly height: number;
  readonly svg: string;
}

interface Row {
  readonly words: string;
  readonly color: string;
  /** Text at the right end of the row. */
  readonly aside?: string;
}

/** The instruction; of zero height if the episode has none. */
export function instructionStrip(
  { instruction, goals }: Pick<BaseEpisode, "instruction" | "goals">,
  width: number,
): Strip {
  const sought = goals.object_category;
  const words = instruction.text ?? (sought === undefined ? "" : `Find: ${sought}`);
  const lines = wrap(words, width - 2 * MARGIN_PX, CAP_PX, LINES);
  return strip(
    lines.map((words) => ({ words, color: INK.text })),
    width,
    lines.length,
  );
}

/** The status line of a step. */
export function statusStrip(
  record: StepRecord,
  steps: number,
  { speed }: Pacing,
  width: number,
): Strip {
  const aside = speed === 1 ? "" : `${Number(speed.toFixed(1))}x`;
  const [first = "", ...rest] = wrap(
    statusWords(record, steps).join(", "),
    width - 2 * MARGIN_PX - 40,
    CAP_PX,
    LINES,
  );
  const rows = [{ words: first, color: INK.text, aside }];
  return strip([...rows, ...rest.map((words) => ({ words, color: INK.text }))], width, LINES);
}

/** The status line of the last frame, with the outcome. */
export function outcomeStrip(
  { outcome, explanation }: Pick<EpisodeLine, "outcome" | "explanation">,
  width: number,
): Strip {
  const words = explanation === "" ? outcome : `${outcome}: ${explanation}`;
  const lines = wrap(words, width - 2 * MARGIN_PX, CAP_PX, LINES);
  const color = OUTCOME_INK[outcome];
  return strip(
    lines.map((line) => ({ words: line, color })),
    width,
    LINES,
  );
}

/** Step, time, action and distance, as far as the simulator records them. */
export function statusWords({ step, time_s, action, state }: StepRecord, steps: number): string[] {
  const { distance_to_goal, collided, stages, reach_m } = state;
  const reached = Object.entries(stages ?? {}).flatMap(([name, holds]) => (holds ? name : []));
  return [
    `step ${step}/${steps}`,
    time_s === undefined ? "" : `${time_s.toFixed(1)} s`,
    typeof action === "string" ? cut(action) : "",
    isDistance(distance_to_goal) ? `${distance_to_goal.toFixed(2)} m to the goal` : "",
    isDistance(reach_m) ? `reach ${reach_m.toFixed(2)} m` : "",
    reached.join(", "),
    collided ? "collided" : "",
  ].filter((words) => words !== "");
}

function isDistance(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function cut(name: string): string {
  return name.length <= LONGEST_ACTION ? name : `${name.slice(0, LONGEST_ACTION)}...`;
}

function strip(rows: readonly Row[], width: number, lines: number): Strip {
  const height = lines === 0 ? 0 : 2 * Math.ceil((lines * LINE_PX + 6) / 2);
  const texts = rows.map(({ words, color, aside = "" }, i) => {
    const y = 3 + i * LINE_PX + (LINE_PX + CAP_PX) / 2;
    return (
      text(words, [MARGIN_PX, y], { capPx: CAP_PX, color, weight: 14 }) +
      text(aside, [width - MARGIN_PX, y], { capPx: CAP_PX, color: INK.faint, anchor: "end" })
    );
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="${width}" height="${height}" fill="${INK.page}"/>${texts.join("")}</svg>`;
  return { height, svg };
}
