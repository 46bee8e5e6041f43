import type { Canvas } from "./canvas.js";
import { Fragments } from "./fragments.js";
import type { LitVertices } from "./lit-vertices.js";
import type { PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import { mirroredAt, type Projection } from "./projection.js";
import { type Bounds, SampleBuffer } from "./sample-buffer.js";
import { drawTransparent } from "./transparent.js";
import type { PlacedLight } from "./vertex-light.js";
import { isBehind, ViewPass } from "./view-pass.js";

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
  /** 1 for the samples that show the reflecting side. */
  #isOpen = new Uint8Array(0);

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
    const bounds = this.#findOpen(geom, image);
    if (!bounds) return;
    const isOpen = this.#isOpen;
    const projection = mirroredAt(world.projection, side.point, side.normal);
    const tint = geom.geom.material.reflectance;
    const { lights } = world;
    this.lit.begin([{ lights, emission: true, tint }], projection.eye, lights.length === 0);
    this.#image.clear(image.width, image.height, bounds);
    const others = (geoms: readonly PlacedGeom[]) => geoms.filter((one) => one !== geom);
    for (const one of others(world.opaque)) this.#pass.draw(one, projection, this.#image);
    this.#fragments.begin(1, image.width);
    this.#shade(canvas, isOpen);
    drawTransparent(
      canvas,
      this.#image,
      this.#pass,
      projection,
      this.#fragments,
      others(world.transparent),
      (sample) => isOpen[sample] === 1,
    );
  }

  /**
   * Finds the samples that show the reflecting side: the faces whose normal is the geom's z axis. Returns the rectangle of
   * pixels that holds them all.
   */
  #findOpen({ geom, firstFace }: PlacedGeom, image: SampleBuffer): Bounds | undefined {
    const { owner, width, height, samples } = image;
    if (this.#isOpen.length !== owner.length) this.#isOpen = new Uint8Array(owner.length);
    const { faces, normals } = geom.mesh;
    const count = faces.length / 3;
    const isOpen = this.#isOpen;
    let [left, right, top, bottom] = [width, -1, height, -1];
    for (let row = 0, s = 0; row < height; row++) {
      let [first, last] = [-1, -1];
      for (const end = s + width * samples; s < end; s++) {
        const face = (owner[s] as number) - 1 - firstFace;
        isOpen[s] = 0;
        if (face < 0 || face >= count) continue;
        if ((normals[3 * (faces[3 * face] as number) + 2] as number) <= 0.5) continue;
        isOpen[s] = 1;
        if (first < 0) first = s;
        last = s;
      }
      if (first < 0) continue;
      const start = row * width;
      left = Math.min(left, Math.floor(first / samples) - start);
      right = Math.max(right, Math.floor(last / samples) - start);
      top = Math.min(top, row);
      bottom = row;
    }
    return right < 0 ? undefined : { left, right, top, bottom };
  }

  #shade(canvas: Canvas, isOpen: Uint8Array): void {
    const { owner, samples, width, bounds } = this.#image;
    for (let row = bounds.top; row <= bounds.bottom; row++) {
      for (let column = bounds.left; column <= bounds.right; column++) {
        let [lastFace, colour] = [0, 0];
        const first = (row * width + column) * samples;
        for (let s = first; s < first + samples; s++) {
          const face = owner[s] as number;
          if (face === 0 || isOpen[s] === 0) continue;
          if (face !== lastFace) {
            this.#fragments.shade(face, row, column, column);
            colour = this.#fragments.colours[0] as number;
            lastFace = face;
          }
          canvas[s] = colour;
        }
      }
    }
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
