import { ConfigError, DataError } from "../../core/errors.js";
import { STOP } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Trajectory } from "../directory/trajectory.js";
import type { ExportSource } from "./format.js";
import { nameOf, stepsOf } from "./steps.js";

export interface Walk extends Trajectory {
  readonly line: EpisodeLine;
  /** Positions after reset and after each action. */
  readonly positions: readonly Vec3[];
  /** True if the agent called stop; false if it ran out of steps or was interrupted. */
  readonly stopped: boolean;
  /** Path of the trajectory file, for errors. */
  readonly where: string;
}

/** Number of lines that a submission cannot contain. */
export interface LeftOut {
  readonly repeats: number;
  readonly invalid: number;
}

/**
 * Checks before anything is written that the lines fit a submission to R2R-CE or RxR-CE, which has one prediction
 * for each episode of one instruction-following dataset.
 */
export async function checkSubmission(source: ExportSource, format: string): Promise<LeftOut> {
  const { info, choices, run } = source;
  const vln = new Set<string>();
  const others = new Set<string>();
  const profiles = new Set<string>();
  const invalid: EpisodeLine[] = [];
  let repeats = 0;
  let total = 0;
  for await (const line of source.lines()) {
    (line.task_type === "vln" ? vln : others).add(line.task);
    profiles.add(line.profile);
    if (line.repeat > 0) repeats++;
    else {
      total++;
      if (line.outcome === "invalid") invalid.push(line);
    }
  }
  if (others.size > 0) throw notVln(format, [...vln], [...others]);
  const [first] = invalid;
  if (!choices.partial && first) {
    throw new DataError(
      "invalid_episodes",
      `${invalid.length} of ${total} episodes are invalid and have no prediction to submit; the first is ${nameOf(first)}: ${first.explanation}`,
      {
        where: run.file("episodes"),
        hint: "run them again, or add --partial to leave them out; `score` also needs --partial for such a file",
      },
    );
  }
  if (!choices.partial && info.status !== "done") {
    throw new DataError("incomplete_run", `the run is ${info.status}, not done`, {
      where: run.file("info"),
      hint: "finish it with `robot-eval resume`, or add --partial to export its episodes so far",
    });
  }
  const { partial } = info;
  if (!choices.partial && partial) {
    throw new DataError(
      "incomplete_run",
      `${partial.scored} of ${partial.of} episodes were scored, so the run has no predictions for the others`,
      { where: run.file("info"), hint: "add --partial to export the scored episodes" },
    );
  }
  if (repeats > 0) source.note("only the first repeat (repeat 0) of each episode is exported");
  for (const profile of profiles) {
    if (profile === "vlnce") continue;
    source.note(
      `the run was scored with profile ${profile}; score evaluates the file with profile vlnce`,
    );
  }
  return { repeats, invalid: invalid.length };
}

function notVln(format: string, vln: readonly string[], others: readonly string[]): ConfigError {
  return new ConfigError(
    "not_vln",
    `${format} supports only instruction following (task type vln), but the run has other tasks: ${others.join(", ")}`,
    {
      where: "--to",
      hint:
        vln.length > 0
          ? `select a task: ${vln.map((name) => `--task ${name}`).join(" or ")}`
          : "export a run of tasks of type vln",
    },
  );
}

/** Yields the predictions of a submission, one in memory at a time. */
export async function* walksOf(source: ExportSource, format: string): AsyncGenerator<Walk> {
  for await (const line of source.lines()) {
    if (line.repeat > 0 || line.outcome === "invalid") continue;
    const trajectory = await stepsOf(source, line);
    const where = source.run.trajectoryOf(line) ?? source.run.path;
    const positions = trajectory.records.map(({ state, step }) => {
      if (state.node !== undefined) {
        throw new DataError("graph_run", `${nameOf(line)} was run on a navigation graph`, {
          where,
          hint: `${format} submissions require runs in continuous environments`,
        });
      }
      if (state.position) return state.position;
      throw new DataError("no_positions", `${nameOf(line)}, step ${step}: no position`, { where });
    });
    const stopped = trajectory.records.at(-1)?.action === STOP;
    yield { ...trajectory, line, positions, stopped, where };
  }
}

/** Checks that ids are unique: a submission identifies episodes by id alone, without task or scene. */
export class Ids {
  readonly #seen = new Map<string, EpisodeLine>();

  /** @param what the kind of id, for errors */
  add(id: string, what: string, { line, where }: Walk): void {
    const other = this.#seen.get(id);
    if (other) {
      throw new DataError(
        "duplicate_id",
        `${nameOf(other)} and ${nameOf(line)} have the same ${what} ${id}, which is all that identifies an episode in a submission`,
        { where, hint: "export each task separately with --task, or run one scene at a time" },
      );
    }
    this.#seen.set(id, line);
  }
}
