import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { type ComparedLine, lineDifference } from "./compared-line.js";
import type { ValueDifference } from "./difference.js";
import type { AuditReport, Difference } from "./documents.js";

interface AuditCountsOptions {
  readonly initialOnly: boolean;
  /** Whether the task's agent must repeat its results. */
  mustRepeat(task: string): boolean;
}

/** Counts how audited episodes compare with their lines. */
export class AuditCounts {
  readonly #repeatable = new Map<string, boolean>();
  readonly #broken: Difference[] = [];
  readonly #otherwise: Difference[] = [];
  #recordedSuccess = 0;
  #nowSuccess = 0;
  #done = 0;

  constructor(private readonly options: AuditCountsOptions) {}

  get done(): number {
    return this.#done;
  }

  get different(): number {
    return this.#broken.length + this.#otherwise.length;
  }

  add(recorded: ComparedLine, now: EpisodeLine, task: string): void {
    this.#done++;
    if (recorded.outcome === "success") this.#recordedSuccess++;
    if (now.outcome === "success") this.#nowSuccess++;
    const { episode_key, repeat } = recorded;
    const initial = initialDifference(recorded, now);
    if (initial) {
      this.#broken.push({ episode_key, repeat, step: null, ...initial });
    } else if (!this.options.initialOnly) {
      const found = resultDifference(recorded, now);
      if (!found) return;
      const broken = this.#mustRepeat(task) && !ranOutOfTime(recorded) && !ranOutOfTime(now);
      const list = broken ? this.#broken : this.#otherwise;
      list.push({ episode_key, repeat, step: null, ...found });
    }
  }

  result(): Pick<AuditReport, "audited" | "equal" | "broken" | "otherwise" | "success"> {
    const share = (count: number) => (this.#done === 0 ? 0 : count / this.#done);
    return {
      audited: this.#done,
      equal: this.#done - this.different,
      broken: this.#broken,
      otherwise: this.#otherwise,
      success: this.options.initialOnly
        ? null
        : { recorded: share(this.#recordedSuccess), now: share(this.#nowSuccess) },
    };
  }

  #mustRepeat(task: string): boolean {
    const known = this.#repeatable.get(task) ?? this.options.mustRepeat(task);
    this.#repeatable.set(task, known);
    return known;
  }
}

type Found = ValueDifference & Pick<Difference, "why">;

function initialDifference(recorded: ComparedLine, now: EpisodeLine): Found | undefined {
  const [then, found] = [recorded.initial_state_hash, now.initial_state_hash];
  if (then === found) return undefined;
  const why = found === null ? now.explanation : undefined;
  return {
    ...{ field: "initial_state_hash", recorded: then, now: found },
    ...(why === undefined ? {} : { why }),
  };
}

function resultDifference(recorded: ComparedLine, now: EpisodeLine): Found | undefined {
  const found = lineDifference(recorded, now);
  return found && { ...found, ...(now.outcome === "invalid" ? { why: now.explanation } : {}) };
}

/** Wall-clock timeouts are not reproducible. */
function ranOutOfTime({ end_reason }: Pick<EpisodeLine, "end_reason">): boolean {
  return end_reason === "timeout";
}
