import { type Canvas, sum } from "./canvas.js";
import type { Fragments } from "./fragments.js";
import { endOfRun, paint, soleOwner } from "./paint.js";
import type { PlacedGeom } from "./placed-geoms.js";
import type { SampleBuffer } from "./sample-buffer.js";
import type { GlSettings } from "./scene.js";
import { ShadowMap } from "./shadow-map.js";
import type { PlacedLight } from "./vertex-light.js";

/** Fragments less opaque than this get no light that casts shadows (`glAlphaFunc`). */
const LIT_OPACITY = Math.ceil(0.99 * 255);

/**
 * Colours the samples of opaque geoms: the light that casts no shadow, plus the light of each shadow map where no
 * caster is in between. Each face is shaded once per pixel.
 */
export class OpaqueShading {
  readonly #maps: ShadowMap[] = [];
  /** Per fragment: the colour without shadow lights. */
  #base = new Int32Array(0);
  /** Per shadow light and fragment: the colour that it adds, and its question to the shadow map. */
  readonly #added: Int32Array[] = [];
  readonly #questions: Int32Array[] = [];
  /** Fragment of each sample, -1 for background. */
  #fragmentOf = new Int32Array(0);

  constructor(
    private readonly fragments: Fragments,
    private readonly settings: GlSettings,
  ) {}

  /** Adds the colours to what the canvas holds; set 0 of the lit vertices is without shadow lights. */
  shade(
    canvas: Canvas,
    image: SampleBuffer,
    shadowLights: readonly PlacedLight[],
    casters: readonly PlacedGeom[],
  ): void {
    if (shadowLights.length === 0) {
      paint(canvas, image, this.fragments);
      return;
    }
    this.#begin(image.owner.length, shadowLights);
    this.#shadeFragments(image, shadowLights.length);
    for (let i = 0; i < shadowLights.length; i++) (this.#maps[i] as ShadowMap).answer(casters);
    this.#compose(canvas, image.owner.length, shadowLights.length);
  }

  /** Adds up the light of each sample. Neighbouring samples mostly show the same fragment. */
  #compose(canvas: Canvas, samples: number, lights: number): void {
    const fragmentOf = this.#fragmentOf;
    const base = this.#base;
    let last = -1;
    let colour = 0;
    for (let s = 0; s < samples; s++) {
      const fragment = fragmentOf[s] as number;
      if (fragment < 0) continue;
      if (fragment !== last) {
        last = fragment;
        colour = base[fragment] as number;
        for (let i = 0; i < lights; i++) {
          const more = (this.#added[i] as Int32Array)[fragment] as number;
          if (more === 0) continue;
          const question = (this.#questions[i] as Int32Array)[fragment] as number;
          if (question >= 0 && (this.#maps[i] as ShadowMap).shadowed[question] === 1) continue;
          colour = sum(colour, more);
        }
      }
      const under = canvas[s] as number;
      canvas[s] = under === 0 ? colour : sum(under, colour);
    }
  }

  #begin(most: number, lights: readonly PlacedLight[]): void {
    if (this.#base.length < most) {
      this.#base = new Int32Array(most);
      this.#fragmentOf = new Int32Array(most);
      this.#added.length = 0;
      this.#questions.length = 0;
    }
    for (const [i, light] of lights.entries()) {
      this.#maps[i] ??= new ShadowMap(this.settings.shadowSize);
      this.#added[i] ??= new Int32Array(this.#base.length);
      this.#questions[i] ??= new Int32Array(this.#base.length);
      this.#maps[i].begin(light, this.settings, most);
    }
  }

  #shadeFragments({ owner, width, height, samples }: SampleBuffer, lights: number): void {
    const fragmentOf = this.#fragmentOf;
    let count = 0;
    for (let row = 0; row < height; row++) {
      for (let column = 0, at = row * width * samples; column < width; ) {
        const sole = soleOwner(owner, at, samples);
        if (sole >= 0) {
          const last = endOfRun(owner, at, samples, column, width - 1);
          const end = at + (last - column + 1) * samples;
          if (sole > 0) {
            this.#shadeRun(count, sole, row, column, last, lights);
            for (let i = 0; at < end; at++, i++) {
              fragmentOf[at] = count + (samples === 4 ? i >> 2 : i);
            }
            count += last - column + 1;
          } else fragmentOf.fill(-1, at, end);
          at = end;
          column = last + 1;
          continue;
        }
        let face = 0;
        let fragment = -1;
        const first = at;
        for (const end = at + samples; at < end; at++) {
          const here = owner[at] as number;
          if (here !== face) {
            face = here;
            fragment = -1;
            for (let before = first; here !== 0 && before < at; before++) {
              if (owner[before] === here) fragment = fragmentOf[before] as number;
            }
            if (here !== 0 && fragment < 0) {
              fragment = count++;
              this.#shadeRun(fragment, here, row, column, column, lights);
            }
          }
          fragmentOf[at] = fragment;
        }
        column++;
      }
    }
  }

  /** Shades a face at a run of pixels as the fragments from `first` on. */
  #shadeRun(
    first: number,
    face: number,
    row: number,
    from: number,
    to: number,
    lights: number,
  ): void {
    const fragments = this.fragments;
    fragments.shade(face, row, from, to);
    const { colours, texels, most } = fragments;
    const pixels = to - from + 1;
    for (let p = 0; p < pixels; p++) this.#base[first + p] = colours[p] as number;
    for (let i = 0; i < lights; i++) {
      const map = this.#maps[i] as ShadowMap;
      const allAdded = this.#added[i] as Int32Array;
      const questions = this.#questions[i] as Int32Array;
      for (let p = 0; p < pixels; p++) {
        const isLit = (texels[p] as number) >>> 24 >= LIT_OPACITY;
        const added = isLit ? (colours[(i + 1) * most + p] as number) : 0;
        allAdded[first + p] = added;
        questions[first + p] = added === 0 ? -1 : map.ask(fragments.world, 3 * p);
      }
    }
  }
}
