import { type Canvas, packed } from "./canvas.js";
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
    const isOpen = openSamples(geom, image);
    const bounds = boundsOf(isOpen, image);
    if (!bounds) return;
    const projection = mirroredAt(world.projection, side.point, side.normal);
    const tint = geom.geom.material.reflectance;
    const { lights } = world;
    this.lit.begin([{ lights, emission: true, tint }], projection.eye, lights.length === 0);
    this.#image.clear(image.width, image.height, bounds);
    const others = (geoms: readonly PlacedGeom[]) => geoms.filter((one) => one !== geom);
    for (const one of others(world.opaque)) this.#pass.draw(one, projection, this.#image);
    this.#fragments.begin();
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
            this.#fragments.shade(face, column, row, 1);
            colour = packed(this.#fragments.colours[0] as Float64Array);
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

/** 1 for the samples that show the reflecting side: the faces whose normal is the geom's z axis. */
function openSamples({ geom, firstFace }: PlacedGeom, { owner }: SampleBuffer): Uint8Array {
  const { faces, normals } = geom.mesh;
  const last = firstFace + faces.length / 3;
  const open = new Uint8Array(owner.length);
  for (let s = 0; s < owner.length; s++) {
    const face = (owner[s] as number) - 1;
    if (face < firstFace || face >= last) continue;
    const corner = faces[3 * (face - firstFace)] as number;
    if ((normals[3 * corner + 2] as number) > 0.5) open[s] = 1;
  }
  return open;
}

/** The rectangle of pixels that holds all open samples. */
function boundsOf(open: Uint8Array, { width, height, samples }: SampleBuffer): Bounds | undefined {
  const line = width * samples;
  let [left, right, top, bottom] = [line, -1, height, -1];
  for (let row = 0, start = 0; row < height; row++, start += line) {
    let from = 0;
    while (from < line && open[start + from] === 0) from++;
    if (from === line) continue;
    let to = line - 1;
    while (open[start + to] === 0) to--;
    left = Math.min(left, from);
    right = Math.max(right, to);
    top = Math.min(top, row);
    bottom = row;
  }
  if (right < 0) return undefined;
  return { left: Math.floor(left / samples), right: Math.floor(right / samples), top, bottom };
}
