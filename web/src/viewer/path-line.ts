import { Color, Group } from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { Point } from "./content.js";
import { MARK } from "./palette.js";

/** Lines are slightly above the floor, to avoid flickering. */
const LIFT_M = 0.03;
/** Segments between two records, so that the bright part ends at the robot and not a step behind it. */
const SEGMENTS = 6;

interface Look {
  readonly width: number;
  readonly opacity: number;
  readonly dashed?: boolean;
  readonly color?: string;
  /** Drawn even if it is occluded. */
  readonly through?: boolean;
}

/** The travelled path: bright up to the cursor, faint after it and through walls. */
export class PathLine {
  readonly group = new Group();
  private readonly done: readonly Line2[];

  constructor(points: readonly Point[], color: string | null, lift = LIFT_M) {
    const isWay = points.length > 1;
    const dense = densify(points);
    const colors = color === null ? timeColors(dense.length) : null;
    const draw = (look: Look) =>
      line(dense, color === null ? look : { ...look, color }, lift, colors);
    this.done = isWay
      ? [draw({ width: 3, opacity: 0.3, through: true }), draw({ width: 5, opacity: 1 })]
      : [];
    if (isWay) this.group.add(draw({ width: 2.5, opacity: 0.35 }), ...this.done);
  }

  /** `at` is a record index, and may be fractional. */
  setCursor(at: number): void {
    const segments = Math.max(0, Math.round(at * SEGMENTS));
    for (const line of this.done) {
      line.visible = segments > 0;
      line.geometry.instanceCount = segments;
    }
  }
}

/** The reference path. */
export function referenceLine(points: readonly Point[]): Group {
  const group = new Group();
  if (points.length < 2) return group;
  const look = { width: 4, dashed: true, color: MARK.reference };
  group.add(
    line(points, { ...look, opacity: 0.3, through: true }, LIFT_M * 0.7, null),
    line(points, { ...look, opacity: 1 }, LIFT_M * 0.7, null),
  );
  return group;
}

function line(
  points: readonly Point[],
  look: Look,
  lift: number,
  colors: readonly number[] | null,
): Line2 {
  const geometry = new LineGeometry();
  geometry.setPositions(points.flatMap(([x, y, z]) => [x, y + lift, z]));
  if (colors) geometry.setColors([...colors]);
  const material = new LineMaterial({
    color: look.color ?? "#ffffff",
    vertexColors: colors !== null,
    linewidth: look.width,
    transparent: look.opacity < 1,
    opacity: look.opacity,
    dashed: look.dashed ?? false,
    dashSize: 0.16,
    gapSize: 0.1,
    depthTest: look.through !== true,
  });
  const object = new Line2(geometry, material);
  if (look.dashed) object.computeLineDistances();
  object.frustumCulled = false;
  object.renderOrder = look.through ? 3 : 2;
  return object;
}

function densify(points: readonly Point[]): Point[] {
  const out: Point[] = [];
  points.forEach((to, index) => {
    const from = points[index - 1];
    for (let k = 1; from && k < SEGMENTS; k += 1) {
      const share = k / SEGMENTS;
      out.push([
        from[0] + (to[0] - from[0]) * share,
        from[1] + (to[1] - from[1]) * share,
        from[2] + (to[2] - from[2]) * share,
      ]);
    }
    out.push(to);
  });
  return out;
}

function timeColors(count: number): number[] {
  const [first, last, mixed] = [new Color(MARK.pathFirst), new Color(MARK.pathLast), new Color()];
  return Array.from({ length: count }, (_, index) => {
    mixed.lerpColors(first, last, count > 1 ? index / (count - 1) : 0);
    return [mixed.r, mixed.g, mixed.b];
  }).flat();
}
