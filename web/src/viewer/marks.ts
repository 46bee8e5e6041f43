import {
  BoxGeometry,
  CircleGeometry,
  ConeGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Point, Trace } from "./content.js";
import { MARK } from "./palette.js";

/** More goals than this are view points around one object, drawn as dots without rings. */
const RINGS_UP_TO = 8;

/** A pin over each goal, and a ring at the success distance (in a straight line, ignoring walls). */
export function goalMarks(goals: readonly Point[], radius: number | null, size: number): Group {
  const group = new Group();
  const rings = goals.length <= RINGS_UP_TO;
  for (const [x, y, z] of goals) {
    const goal = new Group();
    goal.position.set(x, y, z);
    if (rings) goal.add(...pin(size), ...(radius === null ? [] : reach(radius, size)));
    else goal.add(dot(size * 0.25, MARK.goal));
    group.add(goal);
  }
  return group;
}

export function startMark([x, y, z]: Point, size: number): Group {
  const group = new Group();
  group.position.set(x, y + 0.015, z);
  group.add(
    flat(new RingGeometry(size * 0.75, size, 40), MARK.start, 1, 1),
    flat(new CircleGeometry(size * 0.75, 40), MARK.start, 0.35, 1),
  );
  return group;
}

/** A cross on the floor for every blocked step. */
export class CollisionMarks {
  readonly mesh: InstancedMesh;

  constructor(private readonly trace: Trace) {
    const bar = new BoxGeometry(0.2, 0.015, 0.05);
    const cross = mergeGeometries([
      bar.clone().rotateY(Math.PI / 4),
      bar.clone().rotateY(-Math.PI / 4),
    ]);
    bar.dispose();
    const material = new MeshBasicMaterial({ color: trace.ghost ?? MARK.collision });
    this.mesh = new InstancedMesh(cross, material, Math.max(1, trace.collisions.length));
    const place = new Matrix4();
    trace.collisions.forEach((index, k) => {
      const [x, y, z] = trace.points[index] ?? [0, 0, 0];
      const heading = trace.headings[index] ?? 0;
      // In front of the robot, where it was blocked.
      place.makeTranslation(x - Math.sin(heading) * 0.2, y + 0.06, z - Math.cos(heading) * 0.2);
      this.mesh.setMatrixAt(k, place);
    });
    this.mesh.frustumCulled = false;
    this.setCursor(0);
  }

  setCursor(at: number): void {
    this.mesh.count = this.trace.collisions.filter((index) => index <= at + 1e-6).length;
    this.mesh.visible = this.mesh.count > 0;
  }
}

export function dot(radius: number, color: string): Mesh {
  return new Mesh(new SphereGeometry(radius, 20, 14), new MeshBasicMaterial({ color }));
}

function pin(size: number): Mesh[] {
  const head = dot(size * 0.45, MARK.goal);
  head.position.y = size * 1.75;
  const tip = new Mesh(
    new ConeGeometry(size * 0.4, size * 1.5, 24).rotateX(Math.PI),
    new MeshBasicMaterial({ color: MARK.goal }),
  );
  tip.position.y = size * 0.8;
  const eye = dot(size * 0.2, "#ffffff");
  eye.position.y = size * 2.15;
  return [head, tip, eye];
}

function reach(radius: number, size: number): Mesh[] {
  const edge = Math.min(size * 0.12, radius * 0.1);
  return [
    flat(new RingGeometry(radius - edge, radius, 96), MARK.goal, 0.9, 2),
    flat(new CircleGeometry(radius, 96), MARK.goal, 0.1, 1),
  ];
}

function flat(
  geometry: RingGeometry | CircleGeometry,
  color: string,
  opacity: number,
  order: number,
) {
  geometry.rotateX(-Math.PI / 2);
  const mesh = new Mesh(
    geometry,
    new MeshBasicMaterial({ color, opacity, transparent: opacity < 1, depthWrite: false }),
  );
  mesh.position.y = 0.02;
  mesh.renderOrder = order;
  return mesh;
}
