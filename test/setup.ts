import timers from "node:timers";
import { afterAll, vi } from "vitest";
import { cleanUp } from "./support/clean-up.js";

afterAll(cleanUp);

// Files share their globals, so a replaced timer would stop the clock of every file that follows.
afterAll(() => {
  vi.restoreAllMocks();
  if (globalThis.setTimeout === timers.setTimeout) return;
  vi.useRealTimers();
  globalThis.setTimeout = timers.setTimeout;
  globalThis.clearTimeout = timers.clearTimeout;
  throw new Error("a test of this file left a replaced setTimeout behind");
});
