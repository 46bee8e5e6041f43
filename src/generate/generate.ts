import { BaseEpisode } from "../core/episode/base.js";
import { DataError, RobotEvalError } from "../core/errors.js";
import { hash53 } from "../core/math/hash.js";
import { Random } from "../core/math/random.js";
import type { SceneSource } from "../core/scene/source.js";
import { type LeasedScene, sceneLibrary } from "../simulator/navigation/scene-library.js";
import {
  HABITAT_NAVMESH,
  type NavMeshSettings,
  STRETCH_NAVMESH,
} from "../simulator/navmesh/settings.js";
import { type Follower, pathFollower } from "./follow.js";
import { makeImageNav } from "./image-nav.js";
import { objectNavMaker } from "./objectnav.js";
import {
  checkedOptions,
  type GeneratedTask,
  type GenerateOptions,
  type Settings,
} from "./options.js";
import { sceneWithDrawer } from "./rearrange/opened-drawer.js";
import { rearrangeMaker } from "./rearrange/rearrange.js";
import { type EpisodeDraft, type EpisodeMaker, Sampler, type Setting } from "./sampler.js";
import { vlnMaker } from "./vln.js";
import { Tokenizer, vocabularyOf } from "./vocabulary.js";

/** Episodes of one task, with statistics of their generation. */
export interface GeneratedSplit {
  readonly task: GeneratedTask;
  readonly episodes: readonly BaseEpisode[];
  /** The words of the instructions' tokens; vln only. */
  readonly vocabulary?: readonly string[] | undefined;
  readonly scenes: readonly SceneShare[];
  /** Drawn scenes that yielded too few episodes, with the reason. */
  readonly passedOver: readonly { readonly sceneId: string; readonly why: string }[];
}

/** Statistics of one scene. */
export interface SceneShare {
  readonly sceneId: string;
  readonly episodes: number;
  /** Number of draws. */
  readonly drawn: number;
  /** Number of rejected draws by reason. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** Maximum number of unsuitable drawn scenes per used one; under half of the apartments have a chest of drawers. */
const UNFIT_SHARE = { usual: 2, drawers: 6 } as const;

/**
 * Generates navigation episodes with reachable goals within distance limits, and starts and goals clear of walls,
 * distributed evenly over the scenes. Deterministic in the options; the episodes of a scene do not depend on the
 * other scenes.
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
    case "rearrange":
      return rearrangeMaker(settings.split);
  }
}

/** The body that has to fit. */
function bodyOf(task: GeneratedTask): NavMeshSettings {
  return task === "rearrange" ? STRETCH_NAVMESH : HABITAT_NAVMESH;
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
      throw new RobotEvalError("interrupted", "interrupted; nothing was written", {
        exitCode: 130,
      });
    }
    try {
      const given = await inScene(settings, make, { sceneId, source }, share);
      drafts.push(...given.drafts);
      scenes.push(given.share);
      settings.onScene?.(given.share, drafts.length);
    } catch (error) {
      // Listed scenes must all be used; a drawn one can be replaced.
      if (settings.kind === "listed" || !(error instanceof DataError)) throw error;
      passedOver.push({ sceneId, why: error.message });
      const unfitShare = UNFIT_SHARE[settings.drawers ? "drawers" : "usual"];
      if (passedOver.length > unfitShare * shares.length) throw error;
    }
  }
  return { drafts, scenes, passedOver };
}

interface FromScene {
  readonly drafts: EpisodeDraft[];
  readonly share: SceneShare;
}

async function inScene(
  settings: Settings,
  make: EpisodeMaker,
  { sceneId, source }: { readonly sceneId: string; readonly source: SceneSource | undefined },
  count: number,
): Promise<FromScene> {
  const body = bodyOf(settings.task);
  const { scene, drawer } = settings.drawers
    ? await sceneWithDrawer(sceneId, body, settings.seed)
    : { scene: await sceneLibrary.scene(sceneId, source, body), drawer: undefined };
  try {
    return await fromScene(settings, make, scene, { drawer, count });
  } finally {
    scene.release();
  }
}

async function fromScene(
  { seed, task, limits }: Settings,
  make: EpisodeMaker,
  { id, model, navMesh }: LeasedScene,
  { drawer, count }: Pick<Setting, "drawer"> & { readonly count: number },
): Promise<FromScene> {
  const random = new Random(hash53(`generate/${task}/${seed}/${id}`));
  const sampler = new Sampler(navMesh, random, limits, id);
  const drafts = await make({ model, ground: navMesh, sampler, drawer }, count);
  const { drawn, rejected } = sampler.draws;
  return { drafts, share: { sceneId: id, episodes: drafts.length, drawn, rejected } };
}

/** Assigns episode ids by position, from 1 as in R2R, and tokens by position in the vocabulary. */
function numbered(
  drafts: readonly EpisodeDraft[],
): Pick<GeneratedSplit, "episodes" | "vocabulary"> {
  const texts = drafts.flatMap(({ taskType, instruction }) =>
    taskType === "vln" ? (instruction?.text ?? []) : [],
  );
  const vocabulary = texts.length > 0 ? vocabularyOf(texts) : undefined;
  const tokenizer = vocabulary && new Tokenizer(vocabulary);
  const episodes = drafts.map((draft, i) => {
    const text = draft.instruction?.text;
    const instruction =
      text === undefined || !tokenizer
        ? draft.instruction
        : { text, tokens: tokenizer.tokens(text) };
    const taskConfig =
      draft.taskType === "vln" ? { trajectory_id: i + 1, ...draft.taskConfig } : draft.taskConfig;
    return new BaseEpisode({
      ...draft,
      episodeId: String(i + 1),
      ...(instruction ? { instruction } : {}),
      ...(taskConfig ? { taskConfig } : {}),
    });
  });
  return { episodes, vocabulary };
}
