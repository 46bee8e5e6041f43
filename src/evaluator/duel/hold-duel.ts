import { existsSync } from "node:fs";
import { makeFolder } from "../../config/output-path.js";
import type { RunResults, RunStatus } from "../../core/interfaces/result.js";
import { agentText } from "../../core/policy-identity.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { RunLock } from "../../runs/directory/run-lock.js";
import type { Duel } from "./duel.js";
import { type DuelDocument, writeDuel } from "./duel-document.js";
import type { DuelRunOptions } from "./prepare-duel.js";

export type DuelResult = DuelDocument & {
  readonly folder: string;
  /** The policies for people: what they declared, and how they were reached. */
  readonly names: readonly string[];
};

/** Runs the episodes of one policy. */
export type RunPolicy = (policy: number, signal: AbortSignal) => Promise<RunResults>;

/** Runs all policies at once, and ends all of them if one cannot go on. */
export async function holdDuel(
  folder: string,
  duel: Duel,
  { signal }: DuelRunOptions,
  run: RunPolicy,
): Promise<DuelResult> {
  const stop = new AbortController();
  let failed: { readonly error: unknown } | undefined;
  const ending = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
  const live = duel.settings.policies.flatMap(({ recorded }, policy) =>
    recorded === undefined ? [policy] : [],
  );
  const names = duel.settings.policies.map(({ agent }) => agent);
  const runs = live.map(async (policy) => {
    try {
      const results = await run(policy, ending);
      names[policy] = agentText(results);
      const { status } = results;
      if (status !== "done") stop.abort();
      return status;
    } catch (error) {
      // The first error is the cause of the others.
      failed ??= { error };
      stop.abort();
      throw error;
    }
  });
  const ends = await Promise.allSettled(runs);
  const document = duel.document(failed ? "failed" : statusOf(ends));
  // A wrong set-up leaves no folder, and an earlier document as it is.
  if (!failed || (existsSync(folder) && duel.hasPairs)) await writeDuel(folder, document);
  if (failed) throw failed.error;
  for (const [policy, { recorded }] of duel.settings.policies.entries()) {
    if (recorded === undefined) continue;
    names[policy] = agentText(await (await RunDirectory.open(recorded)).info());
  }
  return { ...document, folder, names };
}

/** Events of the first policy's run only: the runs advance together. */
export function onlyFirst<T extends DuelRunOptions>(options: T, isFirst: boolean): T {
  return isFirst ? options : { ...options, onEvent: undefined };
}

function statusOf(ends: readonly PromiseSettledResult<RunStatus>[]): RunStatus {
  const all = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  return (
    all.find((status) => status === "failed") ?? all.find((status) => status !== "done") ?? "done"
  );
}

/**
 * The folder of a duel. It is created, with its first document, and locked when all policies are ready, so that a wrong set-up of
 * any of them leaves nothing.
 */
export class DuelFolder {
  /** Policies that are not ready yet. */
  #missing: number;
  #whenReady = () => {};
  readonly #ready = new Promise<void>((resolve) => {
    this.#whenReady = resolve;
  });
  #begun: Promise<RunLock> | undefined;

  /** @param policies the number of policies that will begin */
  constructor(
    private readonly path: string,
    private readonly duel: Duel,
    policies: number,
  ) {
    this.#missing = policies;
  }

  /** Called once for each policy. Resolves when all are ready. @throws if `signal` is aborted before */
  async begin(signal: AbortSignal): Promise<void> {
    if (--this.#missing === 0) this.#whenReady();
    await Promise.race([this.#ready, rejectedOnAbort(signal)]);
    this.#begun ??= this.#create();
    await this.#begun;
  }

  async release(): Promise<void> {
    await (await this.#begun?.catch(() => undefined))?.release();
  }

  async #create(): Promise<RunLock> {
    makeFolder(this.path);
    const lock = await RunLock.take(this.path);
    await writeDuel(this.path, this.duel.document("running"));
    return lock;
  }
}

function rejectedOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new Error("the duel was stopped before all its policies were ready"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
