import { cleanText } from "../../core/text.js";
import type { MessageOf } from "../messages/base.js";

/** What a policy that dialled an evaluator knows at the end. */
export interface EvaluationSummary {
  readonly episodes: number;
  /** Number of episodes by the reason of their end. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Means of the metrics; empty if the evaluator does not send them. */
  readonly metrics: Readonly<Record<string, number>>;
  /** One or two lines for people. */
  readonly text: string;
}

const MOST_TEXT = 200;

/** Counts the episodes that an evaluator ended. */
export class EndedEpisodes {
  #count = 0;
  readonly #reasons = new Map<string, number>();
  readonly #sums = new Map<string, { sum: number; count: number }>();
  #totals: ReadonlyMap<string, number> | undefined;

  add({ reason, metrics = {} }: MessageOf<"episode_end">): void {
    this.#count++;
    const why = cleanText(reason, MOST_TEXT);
    this.#reasons.set(why, (this.#reasons.get(why) ?? 0) + 1);
    for (const [name, value] of numbersOf(metrics)) {
      const known = this.#sums.get(name) ?? { sum: 0, count: 0 };
      this.#sums.set(name, { sum: known.sum + value, count: known.count + 1 });
    }
  }

  /** The evaluator's own means replace those of the episodes: an episode may have been retried or be invalid. */
  end({ metrics }: MessageOf<"disconnect">): void {
    if (metrics) this.#totals = new Map(numbersOf(metrics));
  }

  /** @param evaluator what it said about itself in `connected`; a challenge names the submission */
  summary(url: string, evaluator: MessageOf<"connected">["server"]): EvaluationSummary {
    const metrics = Object.fromEntries(
      this.#totals ?? [...this.#sums].map(([name, { sum, count }]) => [name, sum / count]),
    );
    const reasons = Object.fromEntries(this.#reasons);
    const ended = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`);
    const scores = Object.entries(metrics).map(([name, mean]) => `${name} ${mean.toPrecision(3)}`);
    const text = [
      `${this.#count} ${this.#count === 1 ? "episode" : "episodes"}${ended.length > 0 ? ` (${ended.join(", ")})` : ""}`,
      scores.length > 0 ? scores.join(", ") : "the evaluator does not send the score",
      whereToLook(url, evaluator?.submission),
    ].join("; ");
    return { episodes: this.#count, reasons, metrics, text };
  }
}

function numbersOf(metrics: Readonly<Record<string, unknown>>): [string, number][] {
  return Object.entries(metrics)
    .filter((pair): pair is [string, number] => Number.isFinite(pair[1]))
    .map(([name, value]) => [cleanText(name, MOST_TEXT), value]);
}

function whereToLook(url: string, submission: unknown): string {
  if (typeof submission !== "string") return "the results are in the evaluator's run directory";
  const { host, protocol } = new URL(url);
  const site = `${protocol === "wss:" ? "https" : "http"}://${host}/team`;
  return `the results of submission ${cleanText(submission, MOST_TEXT)} are at ${site}`;
}
