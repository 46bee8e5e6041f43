import { type Canvas, packed, sum } from "./canvas.js";
import type { Fragments } from "./fragments.js";
import type { PlacedGeom } from "./placed-geoms.js";
import type { SampleBuffer } from "./sample-buffer.js";
import type { GlSettings } from "./scene.js";
import { ShadowMap } from "./shadow-map.js";
import type { PlacedLight } from "./vertex-light.js";

/** Fragments less opaque than this get no light that casts shadows (`glAlphaFunc`). */
const LIT_OPACITY = 0.99;

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
      this.#paint(canvas, image);
      return;
    }
    this.#begin(image.owner.length, shadowLights);
    this.#shadeFragments(image, shadowLights.length);
    for (let i = 0; i < shadowLights.length; i++) (this.#maps[i] as ShadowMap).answer(casters);
    this.#compose(canvas, image.owner.length, shadowLights.length);
  }

  /** Without shadow lights, each sample has the colour of its fragment. */
  #paint(canvas: Canvas, { owner, width, height, samples }: SampleBuffer): void {
    const fragments = this.fragments;
    for (let row = 0, at = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        let face = 0;
        let colour = 0;
        for (const end = at + samples; at < end; at++) {
          const here = owner[at] as number;
          if (here === 0) continue;
          if (here !== face) {
            face = here;
            fragments.shade(face, column, row, 1);
            colour = packed(fragments.colours[0] as Float64Array);
          }
          const under = canvas[at] as number;
          canvas[at] = under === 0 ? colour : sum(under, colour);
        }
      }
    }
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
    for (let row = 0, at = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const end = at + samples;
        const sole = soleOwner(owner, at, samples);
        if (sole >= 0) {
          let fragment = -1;
          if (sole > 0) {
            fragment = count++;
            this.#shadeFragment(fragment, sole, column, row, lights);
          }
          while (at < end) fragmentOf[at++] = fragment;
          continue;
        }
        let face = 0;
        let fragment = -1;
        for (const first = at; at < end; at++) {
          const here = owner[at] as number;
          if (here !== face) {
            face = here;
            fragment = -1;
            for (let before = first; here !== 0 && before < at; before++) {
              if (owner[before] === here) fragment = fragmentOf[before] as number;
            }
            if (here !== 0 && fragment < 0) {
              fragment = count++;
              this.#shadeFragment(fragment, here, column, row, lights);
            }
          }
          fragmentOf[at] = fragment;
        }
      }
    }
  }

  #shadeFragment(
    fragment: number,
    face: number,
    column: number,
    row: number,
    lights: number,
  ): void {
    const fragments = this.fragments;
    fragments.shade(face, column, row, 1 + lights);
    this.#base[fragment] = packed(fragments.colours[0] as Float64Array);
    const { world } = fragments;
    for (let i = 0; i < lights; i++) {
      const isLit = fragments.opacity >= LIT_OPACITY;
      const added = isLit ? packed(fragments.colours[i + 1] as Float64Array) : 0;
      (this.#added[i] as Int32Array)[fragment] = added;
      (this.#questions[i] as Int32Array)[fragment] =
        added === 0
          ? -1
          : (this.#maps[i] as ShadowMap).ask(
              world[0] as number,
              world[1] as number,
              world[2] as number,
            );
    }
  }
}

/** The owner of all samples of a pixel, or -1 if they differ. */
function soleOwner(owner: Int32Array, first: number, samples: 1 | 4): number {
  const face = owner[first] as number;
  if (samples === 1) return face;
  return owner[first + 1] === face && owner[first + 2] === face && owner[first + 3] === face
    ? face
    : -1;
}
