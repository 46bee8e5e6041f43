/** Counts the draws in a scene and the reasons of rejected ones. */
export class DrawCounter {
  drawn = 0;
  readonly #rejected = new Map<string, number>();

  /** Counts the last draw as rejected. Returns undefined, as makers do for a rejected draw. */
  reject(why: string): undefined {
    this.#rejected.set(why, (this.#rejected.get(why) ?? 0) + 1);
  }

  /** Counts by reason, the most frequent first. */
  get rejected(): Readonly<Record<string, number>> {
    const entries = [...this.#rejected].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  }

  /** For example "1203 drawn: 800 too near, 403 too straight". */
  describe(): string {
    const reasons = Object.entries(this.rejected).map(([why, count]) => `${count} ${why}`);
    return `${this.drawn} drawn${reasons.length > 0 ? `: ${reasons.join(", ")}` : ""}`;
  }
}
