import { encodeImage } from "../../api/codec/image.js";
import type { Action } from "../../core/interfaces/action.js";
import type { ColorImage, DepthImage, Observation } from "../../core/interfaces/observation.js";
import type { ActionCode } from "../../dataset/lerobot/actions.js";
import { pixelSums } from "../../dataset/lerobot/image-stats.js";
import {
  imageFeature,
  type WrittenEpisode,
  type WrittenFeature,
  type WrittenImage,
} from "../../dataset/lerobot/written.js";
import { type FeatureOptions, observationFeatures } from "./observation-features.js";

/** Number of images compressed concurrently: enough for a few cores, because raw images are large. */
const AT_ONCE = 4;
const STATE = "observation.state";

/**
 * The frames of one episode. Images are compressed as they arrive, in parallel with simulator and agent, so that only
 * compressed ones are kept in memory.
 */
export class Recording {
  readonly #code: ActionCode;
  readonly #options: FeatureOptions;
  readonly #numbers = new Map<string, (readonly number[])[]>();
  readonly #images = new Map<string, Promise<WrittenImage>[]>();
  readonly #encoded = new WeakMap<object, Promise<WrittenImage>>();
  readonly #pending = new Set<Promise<unknown>>();
  #stateNames: readonly string[] = [];
  #hasArguments = false;

  constructor(code: ActionCode, options: FeatureOptions) {
    this.#code = code;
    this.#options = options;
  }

  /** True if an action had an argument (`goto:<node>`). */
  get hasArguments(): boolean {
    return this.#hasArguments;
  }

  async add(observation: Observation, action: Action): Promise<void> {
    const { images, state, names } = observationFeatures(observation, this.#options);
    for (const [feature, image] of images) this.#push(this.#images, feature, this.#encode(image));
    if (state.length > 0) this.#push(this.#numbers, STATE, state);
    this.#stateNames = names;
    this.#hasArguments ||= typeof action === "string" && action.includes(":");
    for (const [feature, numbers] of Object.entries(this.#code.encode(action))) {
      this.#push(this.#numbers, feature, numbers);
    }
    while (this.#pending.size >= AT_ONCE) await Promise.race(this.#pending);
  }

  /** Resolves with the first `count` frames, those with an action, when their images are compressed. */
  async frames(count: number): Promise<Pick<WrittenEpisode, "numbers" | "images">> {
    const numbers = Array.from(
      this.#numbers,
      ([feature, frames]) => [feature, frames.slice(0, count)] as const,
    );
    const images: [string, WrittenImage[]][] = [];
    for (const [feature, frames] of this.#images) {
      images.push([feature, await Promise.all(frames.slice(0, count))]);
    }
    return { numbers: new Map(numbers), images: new Map(images) };
  }

  /** The dataset features of the recorded frames. */
  async features(): Promise<Readonly<Record<string, WrittenFeature>>> {
    const features: Record<string, WrittenFeature> = {};
    for (const [name, [first]] of this.#images) {
      if (first) features[name] = imageFeature((await first).sums);
    }
    const { length } = this.#stateNames;
    if (length > 0) {
      features[STATE] = { dtype: "float32", shape: [length], names: this.#stateNames };
    }
    return { ...features, ...this.#code.features };
  }

  #push<T>(columns: Map<string, T[]>, feature: string, value: T): void {
    const column = columns.get(feature);
    if (column) column.push(value);
    else columns.set(feature, [value]);
  }

  /** The goal image is the same object in every frame and is compressed once. */
  #encode(image: ColorImage | DepthImage): Promise<WrittenImage> {
    const known = this.#encoded.get(image);
    if (known) return known;
    const sums = pixelSums(image);
    const work = encodeImage(image).then((bytes) => ({ bytes, sums }));
    const settled = work.then(
      () => {},
      // The error is reported when the frames are requested.
      () => {},
    );
    this.#pending.add(settled);
    settled.finally(() => this.#pending.delete(settled));
    this.#encoded.set(image, work);
    return work;
  }
}
