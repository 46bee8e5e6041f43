import { ConfigError, show } from "../../core/errors.js";
import type { SceneModel } from "../scenes/model.js";
import { type Camera, viewOf } from "./camera.js";
import { visibleChunks } from "./cull.js";
import { isHidden } from "./occlusion.js";
import { depthInto, idsInto } from "./outputs.js";
import { type PlacedChunk, RenderPart } from "./part.js";
import { shadeInto } from "./shade.js";
import { Surfaces } from "./surfaces.js";
import { Triangles } from "./triangles.js";
import { Visibility } from "./visibility.js";

export type { Camera } from "./camera.js";

export interface RenderOutputs {
  readonly rgb?: boolean;
  readonly depth?: boolean;
  readonly ids?: boolean;
}

/** An image, row by row from the top, with the requested outputs. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** r, g, b of each pixel. */
  readonly rgb?: Uint8Array;
  /** Metres along the camera's axis; 0 for background. */
  readonly depth?: Float32Array;
  /** `ScenePart.instance`; 0 for background. */
  readonly ids?: Uint16Array;
}

/**
 * Renders a scene on the CPU. The same scene, transforms and camera give the same bytes.
 *
 * There is no blending (surfaces below half opacity are invisible, others solid) and there are no shadows or
 * reflections.
 *
 * @example
 * const renderer = new Renderer(generateApartment(7));
 * const camera = { width: 640, height: 480, hfovDeg: 90 };
 * const pose = { position: [0, 1.25, 0], rotation: [0, 0, 0, 1] } as const;
 * const { rgb, depth } = renderer.render({ ...camera, ...pose }, { rgb: true, depth: true });
 */
export class Renderer {
  readonly #parts: readonly RenderPart[];
  readonly #chunks: readonly PlacedChunk[];
  readonly #visibility = new Visibility();
  readonly #surfaces = new Surfaces();
  readonly #triangles = new Triangles(this.#visibility, this.#surfaces);
  /** Depth buffer for colour images if no depth is requested; reused between images. */
  #depth = new Float32Array(0);

  constructor(scene: Pick<SceneModel, "parts">) {
    this.#parts = scene.parts.map((part, index) => new RenderPart(part, index));
    this.#chunks = this.#parts.flatMap((part) => part.chunks);
  }

  /** Moves a part, by its index in the scene: 16 numbers in column-major order, as in glTF. */
  setTransform(part: number, transform: readonly number[]): void {
    const found = this.#parts[part];
    if (found === undefined) {
      throw new ConfigError(
        "unknown_part",
        `the scene has no part ${show(part)}; valid: 0 to ${this.#parts.length - 1}`,
      );
    }
    found.move(transform);
  }

  /** Returns new arrays, which the caller owns. */
  render(camera: Camera, outputs: RenderOutputs): Frame {
    const view = viewOf(camera);
    const { width, height } = view;
    const size = width * height;
    this.#visibility.clear(width, height, view.farM);
    this.#surfaces.clear();
    for (const chunk of visibleChunks(this.#chunks, view)) {
      if (isHidden(chunk, view, this.#visibility)) continue;
      this.#triangles.draw(chunk, view, outputs.rgb === true);
    }
    const frame: { -readonly [K in keyof Frame]: Frame[K] } = { width, height };
    if (outputs.depth) frame.depth = new Float32Array(size);
    if (outputs.rgb) {
      frame.rgb = new Uint8Array(size * 3);
      if (!frame.depth && this.#depth.length < size) this.#depth = new Float32Array(size);
      shadeInto(frame.rgb, frame.depth ?? this.#depth, this.#visibility, this.#surfaces);
    } else if (frame.depth) depthInto(frame.depth, this.#visibility);
    if (outputs.ids) {
      frame.ids = new Uint16Array(size);
      idsInto(frame.ids, this.#visibility, this.#surfaces);
    }
    return frame;
  }
}
