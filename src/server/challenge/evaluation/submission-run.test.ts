import { describe, expect, it, vi } from "vitest";
import { deferred, nextTurn, stopClock, until } from "../../../../test/support/clock.js";
import { ConfigError } from "../../../core/errors.js";
import type { RunSummary } from "../../../core/interfaces/result.js";
import { SUBMISSION, silentAgent } from "../gateway/team-agent.fixture.js";
import { parseChallenge } from "../load.js";
import { MemorySubmission } from "../store/memory-submission.fixture.js";
import { RetryingStore } from "../store/retrying-store.js";
import type { AuditEntry } from "../store/store.js";
import { SubmissionLog } from "../submission-log.js";
import type { EvaluationJob, EvaluationOutcome, RunningEvaluation } from "./evaluation-job.js";
import { ResultRecorder, SERVER_STOPPED } from "./result-recorder.js";
import { SubmissionRun } from "./submission-run.js";

const CHALLENGE = `
name: Walks
phases:
  - { name: test, benchmark: vln_graph, metrics: [success], leaderboard: success, limit: 4, workers: 3, set: [evaluation.max_steps=9] }
limits: { wall_clock: 60 }
`;

const DISK_FULL = new Error("ENOSPC: no space left on device");

function outcome(part: Partial<RunSummary> = {}): EvaluationOutcome {
  const episodes = { total: 4, success: 1, failure: 3, invalid: 0 };
  const summary = { status: "done", episodes, faults: {}, ...part } as RunSummary;
  return { summary, runDir: "/runs/it" };
}

const CANCELLED = outcome({
  status: "cancelled",
  episodes: { total: 1, success: 0, failure: 1, invalid: 0 },
});

interface Setup {
  readonly challenge?: string;
  readonly sessions?: number;
  readonly retryMs?: number;
  /** Answers of the readiness check, in order; undefined is ready. */
  readonly problems?: (string | undefined)[];
}

/** A submission that is queued, with evaluations that the test ends. */
async function queued({
  challenge = CHALLENGE,
  sessions = 1,
  retryMs = 0,
  problems = [],
}: Setup = {}) {
  const { agent, connection } = await silentAgent(sessions);
  const submission = new MemorySubmission(SUBMISSION, "test");
  const store = new RetryingStore(submission, new AbortController().signal);
  const entries: AuditEntry[] = [];
  const log = new SubmissionLog({ add: (entry) => entries.push(entry) });
  const onFault = vi.fn();
  const onChange = vi.fn();
  const recheck = vi.fn();
  const started: (ReturnType<typeof deferred<EvaluationOutcome>> & { stops: number })[] = [];
  const jobs: EvaluationJob[] = [];
  /** What happened at the relay and at the evaluations, in order. */
  const calls: string[] = [];
  const start = (job: EvaluationJob): RunningEvaluation => {
    const evaluation = { ...deferred<EvaluationOutcome>(), stops: 0 };
    calls.push("start");
    jobs.push(job);
    started.push(evaluation);
    const stop = () => void evaluation.stops++;
    return { finished: evaluation.promise, stop };
  };
  const run = new SubmissionRun(agent, {
    ...{ loaded: parseChallenge(challenge, "challenge.yaml"), store, log, retryMs },
    outcomes: new ResultRecorder({ store, log, onFault }),
    relay: {
      address: (id) => `ws://relay/${id}`,
      offer: () => {
        calls.push("offer");
        return (reason) => calls.push(`withdraw: ${reason}`);
      },
    },
    ...{ relayToken: "token", runs: "/runs", secret: Buffer.alloc(32) },
    evaluations: { start },
    readiness: { problem: async () => problems.shift(), recheck },
    ...{ onFault, onChange, onProgress: () => {} },
  });
  /** The evaluation of the given attempt, once it has started. */
  const attempt = async (number: number) => {
    await until(() => started.length >= number);
    const evaluation = started[number - 1];
    if (!evaluation) throw new Error("not started");
    return evaluation;
  };
  const audited = (event: string) =>
    entries.filter((entry) => entry.event === event).map(({ details }) => details);
  return {
    ...{ run, agent, connection, submission, started, attempt, jobs, calls },
    ...{ audited, entries, onFault, onChange, recheck },
  };
}

describe("a submission whose evaluation completes", () => {
  it("a submission whose evaluation completes is done, counts and has its result", async () => {
    const { run, attempt, submission, calls, audited, entries, onChange } = await queued();
    const ended = run.run();
    (await attempt(1)).resolve(outcome());
    expect(await ended).toBe("the submission is over");
    expect(submission).toMatchObject({ state: "done", counted: true, reason: null });
    expect(submission.kept).toMatchObject({ complete: true, runDir: "/runs/it" });
    expect(calls).toEqual(["offer", "start", "withdraw: the evaluation is over"]);
    expect(audited("submission_started")).toEqual([{}]);
    expect(entries[0]).toMatchObject({ actor: "team:team", remote: "::1" });
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it("a submission whose evaluation completes is evaluated with the settings of its phase, in no more threads than its agent has sessions", async () => {
    for (const [sessions, workers, concurrency] of [
      [1, 1, 1],
      [8, 3, 2],
    ] as const) {
      const { run, attempt, jobs } = await queued({ sessions });
      const ended = run.run();
      (await attempt(1)).resolve(outcome());
      await ended;
      expect(jobs).toEqual([
        {
          ...{ submissionId: SUBMISSION, agent: `ws://relay/${SUBMISSION}`, token: "token" },
          ...{ outDir: "/runs", limit: 4, workers, concurrency },
          benchmark: expect.stringContaining("vln_graph.yaml"),
          set: expect.arrayContaining(["evaluation.max_steps=9", "policy.reconnect_grace=0"]),
        },
      ]);
    }
  });

  it("a submission whose evaluation completes does not start before the host is ready", async () => {
    const { run, attempt, submission, started } = await queued({ problems: ["full", "full"] });
    const ended = run.run();
    expect(started).toEqual([]);
    (await attempt(1)).resolve(outcome());
    await ended;
    expect(submission.states).toEqual(["queued", "running", "done"]);
  });
});

describe("a submission whose host fails", () => {
  it("a submission whose host fails is evaluated again, up to three times in total, and counts once it completes", async () => {
    const { run, attempt, submission, audited, recheck, onFault, onChange } = await queued();
    const ended = run.run();
    (await attempt(1)).reject(DISK_FULL);
    const broken = { status: "done", faults: { platform: 1 } } as const;
    const episodes = { total: 4, success: 0, failure: 3, invalid: 1 };
    (await attempt(2)).resolve(outcome({ ...broken, episodes }));
    (await attempt(3)).resolve(outcome());
    expect(await ended).toBe("the submission is over");
    expect(submission.states).toEqual([
      ...["queued", "running", "queued", "running", "queued", "running"],
      "done",
    ]);
    expect(submission.counted).toBe(true);
    expect(audited("submission_started")).toEqual([{}, { attempt: 2 }, { attempt: 3 }]);
    expect(audited("submission_retried")).toEqual([
      { reason: DISK_FULL.message },
      { reason: broken },
    ]);
    // The cached answer of the readiness check is older than the fault.
    expect(recheck).toHaveBeenCalledTimes(2);
    expect(onFault.mock.calls).toEqual([[DISK_FULL]]);
    expect(onChange).toHaveBeenCalledTimes(5);
  });

  it("a submission whose host fails tells its team that it is evaluated again", async () => {
    const { run, attempt, submission } = await queued({ problems: [undefined, "full"] });
    const ended = run.run();
    (await attempt(1)).reject("a thrown text");
    await attempt(2);
    expect(submission.reason).toBe("a fault of the server's interrupted it; it is evaluated again");
    (await attempt(2)).resolve(outcome());
    await ended;
  });

  it("a submission whose host fails fails without counting after the third fault", async () => {
    const { run, attempt, submission, started, audited, onFault } = await queued();
    const ended = run.run();
    for (const number of [1, 2, 3]) (await attempt(number)).reject(DISK_FULL);
    expect(await ended).toContain("the organisers have been told");
    expect(started.length).toBe(3);
    expect(submission).toMatchObject({ state: "failed", counted: false });
    expect(submission.reason).not.toContain("ENOSPC");
    expect(onFault).toHaveBeenCalledTimes(3);
    expect(audited("submission_finished")).toMatchObject([
      { state: "failed", counted: false, error: DISK_FULL.message },
    ]);
  });

  it("a submission whose host fails fails without counting and without another attempt if an operator cancelled its run", async () => {
    const { run, attempt, submission, started } = await queued();
    const ended = run.run();
    (await attempt(1)).resolve(CANCELLED);
    await ended;
    expect(started.length).toBe(1);
    expect(submission).toMatchObject({ state: "failed", counted: false });
    expect(submission.kept).toMatchObject({ complete: false });
  });

  it("a submission whose host fails is not evaluated again if it was cancelled in the meantime", async () => {
    const { run, attempt, submission, started } = await queued();
    const ended = run.run();
    const evaluation = await attempt(1);
    submission.state = "cancelled";
    evaluation.reject(DISK_FULL);
    expect(await ended).toBe("the submission is over");
    expect(started.length).toBe(1);
    expect(submission.state).toBe("cancelled");
  });
});

describe("a submission whose agent is at fault", () => {
  it("a submission whose agent is at fault fails once and counts if its policy does not fit the benchmark", async () => {
    const { run, attempt, submission, started } = await queued();
    const ended = run.run();
    (await attempt(1)).reject(new ConfigError("missing_sensor", "the policy requests lidar"));
    expect(await ended).toBe("the policy requests lidar");
    expect(started.length).toBe(1);
    expect(submission).toMatchObject({ state: "failed", counted: true });
  });

  it("a submission whose agent is at fault fails once and counts if the evaluator rejected its policy", async () => {
    const { run, attempt, submission, agent } = await queued();
    const ended = run.run();
    const evaluation = await attempt(1);
    agent.isMisfit = true;
    evaluation.reject(new Error("refused"));
    await ended;
    expect(submission).toMatchObject({ state: "failed", counted: true });
  });

  it("a submission whose agent is at fault fails once and counts if the agent disconnected before the evaluation failed", async () => {
    const { run, attempt, submission, connection, started, onFault } = await queued();
    const ended = run.run();
    const evaluation = await attempt(1);
    await connection.close("leaves");
    evaluation.reject(new Error("no agent"));
    expect(await ended).toBe("the agent disconnected");
    expect(started.length).toBe(1);
    expect(submission).toMatchObject({
      ...{ state: "failed", counted: true, reason: "the agent disconnected" },
    });
    expect(onFault).not.toHaveBeenCalled();
  });

  it("a submission whose agent is at fault is stopped, audited and counted when its time is over", async () => {
    stopClock();
    const { run, attempt, submission, audited } = await queued();
    const ended = run.run();
    const evaluation = await attempt(1);
    vi.advanceTimersByTime(59_999);
    expect(evaluation.stops).toBe(0);
    vi.advanceTimersByTime(1);
    expect(evaluation.stops).toBe(1);
    evaluation.resolve(CANCELLED);
    expect(await ended).toBe("the submission's time ran out");
    expect(submission).toMatchObject({ state: "failed", counted: true });
    expect(submission.reason).toContain("the submission's time ran out");
    expect(audited("limit_hit")).toEqual([{ limit: "wall_clock" }]);
  });

  it("a submission whose agent is at fault has no time limit any more when its evaluation has ended", async () => {
    stopClock();
    const { run, attempt, audited } = await queued();
    const ended = run.run();
    (await attempt(1)).resolve(outcome());
    await ended;
    vi.advanceTimersByTime(3_600_000);
    expect(audited("limit_hit")).toEqual([]);
  });

  it("a submission whose agent is at fault may have more time than a timer of Node can measure", async () => {
    stopClock();
    const challenge = CHALLENGE.replace("wall_clock: 60", "wall_clock: 1e7");
    const { run, attempt, submission } = await queued({ challenge });
    const ended = run.run();
    const evaluation = await attempt(1);
    vi.advanceTimersByTime(3_600_000);
    expect(evaluation.stops).toBe(0);
    evaluation.resolve(outcome());
    await ended;
    expect(submission.state).toBe("done");
  });
});

describe("a submission whose server is stopped", () => {
  it.each<[string, (evaluation: ReturnType<typeof deferred<EvaluationOutcome>>) => void]>([
    ["is cancelled", ({ resolve }) => resolve(CANCELLED)],
    ["fails", ({ reject }) => reject(DISK_FULL)],
  ])(
    "a submission whose server is stopped fails without counting and is not evaluated again if its evaluation %s",
    async (_, end) => {
      const { run, attempt, submission, started, calls, onFault } = await queued();
      const ended = run.run();
      const evaluation = await attempt(1);
      run.stop(SERVER_STOPPED);
      run.stop("the agent disconnected");
      expect(evaluation.stops).toBeGreaterThan(0);
      end(evaluation);
      expect(await ended).toBe(SERVER_STOPPED);
      expect(started.length).toBe(1);
      expect(submission).toMatchObject({ state: "failed", counted: false });
      expect(submission.reason).toContain(SERVER_STOPPED);
      expect(calls.at(-1)).toBe(`withdraw: ${SERVER_STOPPED}`);
      expect(onFault).not.toHaveBeenCalled();
    },
  );

  it("a submission whose server is stopped is done and counts if its evaluation completes nevertheless", async () => {
    const { run, attempt, submission } = await queued();
    const ended = run.run();
    const evaluation = await attempt(1);
    run.stop(SERVER_STOPPED);
    evaluation.resolve(outcome());
    await ended;
    expect(submission).toMatchObject({ state: "done", counted: true });
  });

  it("a submission whose server is stopped stops an evaluation that starts afterwards", async () => {
    const { run, attempt, submission } = await queued();
    const move = deferred();
    submission.beforeWrite = () => move.promise;
    const ended = run.run();
    await nextTurn();
    run.stop(SERVER_STOPPED);
    submission.beforeWrite = undefined;
    move.resolve();
    const evaluation = await attempt(1);
    await nextTurn();
    expect(evaluation.stops).toBe(1);
    evaluation.resolve(CANCELLED);
    await ended;
    expect(submission).toMatchObject({ state: "failed", counted: false });
  });

  it("a submission whose server is stopped waits for its agent again if the host was not ready yet", async () => {
    const problems = Array.from({ length: 3 }, () => "full");
    const { run, submission, started, audited } = await queued({ problems, retryMs: 3_600_000 });
    const ended = run.run();
    await nextTurn();
    run.stop(SERVER_STOPPED);
    expect(await ended).toBe(SERVER_STOPPED);
    expect(started).toEqual([]);
    // The readiness is not checked again.
    expect(problems.length).toBe(2);
    expect(submission).toMatchObject({ state: "waiting_for_agent", counted: true });
    expect(audited("submission_waiting")).toEqual([{}]);
  });

  it("a submission whose server is stopped waits for its agent again if it is stopped during the readiness check", async () => {
    const { run, submission, started } = await queued();
    const ended = run.run();
    run.stop(SERVER_STOPPED);
    expect(await ended).toBe(SERVER_STOPPED);
    expect(started).toEqual([]);
    expect(submission.state).toBe("waiting_for_agent");
  });

  it("a submission whose server is stopped waits for its agent again if a host fault has returned it to the queue", async () => {
    const { run, attempt, submission, started } = await queued({ retryMs: 3_600_000 });
    const ended = run.run();
    (await attempt(1)).reject(DISK_FULL);
    await until(() => submission.state === "queued");
    run.stop(SERVER_STOPPED);
    expect(await ended).toBe(SERVER_STOPPED);
    expect(started).toMatchObject([{ stops: 0 }]);
    expect(submission).toMatchObject({ state: "waiting_for_agent", counted: true });
  });
});

describe("a submission that is not in the queue any more", () => {
  it.each(["cancelled", "running"] as const)(
    "a submission that is not in the queue any more is not evaluated if it is %s",
    async (state) => {
      const { run, submission, started } = await queued();
      submission.state = state;
      expect(await run.run()).toBe("the submission is over");
      expect(started).toEqual([]);
    },
  );

  it("a submission that is not in the queue any more is not evaluated or audited as waiting if it was cancelled and then stopped", async () => {
    const { run, submission, audited } = await queued();
    submission.state = "cancelled";
    run.stop("cancelled by its team");
    expect(await run.run()).toBe("cancelled by its team");
    expect(submission.state).toBe("cancelled");
    expect(audited("submission_waiting")).toEqual([]);
  });
});
