import { BaseEpisode } from "../core/episode/base.js";
import { DataError, RobotEvalError } from "../core/errors.js";
import { hash53 } from "../core/math/hash.js";
import { Random } from "../core/math/random.js";
import type { SceneSource } from "../core/scene/source.js";
import { HABITAT_NAVMESH } from "../simulator/navigation/navmesh/settings.js";
import { type LeasedScene, sceneLibrary } from "../simulator/scenes/library.js";
import type { EpisodeDraft, EpisodeMaker } from "./draft.js";
import { type Follower, pathFollower } from "./follow.js";
import { makeImageNav } from "./image-nav.js";
import { objectNavMaker } from "./objectnav.js";
import {
  checkedOptions,
  type GeneratedTask,
  type GenerateOptions,
  type Settings,
} from "./options.js";
import { Sampler } from "./sampler.js";
import { vlnMaker } from "./vln.js";
import { Tokenizer, vocabularyOf } from "./vocabulary.js";

/** Episodes of one task, and how they came about. */
export interface GeneratedSplit {
  readonly task: GeneratedTask;
  readonly episodes: readonly BaseEpisode[];
  /** The words that instructions' tokens stand for; of vln only. */
  readonly vocabulary?: readonly string[] | undefined;
  readonly scenes: readonly SceneShare[];
  /** Drawn scenes that did not give their share, and why. */
  readonly passedOver: readonly { readonly sceneId: string; readonly why: string }[];
}

/** What one scene gave. */
export interface SceneShare {
  readonly sceneId: string;
  readonly episodes: number;
  /** How often chance was asked for them. */
  readonly drawn: number;
  /** Draws that were not taken, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** Drawn scenes that may be unfit, for each one that is used. */
const UNFIT_SHARE = 2;

/**
 * Makes navigation episodes: reachable goals at a distance within limits, starts and goals clear of walls,
 * spread evenly over the scenes. The same options give the same episodes; what a scene gives does not
 * depend on the other scenes.
 *
 * @example
 * const split = await generateEpisodes({ task: "vln", scenes: drawnApartments, seed: 999, count: 100 });
 */
export async function generateEpisodes(options: GenerateOptions): Promise<GeneratedSplit> {
  const settings = checkedOptions(options);
  const source = options.scenes.kind === "listed" ? options.scenes.source : undefined;
  const follower =
    settings.task === "vln" && options.follow === undefined
      ? await pathFollower(source)
      : undefined;
  try {
    const { drafts, ...rest } = await fromScenes(settings, makerOf(settings, follower), source);
    return { task: settings.task, ...numbered(drafts), ...rest };
  } finally {
    await follower?.close();
  }
}

function makerOf(settings: Settings, follower: Follower | undefined): EpisodeMaker {
  switch (settings.task) {
    case "vln":
      return vlnMaker(settings.follow || follower?.follow);
    case "objectnav":
      return objectNavMaker(settings.categories);
    case "image_nav":
      return makeImageNav;
  }
}

interface Drafts extends Pick<GeneratedSplit, "scenes" | "passedOver"> {
  readonly drafts: readonly EpisodeDraft[];
}

async function fromScenes(
  settings: Settings,
  make: EpisodeMaker,
  source: SceneSource | undefined,
): Promise<Drafts> {
  const drafts: EpisodeDraft[] = [];
  const scenes: SceneShare[] = [];
  const passedOver: { sceneId: string; why: string }[] = [];
  const { shares } = settings;
  for (const sceneId of settings.sceneIds) {
    const share = shares[scenes.length];
    if (share === undefined) break;
    if (settings.signal?.aborted) {
      throw new RobotEvalError("interrupted", "stopped; nothing was written", { exitCode: 130 });
    }
    const scene = await sceneLibrary.scene(sceneId, source, HABITAT_NAVMESH);
    try {
      const given = await fromScene(settings, make, scene, share);
      drafts.push(...given.drafts);
      scenes.push(given.share);
      settings.onScene?.(given.share, drafts.length);
    } catch (error) {
      // Whoever names scenes wants these; of drawn ones another will do.
      if (settings.kind === "listed" || !(error instanceof DataError)) throw error;
      passedOver.push({ sceneId, why: error.message });
      if (passedOver.length > UNFIT_SHARE * shares.length) throw error;
    } finally {
      scene.release();
    }
  }
  return { drafts, scenes, passedOver };
}

async function fromScene(
  { seed, task, limits }: Settings,
  make: EpisodeMaker,
  { id, model, navMesh }: LeasedScene,
  count: number,
): Promise<{ drafts: EpisodeDraft[]; share: SceneShare }> {
  const random = new Random(hash53(`generate/${task}/${seed}/${id}`));
  const sampler = new Sampler(navMesh, random, limits, id);
  const drafts = await make({ model, ground: navMesh, sampler }, count);
  const { drawn, rejected } = sampler.tally;
  return { drafts, share: { sceneId: id, episodes: drafts.length, drawn, rejected } };
}

/** Ids are the places in the split, from 1 as R2R's, and tokens the places in its vocabulary. */
function numbered(
  drafts: readonly EpisodeDraft[],
): Pick<GeneratedSplit, "episodes" | "vocabulary"> {
  const texts = drafts.flatMap(({ instruction }) => instruction?.text ?? []);
  const vocabulary = texts.length > 0 ? vocabularyOf(texts) : undefined;
  const tokenizer = vocabulary && new Tokenizer(vocabulary);
  const episodes = drafts.map((draft, i) => {
    const text = draft.instruction?.text;
    const instruction =
      text === undefined || !tokenizer ? {} : { text, tokens: tokenizer.tokens(text) };
    const taskConfig =
      draft.taskType === "vln" ? { trajectory_id: i + 1, ...draft.taskConfig } : draft.taskConfig;
    return new BaseEpisode({
      ...draft,
      episodeId: String(i + 1),
      instruction,
      ...(taskConfig ? { taskConfig } : {}),
    });
  });
  return { episodes, vocabulary };
}
