import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import type { GraphSource } from "../../core/scene/graph.js";
import type { DatasetFormat } from "../format.js";
import { type FormatRegistry, resolveFormat } from "../loader.js";
import { LINT_RULES } from "./catalog.js";
import { keyOf } from "./geometry.js";
import { SceneLookup } from "./scene-facts.js";
import type { LintContext, LintFinding, LintRule, Problem, RuleFactory } from "./types.js";

export interface LintOptions {
  readonly path: string;
  /** The format's name; found out from the content when not given. */
  readonly format?: string | undefined;
  readonly formats: FormatRegistry;
  readonly graphs?: GraphSource | undefined;
  /** Episodes of other types are passed over. */
  readonly taskType?: string | undefined;
  readonly gtPath?: string | undefined;
  /** Folder of the scenes' files; without it nobody looks whether they are there. */
  readonly dataRoot?: string | undefined;
  /** Whether a way leads to a goal, by whoever can load the scene; undefined when it cannot tell. */
  readonly reachable?:
    | ((episode: BaseEpisode) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  readonly rules?: readonly RuleFactory[] | undefined;
}

/** How much was looked at. */
export interface LintTotals {
  /** Null when the file is too damaged to tell. */
  readonly format: string | null;
  /** That could be read. */
  readonly episodes: number;
  /** Entries of which no episode could be made. */
  readonly unreadable: number;
}

/** Problems of the request and not of the dataset: there is nothing to report on. */
const NOT_A_DATASET: readonly string[] = ["missing_file", "unknown_format", "missing_graphs"];

/**
 * Everything that is wrong with a dataset, as it is found, in memory that depends on the number of
 * episodes and not on their size. An entry that is no episode is a finding, and the next is read;
 * damage of the file is a finding, and the last.
 *
 * @throws DataError when there is no such dataset, or none of a known format
 */
export async function* findProblems(
  options: LintOptions,
): AsyncGenerator<LintFinding, LintTotals, undefined> {
  const { path, taskType, graphs, dataRoot, rules = LINT_RULES } = options;
  const run = rules.map((make) => make());
  const scenes = new SceneLookup(graphs, dataRoot);
  const unread: LintFinding[] = [];
  let unreadable = 0;
  let episodes = 0;
  let format: DatasetFormat | undefined;
  try {
    format = await resolveFormat(options);
    const source = {
      ...options,
      onBadEpisode: (problem: DataError) => {
        unreadable++;
        unread.push(unreadableFinding(problem));
      },
    };
    for await (const episode of format.episodes(source)) {
      yield* unread.splice(0);
      if (taskType !== undefined && episode.taskType !== taskType) continue;
      const context: LintContext = {
        path,
        format,
        number: ++episodes,
        ...(await scenes.of(episode.sceneId)),
        reachable: await options.reachable?.(episode),
      };
      for (const rule of run) {
        rule.observe?.(episode, context);
        for (const problem of rule.check?.(episode, context) ?? []) {
          yield findingOf(rule, { episode: keyOf(episode), ...problem });
        }
      }
    }
    yield* unread.splice(0);
    for (const rule of run) {
      for (const problem of rule.finish?.({ path, format }) ?? []) yield findingOf(rule, problem);
    }
    if (episodes + unreadable === 0) yield emptyFinding(path, taskType);
  } catch (error) {
    if (!(error instanceof DataError) || NOT_A_DATASET.includes(error.code)) throw error;
    yield* unread.splice(0);
    yield { ...unreadableFinding(error), why: DAMAGED };
  }
  return { format: format?.name ?? null, episodes, unreadable };
}

function findingOf(rule: LintRule, problem: Problem): LintFinding {
  const { code, why } = rule;
  const { episode, field, value, message, hint } = problem;
  return {
    code,
    severity: problem.severity ?? rule.severity,
    episode: episode ?? null,
    field,
    value: value === undefined ? null : show(value),
    message,
    why,
    ...(hint === undefined ? {} : { hint }),
  };
}

const UNREADABLE =
  "an evaluation stops at the first entry that is no episode: part of a dataset must not pass for the whole";
const DAMAGED = "what comes behind this place cannot be read, and an evaluation stops here too";

/** The reader's words name the episode and the field. */
function unreadableFinding({ code, message, hint, where }: DataError): LintFinding {
  return {
    code,
    severity: "error",
    episode: null,
    field: null,
    value: null,
    message,
    why: UNREADABLE,
    ...(hint === undefined ? {} : { hint }),
    ...(where === undefined ? {} : { where }),
  };
}

function emptyFinding(path: string, taskType: string | undefined): LintFinding {
  const which = taskType === undefined ? "" : ` of type ${taskType}`;
  return unreadableFinding(
    new DataError("empty_dataset", `the dataset has no episodes${which}`, { where: path }),
  );
}
