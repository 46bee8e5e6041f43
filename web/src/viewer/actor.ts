import { Group, type Object3D, Quaternion, Vector3 } from "three";
import type { Point, Trace } from "./content.js";
import { CollisionMarks, dot } from "./marks.js";
import { MARK } from "./palette.js";
import { PathLine } from "./path-line.js";
import { makeRobot } from "./robot.js";

const UP = new Vector3(0, 1, 0);

/** One robot and its path. Between two records its pose is interpolated. */
export class Actor {
  readonly group = new Group();
  readonly position = new Vector3();
  heading = 0;
  private readonly marker: Object3D;
  private readonly path: PathLine;
  private readonly collisions: CollisionMarks | null;
  private readonly things: readonly { readonly at: readonly Point[]; readonly object: Object3D }[];

  constructor(readonly trace: Trace) {
    const hand = trace.kind === "hand";
    this.path = new PathLine(trace.points, trace.ghost, hand ? 0 : undefined);
    this.marker = hand ? dot(0.018, trace.ghost ?? MARK.pathLast) : makeRobot(trace.ghost);
    this.collisions = trace.collisions.length > 0 ? new CollisionMarks(trace) : null;
    this.things = Object.values(trace.things).map((at) => {
      const object = dot(0.03, trace.ghost ?? MARK.start);
      return { at, object };
    });
    this.group.add(this.path.group, this.marker, ...this.things.map(({ object }) => object));
    if (this.collisions) this.group.add(this.collisions.mesh);
    this.setCursor(0);
  }

  /** Shows the bodies of the glb instead of dots and a symbol of the robot. */
  hideStandIns(): void {
    for (const { object } of this.things) object.visible = false;
    this.marker.visible = false;
  }

  setCursor(at: number): void {
    const { points, headings } = this.trace;
    if (points.length === 0) {
      this.group.visible = false;
      return;
    }
    between(points, at, this.position);
    this.marker.position.copy(this.position);
    if (this.trace.kind !== "hand") {
      this.heading = headingBetween(headings, at);
      this.marker.quaternion.setFromAxisAngle(UP, this.heading);
    }
    for (const { at: places, object } of this.things) between(places, at, object.position);
    this.path.setCursor(Math.min(at, points.length - 1));
    this.collisions?.setCursor(at);
  }
}

function between(points: readonly Point[], at: number, out: Vector3): void {
  const { index, share } = split(at, points.length);
  const from = points[index] ?? [0, 0, 0];
  const to = points[index + 1] ?? from;
  out.set(
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  );
}

const [turnA, turnB] = [new Quaternion(), new Quaternion()];

function headingBetween(headings: readonly number[], at: number): number {
  const { index, share } = split(at, headings.length);
  const from = headings[index] ?? 0;
  turnA.setFromAxisAngle(UP, from);
  turnB.setFromAxisAngle(UP, headings[index + 1] ?? from);
  turnA.slerp(turnB, share);
  return 2 * Math.atan2(turnA.y, turnA.w);
}

export function split(at: number, count: number): { index: number; share: number } {
  const inside = Math.min(Math.max(at, 0), Math.max(count - 1, 0));
  const index = Math.floor(inside);
  return { index, share: inside - index };
}
