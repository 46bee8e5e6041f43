import { goalPoints, referencePoints } from "../../core/episode/base.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Trajectory } from "../../runs/directory/trajectory.js";
import { stepOf } from "../../simulator/maps/handling.js";
import { px } from "../../simulator/maps/svg.js";

const WIDTH = 96;
const HEIGHT = 64;
const MARGIN = 6;
/** Colours that are visible on light and dark backgrounds. */
const INK = { taken: "#2f7fd1", reference: "#8a8f98", goal: "#2e9e5b", start: "#d1762f" };
const MOST_POINTS = 200;

/** A small image of an episode: its path, or when the parts of its success condition held. */
export function thumbnailSvg(trajectory: Trajectory): string {
  const { records } = trajectory;
  const drawing = records.some(({ state }) => stepOf(state) !== undefined)
    ? wayOf(trajectory)
    : conditionsOf(records);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">` +
    `<title>episode</title>${drawing}</svg>\n`
  );
}

/** The path from above, without the scene; -z is up, as on the maps. */
function wayOf({ episode, records }: Trajectory): string {
  const taken = thinned(
    records.flatMap(({ state }) => stepOf(state) ?? []).map(({ position }) => position),
  );
  const reference = thinned(referencePoints(episode, "path").map(({ position }) => position));
  // The first of possibly hundreds of view points.
  const goals = goalPoints(episode)
    .slice(0, 8)
    .map(({ position }) => position);
  const at = fitted([...taken, ...reference, ...goals]);
  const line = (points: readonly Vec3[], style: string) =>
    points.length < 2
      ? ""
      : `<polyline fill="none" ${style} points="${points.map((p) => at(p).join(",")).join(" ")}"/>`;
  const dot = (point: Vec3 | undefined, radius: number, ink: string) => {
    if (!point) return "";
    const [x, y] = at(point);
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${ink}"/>`;
  };
  return [
    line(reference, `stroke="${INK.reference}" stroke-width="1.5" stroke-dasharray="3 2"`),
    line(taken, `stroke="${INK.taken}" stroke-width="2" stroke-linejoin="round"`),
    ...goals.map((goal) => dot(goal, 3, INK.goal)),
    dot(taken[0], 2.5, INK.start),
  ].join("");
}

/** Scales metres to image units, uniformly and centred. */
function fitted(points: readonly Vec3[]): (point: Vec3) => [x: string, y: string] {
  const xs = points.map(([x]) => x);
  const zs = points.map(([, , z]) => z);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...zs), Math.max(...zs)];
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(right - left, 1),
    (HEIGHT - 2 * MARGIN) / Math.max(bottom - top, 1),
  );
  return ([x, , z]) => [
    px(WIDTH / 2 + (x - (left + right) / 2) * scale),
    px(HEIGHT / 2 + (z - (top + bottom) / 2) * scale),
  ];
}

/** One band per condition from the first step to the last, filled where it holds. */
function conditionsOf(records: readonly StepRecord[]): string {
  const names = records.find(({ state }) => state.conditions)?.state.conditions ?? [];
  const height = (HEIGHT - 2 * MARGIN) / Math.max(1, names.length);
  const width = (WIDTH - 2 * MARGIN) / Math.max(1, records.length);
  return names
    .map(({ name }, row) => {
      const y = px(MARGIN + row * height + 1);
      const tall = px(Math.max(1, height - 2));
      const back = `<rect x="${MARGIN}" y="${y}" width="${WIDTH - 2 * MARGIN}" height="${tall}" fill="${INK.reference}" opacity="0.25"/>`;
      const held = stretches(records, name).map(
        ([from, to]) =>
          `<rect x="${px(MARGIN + from * width)}" y="${y}" width="${px(Math.max(1, (to - from) * width))}" height="${tall}" fill="${INK.goal}"/>`,
      );
      return back + held.join("");
    })
    .join("");
}

/** Half-open ranges of the records in which the condition holds. */
function stretches(records: readonly StepRecord[], name: string): [number, number][] {
  const found: [number, number][] = [];
  records.forEach(({ state }, i) => {
    if (!state.conditions?.find((condition) => condition.name === name)?.holds) return;
    const last = found.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else found.push([i, i + 1]);
  });
  return found;
}

/** Thins points evenly, keeping the last one. */
function thinned(points: readonly Vec3[]): Vec3[] {
  if (points.length <= MOST_POINTS) return [...points];
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, i) => points[Math.round(i * step)] as Vec3);
}
