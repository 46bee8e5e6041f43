import { INK } from "./palette.js";
import { circle, type Pixel, path, polyline, px, segment } from "./svg.js";

/** The symbols of start, goal, end and collisions, on maps and in their legend. All have a white outline. */

const RIM = `stroke="#fff" stroke-width="1.6" stroke-linejoin="round" paint-order="stroke"`;

/** An arrow head along a heading: 0 is up, counter-clockwise. */
export function arrowMark([x, y]: Pixel, headingRad: number): string {
  const ahead: Pixel = [-Math.sin(headingRad), -Math.cos(headingRad)];
  const at = (forward: number, right: number): Pixel => [
    x + forward * ahead[0] - right * ahead[1],
    y + forward * ahead[1] + right * ahead[0],
  ];
  const shape = [at(11, 0), at(-7, 7.5), at(-3.5, 0), at(-7, -7.5)];
  return path(polyline(shape, "closed"), `fill="${INK.start}" ${RIM}`);
}

/** Start marker for an unknown heading. */
export function discMark(at: Pixel): string {
  return circle(at, 6, `fill="${INK.start}" ${RIM}`);
}

export function starMark([x, y]: Pixel, radius: number): string {
  const points = Array.from({ length: 10 }, (_, i): Pixel => {
    const r = i % 2 === 0 ? radius : radius * 0.45;
    const angle = (Math.PI * i) / 5;
    return [x + r * Math.sin(angle), y - r * Math.cos(angle)];
  });
  return path(polyline(points, "closed"), `fill="${INK.goal}" ${RIM}`);
}

export function squareMark([x, y]: Pixel): string {
  return `<rect x="${px(x - 5)}" y="${px(y - 5)}" width="10" height="10" fill="${INK.end}" ${RIM}/>`;
}

/** Where the handled object was at first (hollow) or at last (filled). */
export function diamondMark([x, y]: Pixel, which: "first" | "last"): string {
  const shape: Pixel[] = [
    [x, y - 7],
    [x + 7, y],
    [x, y + 7],
    [x - 7, y],
  ];
  const outline = path(polyline(shape, "closed"), `fill="#fff" stroke="#fff" stroke-width="5"`);
  const fill = which === "first" ? "#fff" : INK.object;
  const ink = `fill="${fill}" stroke="${INK.object}" stroke-width="2.2" stroke-linejoin="round"`;
  return outline + path(polyline(shape, "closed"), ink);
}

/** Outline of the furniture that an object is taken from (dashed) or brought to. */
export function receptacleInk(which: "start" | "goal"): string {
  const [color, dash] = which === "goal" ? [INK.goal, ""] : [INK.object, ` stroke-dasharray="5 3"`];
  return `stroke="${color}" stroke-width="2.6"${dash}`;
}

/** A cross as path data, so that one element draws all collisions. */
export function crossStrokes([x, y]: Pixel): string {
  const r = 3;
  return segment([x - r, y - r], [x + r, y + r]) + segment([x - r, y + r], [x + r, y - r]);
}
