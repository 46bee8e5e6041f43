import { describe, expect, it } from "vitest";
import { MemorySubmission } from "./memory-submission.fixture.js";
import { RetryingStore } from "./retrying-store.js";
import type { NewResult } from "./store.js";

const RESULT: NewResult = {
  ...{ complete: false, state: "failed", reason: "why", runDir: null },
  summary: {} as NewResult["summary"],
};

const broken = () => Object.assign(new Error("connection lost"), { code: "ECONNRESET" });

/** Fails as often as `times` says, and then no more. */
function failing(times: number): () => Promise<void> {
  let left = times;
  return async () => {
    if (left-- > 0) throw broken();
  };
}

function opened({ before = 0, after = 0 } = {}) {
  const submission = new MemorySubmission("id", "test");
  submission.beforeWrite = failing(before);
  submission.afterWrite = failing(after);
  const lost = new AbortController();
  return { submission, lost, store: new RetryingStore(submission, lost.signal) };
}

describe("a write to a database that restarts", () => {
  it("a write to a database that restarts is repeated until the database has answered", async () => {
    const { submission, store } = opened({ before: 2 });
    expect(await store.move("id", ["queued"], "running")).toMatchObject({ state: "running" });
    submission.beforeWrite = failing(1);
    await store.setCounted("id", false);
    submission.beforeWrite = failing(1);
    await store.setProgress("id", 2, 3);
    submission.beforeWrite = failing(1);
    expect(await store.record("id", RESULT)).toBe(true);
    expect(submission).toMatchObject({
      ...{ states: ["queued", "running", "failed"], counted: false, progress: [2, 3] },
      kept: RESULT,
    });
  });

  it("a write to a database that restarts returns the changed submission if the first try took effect and only its answer was lost", async () => {
    const { submission, store } = opened({ after: 1 });
    const change = { reason: "why" };
    const moved = await store.move("id", ["queued"], "running", change);
    expect(moved).toMatchObject({ id: "id", state: "running", reason: "why" });
    expect(submission.states).toEqual(["queued", "running"]);
  });

  it("a write to a database that restarts reports a result as kept if the first try took effect and only its answer was lost", async () => {
    const { submission, store } = opened();
    await store.move("id", ["queued"], "running");
    submission.afterWrite = failing(1);
    expect(await store.record("id", RESULT)).toBe(true);
    expect(submission.states).toEqual(["queued", "running", "failed"]);
  });
});

describe("a write about a submission that has ended", () => {
  it("a write about a submission that has ended changes nothing at the first try, even if the submission has the state asked for", async () => {
    const { submission, store } = opened();
    submission.state = "cancelled";
    expect(await store.move("id", ["queued"], "cancelled")).toBeUndefined();
    submission.kept = RESULT;
    expect(await store.record("id", RESULT)).toBe(false);
  });

  it("a write about a submission that has ended changes nothing at a repeated try if the submission has another state or no result", async () => {
    const { submission, store } = opened();
    submission.state = "cancelled";
    submission.beforeWrite = failing(1);
    expect(await store.move("id", ["queued"], "running")).toBeUndefined();
    submission.beforeWrite = failing(1);
    expect(await store.record("id", RESULT)).toBe(false);
    expect(submission.state).toBe("cancelled");
  });
});

describe("a write to a database that does not come back", () => {
  it("a write to a database that does not come back fails when the database is lost for good", async () => {
    const { store, lost } = opened({ before: Number.POSITIVE_INFINITY });
    const moved = store.move("id", ["queued"], "running");
    lost.abort();
    await expect(moved).rejects.toThrow("connection lost");
  });

  it("a write to a database that does not come back fails when the server stops retrying", async () => {
    const { store } = opened({ before: Number.POSITIVE_INFINITY });
    const moved = store.move("id", ["queued"], "running");
    store.stopRetrying();
    await expect(moved).rejects.toThrow("connection lost");
  });

  it("a write to a database that does not come back fails at once with an error of another kind", async () => {
    const { submission, store } = opened();
    submission.beforeWrite = () => Promise.reject(new Error("syntax error"));
    await expect(store.move("id", ["queued"], "running")).rejects.toThrow("syntax error");
  });
});
