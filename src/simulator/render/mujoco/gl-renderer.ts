import { resolveInto } from "./canvas.js";
import { Fragments } from "./fragments.js";
import { LitVertices } from "./lit-vertices.js";
import { Mirror, type MirroredWorld, mirrorIn } from "./mirror.js";
import { OpaqueShading } from "./opaque.js";
import { nearestBoxFirst, type PlacedGeom, PlacedGeoms } from "./placed-geoms.js";
import { type Projection, projectionOf } from "./projection.js";
import { SampleBuffer } from "./sample-buffer.js";
import type { GlCamera, GlPoses, GlScene, GlSettings } from "./scene.js";
import { drawSky } from "./sky.js";
import { drawTransparent, isTransparent, nearestFirst } from "./transparent.js";
import { lightsOf } from "./vertex-light.js";
import { ViewPass } from "./view-pass.js";

export interface GlOutputs {
  readonly rgb?: boolean | undefined;
  readonly depth?: boolean | undefined;
  readonly ids?: boolean | undefined;
  readonly geoms?: boolean | undefined;
}

/** Images row by row from the top. */
export interface GlFrame {
  readonly rgb?: Uint8Array;
  /** Metres along the camera's axis; 0 for background. `GlSettings.transparentDepth` says whether transparent geoms count. */
  readonly depth?: Float32Array;
  /** `GlGeom.instance`; 0 for background. */
  readonly ids?: Uint16Array;
  /** `GlGeom.segment`; -1 for background. */
  readonly geoms?: Int32Array;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Draws a scene as MuJoCo's renderer does (`render_gl3.c`): the fixed-function pipeline of OpenGL with light per
 * vertex, shadow maps, one mirror, a sky and blended transparent geoms. The same scene, poses and camera give the same
 * bytes.
 */
export class GlRenderer {
  readonly #placed: PlacedGeoms;
  readonly #pass: ViewPass;
  readonly #lit: LitVertices;
  readonly #fragments: Fragments;
  readonly #opaque: OpaqueShading;
  readonly #image: SampleBuffer;
  readonly #centres = new SampleBuffer(1);
  /** For what is drawn under all lights at once: mirror images and transparent geoms. Created when needed. */
  #bright: { readonly lit: LitVertices; readonly fragments: Fragments } | undefined;
  #mirror: Mirror | undefined;
  #canvas = new Int32Array(0);

  constructor(private readonly scene: GlScene) {
    this.#placed = new PlacedGeoms(scene);
    this.#pass = new ViewPass(this.#placed);
    this.#lit = new LitVertices(this.#placed.vertices);
    this.#fragments = new Fragments(this.#placed, this.#pass, this.#lit);
    this.#opaque = new OpaqueShading(this.#fragments, scene.settings);
    this.#image = new SampleBuffer(scene.settings.samples);
  }

  /** Returns new arrays, which the caller owns. */
  render(
    camera: GlCamera,
    { width, height }: { readonly width: number; readonly height: number },
    poses: GlPoses,
    outputs: GlOutputs,
  ): GlFrame {
    const { geoms } = this.#placed;
    const { position: head } = camera;
    this.#placed.place(poses, head);
    const world: MirroredWorld = {
      projection: projectionOf(camera, width, height, this.scene.settings),
      opaque: geoms.filter((placed) => !isTransparent(placed, head)),
      transparent: nearestFirst(
        geoms.filter((placed) => isTransparent(placed, head)),
        head,
      ),
      lights: lightsOf(this.scene, poses, aheadOf(camera)),
    };
    const frame: Writable<GlFrame> = {};
    if (outputs.rgb) frame.rgb = this.#colours(camera, world);
    if (outputs.depth || outputs.ids || outputs.geoms) this.#drawCentres(world, outputs, frame);
    return frame;
  }

  #colours(camera: GlCamera, world: MirroredWorld): Uint8Array {
    const { projection, opaque, transparent, lights } = world;
    const { width, height } = projection;
    const { settings, skybox } = this.scene;
    const image = this.#image;
    image.clear(width, height);
    for (const placed of nearestBoxFirst(opaque, projection.eye))
      this.#pass.draw(placed, projection, image);
    const count = image.owner.length;
    if (this.#canvas.length !== count) this.#canvas = new Int32Array(count);
    const canvas = this.#canvas.fill(0);
    const mirror = settings.reflections ? mirrorIn(opaque) : undefined;
    if (mirror) {
      this.#mirror ??= new Mirror(this.#placed, this.#brightly().lit, settings.samples);
      this.#mirror.draw(canvas, image, mirror, world);
    }
    const shadowLights = lights.filter(({ castShadow }) => castShadow);
    const others = lights.filter(({ castShadow }) => !castShadow);
    const sets = [
      { lights: others, emission: true, tint: 1 },
      ...shadowLights.map((light) => ({ lights: [light], emission: false, tint: 1 })),
    ];
    this.#lit.begin(sets, projection.eye, lights.length === 0);
    this.#fragments.begin(sets.length, width);
    this.#opaque.shade(canvas, image, shadowLights, this.#placed.geoms);
    if (skybox) {
      const plane = this.#placed.geoms.find(
        ({ geom }) => geom.kind === "plane" && geom.size[0] === 0 && geom.size[1] === 0,
      );
      drawSky(canvas, image, camera, skybox, settings, plane);
    }
    if (transparent.length > 0) {
      const { lit, fragments } = this.#brightly();
      lit.begin([{ lights, emission: true, tint: 1 }], projection.eye, lights.length === 0);
      fragments.begin(1, width);
      drawTransparent(canvas, image, this.#pass, projection, fragments, transparent);
    }
    const rgb = new Uint8Array(3 * width * height);
    resolveInto(rgb, canvas, settings.samples);
    return rgb;
  }

  #brightly() {
    if (!this.#bright) {
      const lit = new LitVertices(this.#placed.vertices);
      this.#bright = { lit, fragments: new Fragments(this.#placed, this.#pass, lit) };
    }
    return this.#bright;
  }

  /** Depth and numbers at the centres of pixels. Numbers include transparent geoms. */
  #drawCentres(
    { projection, opaque }: MirroredWorld,
    outputs: GlOutputs,
    frame: Writable<GlFrame>,
  ): void {
    const centres = this.#centres;
    const draw = (geoms: readonly PlacedGeom[]) => {
      centres.clear(projection.width, projection.height);
      for (const placed of nearestBoxFirst(geoms, projection.eye)) {
        this.#pass.draw(placed, projection, centres);
      }
    };
    const all = this.#placed.geoms;
    const { transparentDepth } = this.scene.settings;
    if (outputs.depth) {
      draw(transparentDepth ? all : opaque);
      frame.depth = depthOf(centres, projection, this.scene.settings);
    }
    if (!outputs.ids && !outputs.geoms) return;
    // Of coplanar geoms the last one of the model is seen, as in MuJoCo's segmentation.
    if (!outputs.depth || !transparentDepth) draw(all);
    const { owner } = centres;
    const geomAt = (face: number) => this.#fragments.geomOf(face).geom;
    if (outputs.ids) {
      frame.ids = Uint16Array.from(owner, (face) => (face === 0 ? 0 : geomAt(face).instance));
    }
    if (outputs.geoms) {
      frame.geoms = Int32Array.from(owner, (face) => (face === 0 ? -1 : geomAt(face).segment));
    }
  }
}

function depthOf(
  { depth, owner }: SampleBuffer,
  projection: Projection,
  { znear, zfar }: GlSettings,
): Float32Array {
  const isOrthographic = projection.matrix[15] === 1;
  return Float32Array.from(depth, (z, i) => {
    if (owner[i] === 0) return 0;
    const part = z * (zfar - znear);
    return isOrthographic ? zfar - part : (znear * zfar) / (part + znear);
  });
}

function aheadOf({ matrix: m }: GlCamera): readonly [number, number, number] {
  return [-(m[2] as number), -(m[5] as number), -(m[8] as number)];
}
