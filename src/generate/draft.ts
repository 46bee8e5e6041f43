import type { EpisodeInit } from "../core/episode/base.js";
import type { SceneModel } from "../simulator/scenes/model.js";
import type { Ground } from "./ground.js";
import type { Sampler } from "./sampler.js";

/** An episode before it is numbered. */
export type EpisodeDraft = Omit<EpisodeInit, "episodeId">;

/** A scene to make episodes in. */
export interface Setting {
  readonly model: SceneModel;
  readonly ground: Ground;
  readonly sampler: Sampler;
}

/** Makes so many episodes of one task in one scene. */
export type EpisodeMaker = (setting: Setting, count: number) => Promise<EpisodeDraft[]>;
