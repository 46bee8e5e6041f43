import {
  Box3,
  type Material,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Quaternion,
  Vector3,
} from "three";
import type { PoseTrack } from "../../../src/server/view/documents.js";
import { split } from "./actor.js";

const NUMBERS = 7;
/** A body counts as moving if it leaves its first position by more than this, or turns by more than about 3 degrees. */
const MOVED_M = 0.01;
const TURNED = Math.cos((1.5 * Math.PI) / 180);

/** The extent of a body around its origin. */
const BODY_M = 0.2;

export interface Track {
  readonly bodies: readonly string[];
  readonly steps: number;
  readonly poses: Float32Array;
}

export class BadTrackError extends Error {}

export function decodeTrack(document: PoseTrack): Track {
  const bytes = Uint8Array.from(atob(document.poses), (char) => char.charCodeAt(0));
  const expected = document.steps * document.bodies.length * NUMBERS * 4;
  if (bytes.byteLength !== expected) {
    throw new BadTrackError(
      `the pose track holds ${bytes.byteLength} bytes instead of ${expected}`,
    );
  }
  // The track is little-endian, like all platforms that browsers run on.
  return { bodies: document.bodies, steps: document.steps, poses: new Float32Array(bytes.buffer) };
}

/** Moves the nodes with the names of a track's bodies. */
export class Bodies {
  private readonly nodes: readonly { readonly column: number; readonly node: Object3D }[];

  constructor(
    root: Object3D,
    private readonly track: Track,
  ) {
    const byName = namedNodes(root);
    this.nodes = track.bodies.flatMap((name, column) => {
      const node = byName.get(name);
      return node ? [{ column, node }] : [];
    });
  }

  setCursor(at: number): void {
    const { index, share } = split(at, this.track.steps);
    const next = Math.min(index + 1, this.track.steps - 1);
    for (const { column, node } of this.nodes) {
      this.read(index, column, node.position, node.quaternion);
      if (share === 0) continue;
      this.read(next, column, place, turn);
      node.position.lerp(place, share);
      node.quaternion.slerp(turn, share);
    }
  }

  /** Paints moving bodies in one colour; static ones keep their own. */
  tint(color: string, opacity: number, moving: ReadonlySet<string>): void {
    const material = new MeshLambertMaterial({
      color,
      emissive: color,
      emissiveIntensity: 0.25,
      opacity,
      transparent: opacity < 1,
      // Offset, because coincident surfaces would flicker.
      polygonOffset: true,
      polygonOffsetUnits: opacity * 4,
    });
    for (const { column, node } of this.nodes) {
      if (!moving.has(this.track.bodies[column] ?? "")) continue;
      node.traverse((object) => {
        if (object instanceof Mesh) object.material = material satisfies Material;
      });
    }
  }

  /** Hides the static bodies of a second ghost, which the first already shows. */
  keepOnly(moving: ReadonlySet<string>): void {
    const kept = new Set<Object3D>();
    for (const { column, node } of this.nodes) {
      if (moving.has(this.track.bodies[column] ?? "")) node.traverse((object) => kept.add(object));
    }
    for (const { node } of this.nodes) if (!kept.has(node)) node.visible = false;
  }

  private read(step: number, column: number, position: Vector3, quaternion: Quaternion): void {
    const offset = (step * this.track.bodies.length + column) * NUMBERS;
    position.fromArray(this.track.poses, offset);
    quaternion.fromArray(this.track.poses, offset + 3);
  }
}

const place = new Vector3();
const turn = new Quaternion();
const there = new Vector3();
const turnThere = new Quaternion();

/** Bodies that move or turn in any of the tracks. */
export function movingBodies(tracks: readonly Track[]): Set<string> {
  const moving = new Set<string>();
  for (const { bodies, steps, poses } of tracks) {
    bodies.forEach((name, column) => {
      place.fromArray(poses, column * NUMBERS);
      turn.fromArray(poses, column * NUMBERS + 3);
      for (let step = 1; step < steps && !moving.has(name); step += 1) {
        const offset = (step * bodies.length + column) * NUMBERS;
        const gone = there.fromArray(poses, offset).distanceTo(place) > MOVED_M;
        // q and -q are the same rotation.
        const turned = Math.abs(turnThere.fromArray(poses, offset + 3).dot(turn)) < TURNED;
        if (gone || turned) moving.add(name);
      }
    });
  }
  return moving;
}

/** The bounding box of the named bodies over all steps; y up. */
export function extentOfBodies(tracks: readonly Track[], names: ReadonlySet<string>): Box3 {
  const box = new Box3();
  for (const { bodies, steps, poses } of tracks) {
    bodies.forEach((name, column) => {
      if (!names.has(name)) return;
      for (let step = 0; step < steps; step += 1) {
        const { x, y, z } = place.fromArray(poses, (step * bodies.length + column) * NUMBERS);
        box.expandByPoint(there.set(x, z, -y));
      }
    });
  }
  // Add the size of the bodies.
  return box.expandByScalar(BODY_M);
}

/** The loader sanitises node names and keeps the original ones in userData. */
function namedNodes(root: Object3D): Map<string, Object3D> {
  const nodes = new Map<string, Object3D>();
  root.traverse((node) => {
    const name: unknown = node.userData.name ?? node.name;
    if (typeof name === "string" && name !== "" && !nodes.has(name)) nodes.set(name, node);
  });
  return nodes;
}
