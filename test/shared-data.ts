import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Set on tests that read published data; test/shared-data-report.ts counts those that were skipped. */
    needsSharedData?: true;
  }
}

/** Published data that is not part of this repository; `ROBOT_EVAL_SHARED_DATA` names another folder. */
function sharedDataFolder(): string {
  const named = process.env.ROBOT_EVAL_SHARED_DATA;
  return named ? resolve(named) : fileURLToPath(new URL("../../shared/data", import.meta.url));
}

let suitesRunning = 0;

/**
 * A suite whose tests read published data. If the folder is missing, they are skipped, or fail if
 * `ROBOT_EVAL_REQUIRE_SHARED=1` is set. Skipped suites are still collected, so the body itself must not
 * read files: `sharedData` works in tests and hooks only.
 */
export function describeWithSharedData(title: string, body: () => void): void {
  const skip = process.env.ROBOT_EVAL_REQUIRE_SHARED !== "1" && !existsSync(sharedDataFolder());
  describe(`${title} (needs shared data)`, { skip, meta: { needsSharedData: true } }, () => {
    beforeAll(() => {
      suitesRunning++;
    });
    beforeEach(checkFolder);
    // afterAll hooks run in reverse order, so those of the body still find the data.
    afterAll(() => {
      suitesRunning--;
    });
    body();
  });
}

/** Absolute path of a file of the published data, for tests and hooks of `describeWithSharedData`. */
export function sharedData(path: string): string {
  if (suitesRunning === 0) {
    throw new Error(
      `sharedData("${path}") was called outside the tests of describeWithSharedData: call it in a test or hook there, not while tests are collected`,
    );
  }
  checkFolder();
  return join(sharedDataFolder(), path);
}

function checkFolder(): void {
  if (existsSync(sharedDataFolder())) return;
  throw new Error(
    `${sharedDataFolder()} is missing and ROBOT_EVAL_REQUIRE_SHARED=1 demands it: put the published data there, name its folder in ROBOT_EVAL_SHARED_DATA, or unset ROBOT_EVAL_REQUIRE_SHARED to skip these tests`,
  );
}
