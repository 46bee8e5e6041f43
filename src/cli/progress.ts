import type { EvaluationEvent } from "../evaluator/record/events.js";
import { number, plural } from "../runs/report/format.js";

type EpisodeEvent = Extract<EvaluationEvent, { readonly type: "episode" }>;

const PLAIN_EVERY_MS = 5000;
const LIVE_EVERY_MS = 100;

/**
 * Shows the progress of a run: one line that is rewritten on a terminal, otherwise (log file, CI) plain lines at most
 * every five seconds.
 */
export class Progress {
  readonly #live: boolean;
  readonly #started = performance.now();
  /** Episodes that were done before the start; excluded from the speed. */
  #before = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  #shown: EpisodeEvent | undefined;
  #last: EpisodeEvent | undefined;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {
    this.#live = stream.isTTY === true && !process.env.CI;
  }

  readonly onEvent = (event: EvaluationEvent): void => {
    if (event.type === "started") {
      this.#before = event.done;
      const there = event.done > 0 ? `, ${event.done} of them already done,` : "";
      const into = event.runDir === null ? "" : ` into ${event.runDir}`;
      this.#say(`${plural(event.total, "episode")}${there}${into}`);
      for (const warning of event.warnings) this.#say(`warning: ${warning}`);
      return;
    }
    this.#last = event;
    const now = performance.now();
    if (now - this.#shownAt < (this.#live ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return;
    this.#show(now);
  };

  /** Shows the final state if it has not been shown. */
  finish(): void {
    this.#show(performance.now());
    if (this.#live && this.#shown) this.stream.write("\n");
  }

  #show(now: number): void {
    if (!this.#last || this.#last === this.#shown) return;
    this.#shownAt = now;
    this.#shown = this.#last;
    const text = this.#text(this.#last, now);
    if (!this.#live) this.#say(text);
    else this.stream.write(`\r${text.slice(0, (this.stream.columns ?? 100) - 1)}\u001b[K`);
  }

  #say(text: string): void {
    this.stream.write(`${text}\n`);
  }

  #text(event: EpisodeEvent, now: number): string {
    const { done, total, counts } = event;
    const seconds = (now - this.#started) / 1000;
    const ran = done - this.#before;
    const parts = [`${done}/${total}`];
    const running = event.running();
    if (running && running.summary.mean !== null) {
      const { mean, ci95 } = running.summary;
      const interval = ci95 ? ` [${number(ci95[0])}, ${number(ci95[1])}]` : "";
      parts.push(`${event.line.task} ${running.metric} ${number(mean)}${interval}`);
    }
    parts.push(`${counts.invalid} invalid`, `${(ran / seconds).toFixed(1)} episodes/s`);
    if (done < total) parts.push(`ETA ${duration(((total - done) * seconds) / ran)}`);
    return parts.join(" · ");
  }
}

function duration(seconds: number): string {
  const s = Math.ceil(seconds);
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}
