import { join } from "node:path";
import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { checkPlain } from "../../runs/directory/plain-files.js";
import { readTrajectory, type Trajectory } from "../../runs/directory/trajectory.js";
import { isStressFolder, readStress } from "../../runs/stress/read-stress.js";
import type { SceneRate } from "../../runs/summary/scene-rates.js";
import { compareDocument } from "./compare-document.js";
import type {
  CompareDocument,
  EpisodeDocument,
  EpisodePage,
  FrameStrip,
  LiveEvent,
  PoseTrack,
  RunDocument,
  RunsDocument,
  ScenesDocument,
  StressDocument,
} from "./documents.js";
import { episodeDocument } from "./episode-document.js";
import { episodeIdOf } from "./episode-id.js";
import { EpisodeIndex } from "./episode-index.js";
import { episodePage } from "./episode-page.js";
import { HeavyWork } from "./heavy.js";
import type { EpisodeRef, Scene } from "./heavy-jobs.js";
import { inside } from "./inside.js";
import { Lru } from "./lru.js";
import { familyOf, metricNotes } from "./names.js";
import { unknownAddress } from "./problem.js";
import { RunFolder } from "./run-folder.js";
import { RunIndex } from "./run-index.js";
import type { KnownRun } from "./run-reader.js";
import { thumbnailSvg } from "./thumbnail.js";
import { lacksPlugins, PLUGINS_HINT, type ViewOptions } from "./view-permissions.js";

/** Maximum number of episode indices in memory; each takes a few dozen bytes per episode. */
const KEPT_INDICES = 32;
const SCENE_BYTES = 192 * 1024 * 1024;
const WARM_UP_AFTER_MS = 1000;
/** Maximum number of steps with camera images; the page's scrubber shows no more. */
const MOST_FRAMES = 60;

export interface LibraryOptions extends ViewOptions {
  /** Maximum number of concurrent slow jobs. */
  readonly threads?: number | undefined;
  /** Maximum camera images per sensor and episode; 0 for none. */
  readonly frames?: number | undefined;
}

/** The documents of a folder of runs. */
export class RunLibrary {
  readonly #index: RunIndex;
  readonly #indices = new Lru<EpisodeIndex>(KEPT_INDICES, () => 1);
  readonly #heavy: HeavyWork;
  readonly #frames: number;
  readonly #scenes = new Lru<Scene>(SCENE_BYTES, (scene) =>
    "bytes" in scene ? scene.bytes.length : scene.note.length,
  );
  /** Scene names by `sceneKey`. */
  readonly #sceneNames = new Map<string, string>();
  /** An episode of each scene, from which a scene that left the cache is made again. */
  readonly #sceneEpisodes = new Map<string, { readonly run: string; readonly episode: string }>();

  /** Scenes being made, by `sceneKey`; concurrent requests share them. */
  readonly #making = new Map<string, Promise<Scene>>();

  private constructor(
    private readonly folder: RunFolder,
    options: LibraryOptions,
  ) {
    const { threads = 1, frames = MOST_FRAMES } = options;
    this.#index = new RunIndex(folder, options);
    this.#heavy = new HeavyWork(threads);
    this.#frames = frames;
  }

  /** @param path a folder of runs, or one run */
  static async open(path: string, options: LibraryOptions = {}): Promise<RunLibrary> {
    return new RunLibrary(await RunFolder.open(path), options);
  }

  close(): Promise<void> {
    this.#index.close();
    return this.#heavy.close();
  }

  /** @param live false for a static export, in which nothing changes */
  async runs(live: boolean): Promise<RunsDocument> {
    const { root } = this.folder;
    const stress = root !== undefined && (await isStressFolder(root));
    const document = { ...(await this.#index.list()), stress };
    return live ? document : { ...document, live, revision: null };
  }

  /** The stress test to which the folder's runs belong. */
  async stress(): Promise<StressDocument> {
    const { root } = this.folder;
    if (root === undefined || !(await isStressFolder(root))) throw unknownAddress("stress.json");
    const report = await readStress(root);
    const told = report.axes.flatMap((axis) => axis.telling_episodes);
    const ids = told.flatMap(({ episode_key: key, baseline, perturbed }) =>
      [...new Set([baseline.repeat, perturbed.repeat])].map((repeat) => ({
        ...{ key, repeat, id: episodeIdOf(key, repeat) },
      })),
    );
    return { report, ids };
  }

  /** Revision of the list at the last call of `runs`. */
  get revision(): string {
    return this.#index.revision;
  }

  /** Changes that `runs` found since a revision. */
  changesSince(revision: string | undefined): LiveEvent[] {
    return this.#index.changesSince(revision);
  }

  /** Changes whenever a document of the run may have changed. */
  async stampOf(run: string): Promise<string> {
    return (await this.#index.get(run)).stamp;
  }

  async run(id: string): Promise<RunDocument> {
    const { card, info, summary } = await this.#index.get(id);
    return { card, info, summary, metrics: metricNotes(summary) };
  }

  async scenes(id: string): Promise<ScenesDocument> {
    const { scenes } = await this.#episodes(await this.#index.get(id));
    const perScene = Object.entries(scenes.perScene());
    return Object.fromEntries(perScene.map(([task, rates]) => [task, worstFirst(rates)]));
  }

  async page(id: string, n: number): Promise<EpisodePage> {
    const page = await episodePage(await this.#episodes(await this.#index.get(id)), n);
    // The reader probably opens an episode next. The delay keeps the thread's start from slowing down the table.
    setTimeout(() => this.#heavy.warmUp(), WARM_UP_AFTER_MS).unref();
    if (page) return page;
    throw unknownAddress(`episodes-${n}.json`);
  }

  /** All lines of a run, read page by page. */
  async *lines(id: string): AsyncGenerator<EpisodeLine> {
    yield* (await this.#index.get(id)).run.episodes();
  }

  async episode(run: string, episode: string): Promise<EpisodeDocument> {
    const { info } = await this.#index.get(run);
    const ref = await this.#ref(run, episode);
    const trajectory = await trajectoryOf(ref);
    const scene = await this.#sceneOf(run, episode, ref);
    const document = episodeDocument(ref.path, info, ref.line, trajectory, scene);
    return { ...document, has_frames: document.has_frames && this.#frames > 0 };
  }

  async map(run: string, episode: string): Promise<string> {
    return this.#heavy.do("map", await this.#recorded(run, episode));
  }

  async thumbnail(run: string, episode: string): Promise<string> {
    const trajectory = await trajectoryOf(await this.#recorded(run, episode));
    if (trajectory) return thumbnailSvg(trajectory);
    throw noPicture(episode);
  }

  async track(run: string, episode: string): Promise<PoseTrack> {
    const track = await this.#heavy.do("track", await this.#recorded(run, episode));
    if (track) return track;
    throw noPicture(episode);
  }

  async frames(run: string, episode: string): Promise<FrameStrip> {
    const most = this.#frames;
    if (most === 0) throw noPicture(episode);
    const ref = await this.#recorded(run, episode);
    const frames = await this.#heavy.do("frames", { ...ref, most });
    if (frames) return frames;
    throw noPicture(episode);
  }

  async scene(name: string): Promise<Uint8Array> {
    const kept = this.#scenes.get(name);
    if (kept && "bytes" in kept) return kept.bytes;
    const from = this.#sceneEpisodes.get(name);
    if (from) {
      const scene = await this.#sceneOf(
        from.run,
        from.episode,
        await this.#ref(from.run, from.episode),
      );
      if ("bytes" in scene && scene.name === name) return scene.bytes;
    }
    throw unknownAddress(`${name}.glb`);
  }

  /** Real path of a video. */
  async video(run: string, path: string): Promise<string> {
    const known = await this.#index.get(run);
    if (!/^videos\/[^/\\]+\.(mp4|webp)$/.test(path)) throw unknownAddress(path);
    const real = await inside(known.run.path, join(known.run.path, path)).catch(
      (cause: unknown) => {
        throw new DataError("unknown_address", "there is no such video", { where: path, cause });
      },
    );
    await checkPlain(real, "file");
    return real;
  }

  async compare(a: string, b: string): Promise<CompareDocument> {
    const [runA, runB] = [await this.#index.get(a), await this.#index.get(b)];
    const { comparisons } = await this.#heavy.do("compare", { a: runA.run.path, b: runB.run.path });
    const [comparison] = comparisons;
    if (!comparison) throw new RangeError("comparing two runs gave no comparison");
    return compareDocument(comparison, runA.run.episodes(), runB.run.episodes());
  }

  async #episodes({ id, run }: KnownRun): Promise<EpisodeIndex> {
    const index = this.#indices.get(id) ?? new EpisodeIndex(run.file("episodes"));
    this.#indices.set(id, index);
    await index.refresh();
    return index;
  }

  async #ref(run: string, episode: string): Promise<EpisodeRef> {
    const known = await this.#index.get(run);
    const line = await (await this.#episodes(known)).line(episode);
    if (!line) {
      throw new DataError("unknown_episode", "the run has no episode of this name", {
        where: known.run.file("episodes"),
        hint: "it may have been set aside for a retry, or never have been run",
      });
    }
    const { info, permissions } = known;
    const ref = { path: known.run.path, info, permissions, line };
    // Files named by a line are only read from its own run.
    if (line.trajectory !== null) await inside(ref.path, join(ref.path, line.trajectory));
    return ref;
  }

  async #recorded(run: string, episode: string): Promise<EpisodeRef> {
    const ref = await this.#ref(run, episode);
    if (ref.line.trajectory !== null) return ref;
    throw noPicture(episode);
  }

  async #sceneOf(run: string, episode: string, ref: EpisodeRef): Promise<Scene> {
    const key = sceneKey(run, ref);
    const known = this.#sceneNames.get(key);
    const kept = known === undefined ? undefined : this.#scenes.get(known);
    if (kept) return kept;
    const making =
      this.#making.get(key) ??
      this.#heavy.do("scene", ref).finally(() => {
        this.#making.delete(key);
      });
    this.#making.set(key, making);
    const scene = await making;
    if (!("name" in scene)) {
      const { info, permissions } = await this.#index.get(run);
      if (!lacksPlugins(info, permissions)) return scene;
      return { note: `${scene.note}; ${PLUGINS_HINT}` };
    }
    this.#sceneNames.set(key, scene.name);
    this.#scenes.set(scene.name, scene);
    this.#sceneEpisodes.set(scene.name, { run, episode });
    return scene;
  }
}

/** Among equal rates, the scene with more episodes comes first; scenes without a judged episode come last. */
function worstFirst(rates: readonly SceneRate[]): SceneRate[] {
  return [...rates].sort(
    (a, b) =>
      (a.mean ?? 2) - (b.mean ?? 2) || b.count - a.count || (a.scene_id < b.scene_id ? -1 : 1),
  );
}

/** Navigation episodes share scenes; each manipulation episode has its own world. */
function sceneKey(run: string, { info, line }: EpisodeRef): string {
  const { task, scene_id, task_type, episode_key, initial_state_hash } = line;
  const shared = familyOf(task_type) === "navigation";
  const own = shared ? [] : [episode_key, initial_state_hash];
  return JSON.stringify([run, info.started_at, task, scene_id, ...own]);
}

async function trajectoryOf({ path, line }: EpisodeRef): Promise<Trajectory | undefined> {
  if (line.trajectory === null) return undefined;
  return readTrajectory(await inside(path, join(path, line.trajectory)));
}

function noPicture(episode: string): DataError {
  return new DataError("no_picture", "this episode has no such image", {
    where: episode,
    hint: "its steps were not recorded (output.save_trajectories), or its task has no such image",
  });
}
