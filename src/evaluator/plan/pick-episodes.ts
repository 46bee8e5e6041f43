import type { LoadedConfig } from "../../config/load.js";
import { resolvePath } from "../../config/paths.js";
import type { BenchmarkTask } from "../../config/schema.js";
import { type BaseEpisode, episodeKey } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import type { DataDigest } from "../../core/interfaces/result.js";
import { DataDigester } from "../../dataset/data-digest.js";
import { loadEpisodes, resolveFormat } from "../../dataset/loader.js";
import { ScoredInstructions } from "../../dataset/scored-instructions.js";
import { parseShard, type SelectOptions, selectItems } from "../../dataset/select.js";
import { at, type ResolvedTask } from "../../registry/resolved-task.js";
import { withDefaultGoals } from "./default-goals.js";
import { parseFilter } from "./filter.js";
import type { PrepareOptions } from "./prepare.js";

/**
 * The selected episodes of a task; undefined if the filter excludes the whole task.
 *
 * @param change changes all selected episodes before sharding; the digest is of the changed ones
 */
export async function pickEpisodes(
  loaded: LoadedConfig,
  section: BenchmarkTask,
  task: ResolvedTask,
  options: PrepareOptions,
  change?: (episodes: readonly BaseEpisode[]) => readonly BaseEpisode[],
): Promise<PickedEpisodes | undefined> {
  const wanted = options.filter === undefined ? () => true : parseFilter(options.filter);
  const { gt_path, format: named, shuffle } = section.dataset;
  const { formats } = options.registries;
  if (named !== undefined) {
    at(loaded.locate(["dataset", section.name, "format"]), () => formats.get(named));
  }
  const given = options.episodes?.[section.name];
  const path = task.dataPath;
  const format = given ? undefined : await resolveFormat({ path, format: named, formats });
  const source =
    given ??
    loadEpisodes({
      path,
      formats,
      format,
      graphs: task.graphs,
      taskType: section.type,
      gtPath: gt_path === undefined ? undefined : resolvePath(loaded, gt_path),
    });
  // Given episodes are a choice of their own, such as those of a recorded run.
  const instructions = options.episodes ? undefined : new ScoredInstructions(task.rules);
  // Recorded episodes have their goals. Early versions completed only episodes without any.
  const isComplete = ({ goals }: BaseEpisode) =>
    loaded.recorded !== undefined &&
    (options.episodes !== undefined ||
      (loaded.recorded === "early" && Object.keys(goals).length > 0));
  const complete = (episode: BaseEpisode) =>
    isComplete(episode) ? episode : withDefaultGoals(episode, section.config.goals);
  let passed = false;
  let available = 0;
  const digester = new DataDigester();
  const key = ({ sceneId, episodeId }: BaseEpisode) => episodeKey(section.name, sceneId, episodeId);
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const limits = limitOf(loaded, section, options);
  const selected = selectItems(source, {
    key,
    filter: (episode) => {
      if (instructions?.includes(episode) === false) return false;
      available++;
      const passes = wanted(episode, section.name);
      passed ||= passes;
      return passes;
    },
    shuffle,
    ...limits,
    // A change may depend on all selected episodes, so that sharding and digest come after it.
    ...(change
      ? {}
      : { shard, onSelected: (episode: BaseEpisode) => digester.add(complete(episode)) }),
  });
  const episodes: BaseEpisode[] = [];
  for await (const episode of selected) episodes.push(complete(episode));
  if (change) {
    // The episodes of a recorded run, and those that a worker is given, have been changed before.
    const isChanged = loaded.recorded !== undefined && options.episodes !== undefined;
    const changed = isChanged ? [...episodes] : change(episodes);
    const onSelected = (episode: BaseEpisode) => digester.add(episode);
    episodes.length = 0;
    for await (const episode of selectItems(changed, { key, shard, onSelected })) {
      episodes.push(episode);
    }
  }
  // A task without episodes in this shard is still part of the run.
  if (!passed) return undefined;
  const digest = digester.digest();
  // Reading stops at the first ones, so their total is unknown.
  const isPart = limits.first === undefined && available > digest.episodes;
  const data = isPart ? { ...digest, of: available } : digest;
  return { episodes, data, format: format?.name, note: instructions?.note };
}

/** The flags of a run replace both keys of its dataset section. */
function limitOf(
  loaded: LoadedConfig,
  { name, dataset }: BenchmarkTask,
  options: PrepareOptions,
): Pick<SelectOptions<BaseEpisode>, "first" | "sample"> {
  const isFlagged = options.limit !== undefined || options.first !== undefined;
  const { limit, first } = isFlagged ? options : dataset;
  if (limit !== undefined && first !== undefined) {
    throw new ConfigError("two_limits", `the dataset ${name} has both \`limit\` and \`first\``, {
      where: loaded.locate(["dataset", name, "first"]),
      hint: "keep `limit` for a sample over all scenes, or `first` for the first episodes of the file",
    });
  }
  if (limit === undefined) return { first };
  if (options.limitDraws === "first") return { first: limit };
  const seed = dataset.shuffle ?? options.seed ?? loaded.config.evaluation.seed;
  return { sample: { count: limit, seed, stratum: ({ sceneId }) => sceneId } };
}

export interface PickedEpisodes {
  readonly episodes: readonly BaseEpisode[];
  readonly data: DataDigest;
  /** Format of the dataset; undefined for episodes that were given. */
  readonly format: string | undefined;
  /** States which episodes of the dataset the profile does not score. */
  readonly note: string | undefined;
}
