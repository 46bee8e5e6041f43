import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import type { GraphSource } from "../../core/scene/graph.js";
import type { DatasetFormat } from "../format.js";
import { type FormatRegistry, resolveFormat } from "../loader.js";
import { LINT_RULES } from "./catalog.js";
import { keyOf } from "./geometry.js";
import { SceneLookup } from "./scene-facts.js";
import type { LintContext, LintFinding, LintRule, Problem, RuleFactory } from "./types.js";

export interface LintOptions {
  readonly path: string;
  /** The format's name; detected from the content if omitted. */
  readonly format?: string | undefined;
  readonly formats: FormatRegistry;
  readonly graphs?: GraphSource | undefined;
  /** Skips episodes of other types. */
  readonly taskType?: string | undefined;
  readonly gtPath?: string | undefined;
  /** Folder of the scene files; if omitted, their existence is not checked. */
  readonly dataRoot?: string | undefined;
  /** Determines whether a goal is reachable, if the scene can be loaded; undefined if unknown. */
  readonly reachable?:
    | ((episode: BaseEpisode) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  readonly rules?: readonly RuleFactory[] | undefined;
}

export interface LintTotals {
  /** Null if the file is too damaged to detect its format. */
  readonly format: string | null;
  readonly episodes: number;
  /** The number of entries that could not be read as episodes. */
  readonly unreadable: number;
}

/** Errors of the request rather than the dataset: they throw instead of becoming findings. */
const NOT_A_DATASET: readonly string[] = ["missing_file", "unknown_format", "missing_graphs"];

/**
 * Yields all problems of a dataset as they are found, each once. Memory depends on the number of episodes, not on
 * their size. An invalid entry is a finding, and reading continues with the next; damage to the file is the
 * last finding.
 *
 * @throws DataError if the dataset does not exist or has an unknown format
 */
export async function* findProblems(
  options: LintOptions,
): AsyncGenerator<LintFinding, LintTotals, undefined> {
  const { path, taskType, graphs, dataRoot, rules = LINT_RULES } = options;
  const run = rules.map((make) => make());
  const scenes = new SceneLookup(graphs, dataRoot);
  const unread: LintFinding[] = [];
  // A damaged file that several episodes need, such as a scene's graph, fails each of them with the same error.
  const reported = new Set<number>();
  let unreadable = 0;
  let episodes = 0;
  let format: DatasetFormat | undefined;
  try {
    format = await resolveFormat(options);
    const source = {
      ...options,
      onBadEpisode: (problem: DataError) => {
        unreadable++;
        const id = hash53(`${problem.code}\n${problem.where}\n${problem.message}`);
        if (!reported.has(id)) unread.push(unreadableFinding(problem));
        reported.add(id);
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
  "an evaluation stops at the first entry that is not a valid episode, so that part of a dataset cannot pass for the whole";
const DAMAGED = "nothing after this position can be read, and an evaluation stops here too";

/** The reader's message already names the episode and the field. */
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
