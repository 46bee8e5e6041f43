import type { Canvas } from "./canvas.js";
import { Fragments } from "./fragments.js";
import type { LitVertices } from "./lit-vertices.js";
import { paint } from "./paint.js";
import { nearestBoxFirst, type PlacedGeom, type PlacedGeoms } from "./placed-geoms.js";
import { mirroredAt, type Projection } from "./projection.js";
import { SampleBuffer } from "./sample-buffer.js";
import { drawTransparent } from "./transparent.js";
import type { PlacedLight } from "./vertex-light.js";
import { isBehind, ViewPass } from "./view-pass.js";

/** A depth in front of all that is drawn. */
const CLOSED = 2;

/** What the mirror shows. */
export interface MirroredWorld {
  readonly projection: Projection;
  readonly opaque: readonly PlacedGeom[];
  /** Nearest first. */
  readonly transparent: readonly PlacedGeom[];
  readonly lights: readonly PlacedLight[];
}

/**
 * The reflection in the first reflecting geom of a scene: a plane, or the upper side of a box. MuJoCo allows one. The
 * image in it has all lights, but no shadows.
 */
export class Mirror {
  readonly #pass: ViewPass;
  readonly #fragments: Fragments;
  readonly #image: SampleBuffer;
  constructor(
    placed: PlacedGeoms,
    private readonly lit: LitVertices,
    samples: 1 | 4,
  ) {
    this.#pass = new ViewPass(placed);
    this.#fragments = new Fragments(placed, this.#pass, lit);
    this.#image = new SampleBuffer(samples);
  }

  /** Draws the reflection where `image` shows the reflecting side of `geom`. */
  draw(canvas: Canvas, image: SampleBuffer, geom: PlacedGeom, world: MirroredWorld): void {
    const side = sideOf(geom);
    if (isBehind({ ...geom, pose: side.pose }, world.projection.head)) return;
    this.#image.clear(image.width, image.height, CLOSED);
    if (!this.#open(geom, image)) return;
    const projection = mirroredAt(world.projection, side.point, side.normal);
    const tint = geom.geom.material.reflectance;
    const { lights } = world;
    this.lit.begin([{ lights, emission: true, tint }], projection.eye, lights.length === 0);
    const others = (geoms: readonly PlacedGeom[]) => geoms.filter((one) => one !== geom);
    for (const one of nearestBoxFirst(others(world.opaque), projection.eye)) {
      this.#pass.draw(one, projection, this.#image);
    }
    this.#fragments.begin(1, image.width);
    paint(canvas, this.#image, this.#fragments);
    drawTransparent(
      canvas,
      this.#image,
      this.#pass,
      projection,
      this.#fragments,
      others(world.transparent),
    );
  }

  /**
   * Lets only the samples be drawn that show the reflecting side, which are the faces whose normal is the geom's z axis:
   * the others get a depth that nothing reaches. Returns whether there are any.
   */
  #open({ geom, firstFace }: PlacedGeom, { owner, width, height, samples }: SampleBuffer): boolean {
    const { faces, normals } = geom.mesh;
    const reflects = Uint8Array.from({ length: faces.length / 3 }, (_, face) =>
      (normals[3 * (faces[3 * face] as number) + 2] as number) > 0.5 ? 1 : 0,
    );
    const count = reflects.length;
    const { depth, tiles } = this.#image;
    let [left, right, top, bottom] = [width, -1, height, -1];
    for (let row = 0, s = 0; row < height; row++) {
      const start = s;
      let [first, last] = [-1, -1];
      for (const end = s + width * samples; s < end; s++) {
        const face = (owner[s] as number) - 1 - firstFace;
        if (face >>> 0 >= count || reflects[face] === 0) continue;
        depth[s] = 0;
        if (first < 0) first = s - start;
        last = s - start;
      }
      if (first < 0) continue;
      left = Math.min(left, Math.floor(first / samples));
      right = Math.max(right, Math.floor(last / samples));
      top = Math.min(top, row);
      bottom = row;
    }
    if (right < 0) return false;
    this.#image.bounds = { left, right, top, bottom };
    tiles.touch(left, right, top, bottom);
    return true;
  }
}

/** The first opaque geom that reflects. */
export function mirrorIn(opaque: readonly PlacedGeom[]): PlacedGeom | undefined {
  return opaque.find(({ geom }) => geom.kind !== "solid" && geom.material.reflectance > 0);
}

function sideOf({ geom, pose: m }: PlacedGeom) {
  const height = geom.kind === "box" ? geom.size[2] : 0;
  const normal = [m[2] as number, m[6] as number, m[10] as number] as const;
  const point = [
    (m[3] as number) + height * normal[0],
    (m[7] as number) + height * normal[1],
    (m[11] as number) + height * normal[2],
  ] as const;
  const pose = m.slice();
  for (const k of [0, 1, 2] as const) pose[4 * k + 3] = point[k];
  return { normal, point, pose };
}
