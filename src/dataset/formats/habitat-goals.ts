import { z } from "zod";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { DataError, show } from "../../core/errors.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type DataLocation, describe, errorAt, otherLayout } from "../check.js";
import { orDamage, readBytes } from "../readers/bytes.js";
import { JsonScanner } from "../readers/json-scanner.js";

/** Agent poses from which an object is visible. They make up most of a file. */
export const viewPointsSchema = z.array(
  z.object({ agent_state: z.object({ position: vec3Schema }) }),
);

/** Success depends only on positions, so the orientations are dropped. */
export function positionsOf(viewPoints: z.output<typeof viewPointsSchema>): Vec3[] {
  return viewPoints.map(({ agent_state }) => agent_state.position);
}

/** An entry of a file's `episodes`, emitted once the file's goals are known. */
export interface EpisodeEntry<Goal> {
  readonly index: number;
  readonly raw: unknown;
  /** As the file writes it. */
  readonly text: string;
  readonly goals: GoalTable<Goal>;
}

/**
 * Streams the episodes of a file that stores its goals separately, in an object under `goalsKey`. Several
 * episodes share the same objects, and the view points of these objects are most of the file. Episodes and
 * goals may come in either order; episodes that precede the goals are buffered, since they are small.
 */
export async function* streamWithGoals<Goal>(
  file: string,
  goalsKey: string,
  read: (raw: unknown, at: DataLocation) => Goal,
): AsyncGenerator<EpisodeEntry<Goal>> {
  const goals = new GoalTable(file, goalsKey, read);
  const scanner = new JsonScanner(file, new Set(["episodes"]), new Set([goalsKey]));
  const early: EpisodeEntry<Goal>[] = [];
  try {
    for await (const chunk of readBytes(file)) {
      for (const part of scanner.push(chunk)) {
        if (part.kind === "entry") goals.add(part.name, part.value);
        else if (part.kind === "item" && part.key === "episodes") {
          const entry = { index: part.index, raw: part.value, text: part.text, goals };
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
  } catch (error) {
    throw await orDamage(file, error);
  }
  if (!scanner.opened.has("episodes")) {
    const found = scanner.opened.has(null) ? "a list" : "an object without it";
    throw otherLayout(file, 'a list of episodes under "episodes"', found);
  }
  yield* early;
}

/** A file's goals by key. Each is parsed once and shared by its episodes. */
class GoalTable<Goal> {
  readonly #goals = new Map<string, Goal | DataError>();

  constructor(
    readonly file: string,
    readonly key: string,
    readonly read: (raw: unknown, at: DataLocation) => Goal,
  ) {}

  get size(): number {
    return this.#goals.size;
  }

  /** Stores a goal. An invalid goal throws only when an episode requests it. */
  add(name: string, raw: unknown): void {
    const at: DataLocation = { file: this.file, item: `${this.key}[${JSON.stringify(name)}]` };
    try {
      this.#goals.set(name, this.read(raw, at));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      this.#goals.set(name, error);
    }
  }

  get(name: string, at: DataLocation): Goal {
    const goal = this.#goals.get(name);
    if (goal === undefined) {
      const hint = `it has ${show([...this.#goals.keys()], 200)}`;
      throw errorAt(at, "missing_goal", `${this.key} has no goal ${show(name)}`, { hint });
    }
    if (!(goal instanceof DataError)) return goal;
    throw new DataError(goal.code, `${at.subject}, its goal ${show(name)}: ${goal.message}`, {
      where: goal.where,
      cause: goal,
    });
  }
}
