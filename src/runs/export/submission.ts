import { ConfigError, DataError } from "../../core/errors.js";
import { STOP } from "../../core/interfaces/action.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Trajectory } from "../trajectory.js";
import type { ExportSource } from "./format.js";
import { nameOf, stepsOf } from "./steps.js";

/** What a submission says of one episode. */
export interface Walk extends Trajectory {
  readonly line: EpisodeLine;
  /** After reset and after each action. */
  readonly positions: readonly Vec3[];
  /** The agent called stop; otherwise it ran out of steps, or was broken off. */
  readonly stopped: boolean;
  /** The trajectory's file, for errors. */
  readonly where: string;
}

/** How many lines a submission cannot hold. */
export interface LeftOut {
  readonly repeats: number;
  readonly invalid: number;
}

/**
 * Looks through the lines, before anything is written, for what a submission to R2R-CE or RxR-CE cannot say: it
 * has one prediction for each episode of one instruction-following dataset.
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
      `${invalid.length} of ${total} episodes are invalid, and there is nothing to hand in for them; the first, ${nameOf(first)}: ${first.explanation}`,
      {
        where: run.file("episodes"),
        hint: "run them again, or leave them out with --partial; score takes such a file with --partial too",
      },
    );
  }
  if (!choices.partial && info.status !== "done") {
    throw new DataError("incomplete_run", `the run is ${info.status}, not done`, {
      where: run.file("info"),
      hint: "finish it, or export what it has with --partial",
    });
  }
  if (repeats > 0) source.note("of each episode only the first run (repeat 0) is handed in");
  for (const profile of profiles) {
    if (profile === "vlnce") continue;
    source.note(`the run was judged by the profile ${profile}; score judges the file by vlnce`);
  }
  return { repeats, invalid: invalid.length };
}

function notVln(format: string, vln: readonly string[], others: readonly string[]): ConfigError {
  return new ConfigError(
    "not_vln",
    `${format} is for instruction following, and the run has other tasks: ${others.join(", ")}`,
    {
      where: "--to",
      hint:
        vln.length > 0
          ? `choose a task: ${vln.map((name) => `--task ${name}`).join(" or ")}`
          : "it takes runs of tasks of the type vln",
    },
  );
}

/** The episodes of a submission, one in memory at a time. */
export async function* walksOf(source: ExportSource, format: string): AsyncGenerator<Walk> {
  for await (const line of source.lines()) {
    if (line.repeat > 0 || line.outcome === "invalid") continue;
    const trajectory = await stepsOf(source, line);
    const where = source.run.trajectoryOf(line) ?? source.run.path;
    const positions = trajectory.records.map(({ state, step }) => {
      if (state.node !== undefined) {
        throw new DataError(
          "graph_run",
          `${nameOf(line)} was run on a navigation graph, where an agent jumps from viewpoint to viewpoint`,
          { where, hint: `${format} submissions are of continuous environments` },
        );
      }
      if (state.position) return state.position;
      throw new DataError("no_positions", `${nameOf(line)}, step ${step}: no position`, { where });
    });
    const stopped = trajectory.records.at(-1)?.action === STOP;
    yield { ...trajectory, line, positions, stopped, where };
  }
}

/** A submission names each episode once, and by less than we do. */
export class Ids {
  readonly #seen = new Map<string, EpisodeLine>();

  /** @param what kind of id it is */
  add(id: string, what: string, { line, where }: Walk): void {
    const other = this.#seen.get(id);
    if (other) {
      throw new DataError(
        "duplicate_id",
        `${nameOf(other)} and ${nameOf(line)} both have the ${what} ${id}, and submissions know no more of an episode`,
        { where, hint: "export the tasks apart, with --task, or run one scene at a time" },
      );
    }
    this.#seen.set(id, line);
  }
}
