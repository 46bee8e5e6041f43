import type { EpisodeLine } from "../../core/interfaces/result.js";

/** Detects a run that cannot produce results: its first episodes are all invalid through the data or the platform. */
export class FirstInvalid {
  /** Number of episodes by the code of their error, and the first message of each. */
  readonly #codes = new Map<string, { count: number; readonly message: string }>();
  #seen = 0;
  #isOver: boolean;

  /** @param limit number of episodes that must all be invalid; 0 never stops the run */
  constructor(private readonly limit: number) {
    this.#isOver = limit === 0;
  }

  /**
   * Takes a line that was recorded before the run was resumed. An episode that could run shows that the run can
   * produce results. Invalid ones do not count, because their cause may have been removed since.
   */
  addRecorded(line: EpisodeLine): void {
    this.#isOver ||= couldRun(line);
  }

  /** The reason to stop the run, once. Later attempts of an episode count too. */
  see(line: EpisodeLine): string | undefined {
    this.#isOver ||= couldRun(line);
    if (this.#isOver) return undefined;
    const { error, end_reason, explanation } = line;
    const code = error?.code ?? end_reason;
    const known = this.#codes.get(code) ?? { count: 0, message: error?.message ?? explanation };
    known.count++;
    this.#codes.set(code, known);
    if (++this.#seen < this.limit) return undefined;
    this.#isOver = true;
    const causes = [...this.#codes]
      .sort(([, a], [, b]) => b.count - a.count)
      .map(([name, { count, message }]) => `${count} by ${name}, the first: ${message}`);
    return `the first ${this.limit} episodes are all invalid, through no fault of the agent: ${causes.join("; ")}`;
  }
}

/** Whether the data and the platform let the episode run. */
function couldRun({ outcome, fault }: EpisodeLine): boolean {
  return outcome !== "invalid" || fault === "agent";
}
