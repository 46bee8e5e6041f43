import type { Job } from "../plan/queue.js";
import type { EpisodeResult, EpisodeRunner } from "./worker-pool.js";

/** Where a runner's jobs come from and where its results go. */
export interface JobFeed {
  /** The next job, or undefined if there is none now. */
  take(): Job | undefined;
  /** Called when `take` gave nothing and no episode is running. False ends the loop. */
  more(): Promise<boolean>;
  /** Handles a result, oldest first. The runner takes no further job until it resolves; false ends the loop. */
  finished(result: Promise<EpisodeResult>, job: Job): Promise<boolean>;
}

/** Keeps one runner busy. Local runs and cluster workers use this same loop. */
export async function feedRunner(runner: EpisodeRunner, feed: JobFeed): Promise<void> {
  const running: { readonly job: Job; readonly result: Promise<EpisodeResult> }[] = [];
  for (;;) {
    while (running.length <= (runner.takesAhead ? 1 : 0)) {
      const job = feed.take();
      if (!job) break;
      const result = runner.run(job);
      // `finished` handles a rejection, unless an earlier result ends the loop before.
      result.catch(() => {});
      running.push({ job, result });
    }
    const first = running.shift();
    if (!first) {
      if (await feed.more()) continue;
      return;
    }
    if (!(await feed.finished(first.result, first.job))) return;
  }
}
