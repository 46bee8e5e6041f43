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
import { type SightOptions, sightingOf } from "./sight.js";

/** Pictures that are being compressed at once: as many as keep a few cores busy, raw ones are large. */
const AT_ONCE = 4;
const STATE = "observation.state";

/**
 * The frames of one episode. Pictures are compressed as they come, beside whatever the simulator and the agent
 * do, so that only compressed ones pile up.
 */
export class Recording {
  readonly #code: ActionCode;
  readonly #options: SightOptions;
  readonly #numbers = new Map<string, (readonly number[])[]>();
  readonly #images = new Map<string, Promise<WrittenImage>[]>();
  readonly #encoded = new WeakMap<object, Promise<WrittenImage>>();
  readonly #pending = new Set<Promise<unknown>>();
  #stateNames: readonly string[] = [];
  #hasArguments = false;

  constructor(code: ActionCode, options: SightOptions) {
    this.#code = code;
    this.#options = options;
  }

  /** Whether an action had more to it (`goto:<node>`) than its name. */
  get hasArguments(): boolean {
    return this.#hasArguments;
  }

  async add(observation: Observation, action: Action): Promise<void> {
    const { images, state, names } = sightingOf(observation, this.#options);
    for (const [feature, image] of images) this.#push(this.#images, feature, this.#encode(image));
    if (state.length > 0) this.#push(this.#numbers, STATE, state);
    this.#stateNames = names;
    this.#hasArguments ||= typeof action === "string" && action.includes(":");
    for (const [feature, numbers] of Object.entries(this.#code.encode(action))) {
      this.#push(this.#numbers, feature, numbers);
    }
    while (this.#pending.size >= AT_ONCE) await Promise.race(this.#pending);
  }

  /** The first of the frames, those that were acted upon, once their pictures are ready. */
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

  /** What the frames have. */
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

  /** A goal's picture is the same object in every frame, and compressed once. */
  #encode(image: ColorImage | DepthImage): Promise<WrittenImage> {
    const known = this.#encoded.get(image);
    if (known) return known;
    const sums = pixelSums(image);
    const work = encodeImage(image).then((bytes) => ({ bytes, sums }));
    const settled = work.then(
      () => {},
      // Whoever asks for the frames sees it.
      () => {},
    );
    this.#pending.add(settled);
    settled.finally(() => this.#pending.delete(settled));
    this.#encoded.set(image, work);
    return work;
  }
}
