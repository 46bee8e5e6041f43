import { DataError, show } from "../../core/errors.js";
import { readBytes } from "../bytes.js";
import { type DataPlace, describe, whereOf } from "../check.js";
import { JsonScanner } from "../json-scanner.js";

/** An entry of a file's `episodes`, given out when the file's goals are known. */
export interface EpisodeEntry<Goal> {
  readonly index: number;
  readonly raw: unknown;
  readonly goals: GoalTable<Goal>;
}

/**
 * The episodes of a file that keeps its goals apart from them, in an object under `goalsKey`: several
 * episodes go to the same objects, and the points that these can be seen from are most of the file.
 * Either may stand first. Of what comes before the goals only the episodes are kept, which are small.
 */
export async function* streamWithGoals<Goal>(
  file: string,
  goalsKey: string,
  read: (raw: unknown, at: DataPlace) => Goal,
): AsyncGenerator<EpisodeEntry<Goal>> {
  const goals = new GoalTable(file, goalsKey, read);
  const scanner = new JsonScanner(file, new Set(["episodes"]), new Set([goalsKey]));
  const early: EpisodeEntry<Goal>[] = [];
  for await (const chunk of readBytes(file)) {
    for (const part of scanner.push(chunk)) {
      if (part.kind === "entry") goals.add(part.name, part.value);
      else if (part.kind === "item" && part.key === "episodes") {
        const entry = { index: part.index, raw: part.value, goals };
        if (goals.size > 0) yield entry;
        else early.push(entry);
      } else if (part.key === "episodes") {
        throw otherLayout(file, 'a list of episodes under "episodes"', describe(part.value));
      } else if (part.key === goalsKey) {
        throw otherLayout(file, `an object of goals under "${goalsKey}"`, describe(part.value));
      }
    }
  }
  scanner.end();
  if (!scanner.opened.has("episodes")) {
    const found = scanner.opened.has(null) ? "a list" : "an object without it";
    throw otherLayout(file, 'a list of episodes under "episodes"', found);
  }
  yield* early;
}

/** A file's goals by their keys, each read once and shared by the episodes that have it. */
class GoalTable<Goal> {
  readonly #goals = new Map<string, Goal | DataError>();

  constructor(
    readonly file: string,
    readonly key: string,
    readonly read: (raw: unknown, at: DataPlace) => Goal,
  ) {}

  get size(): number {
    return this.#goals.size;
  }

  /** A goal that is wrong is wrong for the episodes that have it, and told when they ask for it. */
  add(name: string, raw: unknown): void {
    const at: DataPlace = { file: this.file, item: `${this.key}[${JSON.stringify(name)}]` };
    try {
      this.#goals.set(name, this.read(raw, at));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      this.#goals.set(name, error);
    }
  }

  /** The goal of the episode that stands at a place. */
  get(name: string, at: DataPlace): Goal {
    const goal = this.#goals.get(name);
    if (goal === undefined) {
      throw new DataError(
        "missing_goal",
        `${at.subject}: no goal in ${this.key} is ${show(name)}`,
        {
          where: whereOf(at),
          hint: `it has ${show([...this.#goals.keys()], 200)}`,
        },
      );
    }
    if (!(goal instanceof DataError)) return goal;
    throw new DataError(goal.code, `${at.subject}, its goal ${show(name)}: ${goal.message}`, {
      where: goal.where,
      cause: goal,
    });
  }
}

function otherLayout(file: string, wanted: string, found: string): DataError {
  return new DataError("bad_dataset", `expected ${wanted}, got ${found}`, {
    where: file,
    hint: "is it a file of another format?",
  });
}
