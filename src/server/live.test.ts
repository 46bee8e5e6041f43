import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { type Changes, LiveRuns } from "./live.js";
import { RunLibrary } from "./view/library.js";
import { writeRun } from "./view/run-index.fixture.js";

const POLL_MS = 1000;

// Fakes only the timer between two listings; the listings themselves are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function watched(folder: string) {
  const library = await RunLibrary.open(folder);
  const live = new LiveRuns(library);
  const stopping = new AbortController();
  const listen = (since?: string) => live.changes(since, stopping.signal)[Symbol.asyncIterator]();
  return { library, live, listen, stop: () => stopping.abort() };
}

function told({ value, done }: IteratorResult<Changes>): string[] {
  if (done) return ["the end"];
  return value.events.map((event) =>
    event.type === "gone" ? `- ${event.id}` : `+ ${event.card.id} ${event.card.agent}`,
  );
}

/** Waits for the current listing, then skips the pause after it. */
async function nextLook(library: RunLibrary): Promise<void> {
  const list = vi.spyOn(library, "runs");
  await vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(POLL_MS * 60);
      expect(list).toHaveBeenCalled();
    },
    { timeout: 20_000, interval: 1 },
  );
  await list.mock.results[0]?.value;
  list.mockRestore();
}

it("a page that has the list gets only the changes", async () => {
  const folder = temporaryFolder();
  for (const id of ["a", "b", "c"]) writeRun(folder, id);
  const { library, listen, stop } = await watched(folder);
  const { revision } = await library.runs(true);
  writeRun(folder, "b", { agent: "another" });
  const changes = listen(revision ?? undefined);
  expect(told(await changes.next())).toEqual(["+ b another"]);
  const next = changes.next();
  rmSync(join(folder, "c"), { recursive: true });
  await nextLook(library);
  expect(told(await next)).toEqual(["- c"]);
  const nothing = changes.next();
  await nextLook(library);
  stop();
  expect(told(await nothing)).toEqual(["the end"]);
});

it("a listener without a revision, or with one of another server, gets every run first", async () => {
  const folder = temporaryFolder();
  for (const id of ["a", "b"]) writeRun(folder, id);
  const { listen, stop } = await watched(folder);
  for (const since of [undefined, "0123456789ab.7"]) {
    const first = await listen(since).next();
    expect(told(first).sort()).toEqual(["+ a random", "+ b random"]);
  }
  stop();
});

it("a listener gets a change that a request found before the next poll", async () => {
  const folder = temporaryFolder();
  writeRun(folder, "a");
  const { library, listen, stop } = await watched(folder);
  const changes = listen();
  expect(told(await changes.next())).toEqual(["+ a random"]);
  const next = changes.next();
  writeRun(folder, "a", { agent: "another" });
  await library.runs(true);
  await nextLook(library);
  expect(told(await next)).toEqual(["+ a another"]);
  stop();
});

it("closing ends every listener and the polling", async () => {
  const folder = temporaryFolder();
  const { library, live, listen } = await watched(folder);
  const waiting = listen().next();
  live.close();
  expect(told(await waiting)).toEqual(["the end"]);
  const list = vi.spyOn(library, "runs");
  await vi.advanceTimersByTimeAsync(POLL_MS * 60);
  expect(list).not.toHaveBeenCalled();
});
