import { join } from "node:path";
import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { readTrajectory, type Trajectory } from "../../runs/trajectory.js";
import { compareDocument } from "./compare-document.js";
import type {
  CompareDocument,
  EpisodeDocument,
  EpisodePage,
  FrameStrip,
  PoseTrack,
  RunDocument,
  RunsDocument,
  ScenesDocument,
} from "./documents.js";
import { episodeDocument } from "./episode-document.js";
import { EpisodeIndex } from "./episode-index.js";
import { episodePage } from "./episode-page.js";
import { HeavyWork } from "./heavy.js";
import type { EpisodeRef, Scene } from "./heavy-jobs.js";
import { inside } from "./inside.js";
import { Lru } from "./lru.js";
import { familyOf } from "./names.js";
import { PLUGINS_HINT } from "./plugin-free.js";
import { unknownAddress } from "./problem.js";
import { runDocument, scenesDocument } from "./run-document.js";
import { RunFolder } from "./run-folder.js";
import { type KnownRun, RunShelf } from "./run-shelf.js";
import { thumbnailSvg } from "./thumbnail.js";

const SCENE_BYTES = 192 * 1024 * 1024;
const WARM_UP_AFTER_MS = 1000;
/** Steps of which there are camera pictures: the scrubber of a page shows no more. */
const MOST_FRAMES = 60;

export interface LibraryOptions {
  /** Whether code that runs name may be loaded. */
  readonly plugins?: boolean | undefined;
  /** Worlds that are built and drawn at once. */
  readonly threads?: number | undefined;
  /** Camera pictures of each sensor in an episode, at most; 0 for none. */
  readonly frames?: number | undefined;
}

/** Everything that there is to see in a folder of runs, as documents. */
export class RunLibrary {
  readonly #shelf: RunShelf;
  readonly #indices = new Map<string, EpisodeIndex>();
  readonly #heavy: HeavyWork;
  readonly #frames: number;
  readonly #scenes = new Lru<Scene>(SCENE_BYTES, (scene) =>
    "bytes" in scene ? scene.bytes.length : scene.note.length,
  );
  /** The name of the scene that episodes have, by `sceneKey`. */
  readonly #sceneNames = new Map<string, string>();
  /** By scene, an episode that happened in it: what was forgotten is made again. */
  readonly #sceneEpisodes = new Map<string, { readonly run: string; readonly episode: string }>();

  /** Scenes that are being made, by `sceneKey`: several that ask at once share one. */
  readonly #making = new Map<string, Promise<Scene>>();

  private constructor(folder: RunFolder, options: LibraryOptions) {
    const { plugins = false, threads = 1, frames = MOST_FRAMES } = options;
    this.#shelf = new RunShelf(folder, plugins);
    this.#heavy = new HeavyWork(threads);
    this.#frames = frames;
  }

  /** @param path a folder of runs, or one run */
  static async open(path: string, options: LibraryOptions = {}): Promise<RunLibrary> {
    return new RunLibrary(await RunFolder.open(path), options);
  }

  close(): Promise<void> {
    return this.#heavy.close();
  }

  runs(live: boolean): Promise<RunsDocument> {
    return this.#shelf.list(live);
  }

  /** Another whenever a document of the run may be another. */
  async stampOf(run: string): Promise<string> {
    return (await this.#shelf.get(run)).stamp;
  }

  async run(id: string): Promise<RunDocument> {
    return runDocument(await this.#shelf.get(id));
  }

  async scenes(id: string): Promise<ScenesDocument> {
    return scenesDocument(await this.#index(await this.#shelf.get(id)));
  }

  async page(id: string, n: number): Promise<EpisodePage> {
    const page = await episodePage(await this.#index(await this.#shelf.get(id)), n);
    // Whoever looks at a table opens an episode next; but first he is to have his table.
    setTimeout(() => this.#heavy.warmUp(), WARM_UP_AFTER_MS).unref();
    if (page) return page;
    throw unknownAddress(`episodes-${n}.json`);
  }

  /** All of a run's lines, a page at a time. */
  async *lines(id: string): AsyncGenerator<EpisodeLine> {
    yield* (await this.#shelf.get(id)).run.episodes();
  }

  async episode(run: string, episode: string): Promise<EpisodeDocument> {
    const { info } = await this.#shelf.get(run);
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

  /** Real path of a film. */
  async film(run: string, path: string): Promise<string> {
    const known = await this.#shelf.get(run);
    if (!/^videos\/[^/\\]+\.(mp4|webp)$/.test(path)) throw unknownAddress(path);
    return inside(known.run.path, join(known.run.path, path)).catch((cause: unknown) => {
      throw new DataError("unknown_address", "there is no such film", { where: path, cause });
    });
  }

  async compare(a: string, b: string): Promise<CompareDocument> {
    const [runA, runB] = [await this.#shelf.get(a), await this.#shelf.get(b)];
    const { comparisons } = await this.#heavy.do("compare", { a: runA.run.path, b: runB.run.path });
    const [comparison] = comparisons;
    if (!comparison) throw new RangeError("one run gives one comparison");
    return compareDocument(comparison, runA.run.episodes(), runB.run.episodes());
  }

  async #index({ id, run }: KnownRun): Promise<EpisodeIndex> {
    const index = this.#indices.get(id) ?? new EpisodeIndex(run.file("episodes"));
    this.#indices.set(id, index);
    await index.refresh();
    return index;
  }

  async #ref(run: string, episode: string): Promise<EpisodeRef> {
    const known = await this.#shelf.get(run);
    const line = await (await this.#index(known)).line(episode);
    if (!line) {
      throw new DataError("unknown_episode", "the run has no episode of this name", {
        where: known.run.file("episodes"),
        hint: "it may have been set aside since, or never have been run",
      });
    }
    const ref = { path: known.run.path, info: known.made, line };
    // What a line names is read only from its own run.
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
      const { info, made } = await this.#shelf.get(run);
      return info === made ? scene : { note: `${scene.note}; ${PLUGINS_HINT}` };
    }
    this.#sceneNames.set(key, scene.name);
    this.#scenes.set(scene.name, scene);
    this.#sceneEpisodes.set(scene.name, { run, episode });
    return scene;
  }
}

/** Navigation happens in scenes that episodes share; a manipulation world is the episode's own. */
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
  return new DataError("no_picture", "there is nothing to draw of this episode", {
    where: episode,
    hint: "its steps were not recorded (output.save_trajectories), or its task has no such picture",
  });
}
