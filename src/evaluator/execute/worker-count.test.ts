import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { evaluate, tinyWorld } from "../../../test/support/tiny-world.js";
import { ConfigError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { workerCount } from "./worker-count.js";

/** The source has no program for a worker, so tests name any file that is there. */
const built = pathToFileURL(import.meta.filename);
const missing = new URL("no-such-file.js", built);
const count = (workers: number | "auto" | undefined, episodes: number) =>
  workerCount({ workers }, { episodes }, built);

describe("the number of workers", () => {
  it("a run uses one worker, the calling thread, by default", () => {
    expect(count(undefined, 1000)).toBe(1);
    expect(count(1, 1000)).toBe(1);
  });

  it("a run uses the requested number of workers, but at most one per episode", () => {
    expect(count(3, 1000)).toBe(3);
    expect(count(3, 2)).toBe(2);
    expect(count(3, 0)).toBe(1);
  });

  it("a run uses one worker per core with auto, and one for a few episodes", () => {
    expect(count("auto", 1_000_000)).toBe(availableParallelism());
    expect(count("auto", 15)).toBe(1);
    expect(count("auto", 0)).toBe(1);
  });

  it.each([0, -1, 1.5, Number.NaN])("a run rejects %d workers", (workers) => {
    expect(() => count(workers, 10)).toThrow(ConfigError);
  });
});

describe("several workers", () => {
  it("a run rejects several workers and uses one with auto if registries are given, which cannot cross threads", async () => {
    const registries = createRegistries();
    expect(() => workerCount({ workers: 2, registries }, { episodes: 10 }, built)).toThrow(
      /registries/,
    );
    expect(workerCount({ workers: "auto", registries }, { episodes: 1000 }, built)).toBe(1);
    await expect(evaluate(tinyWorld(), "random", { workers: 2 })).rejects.toMatchObject({
      code: "workers_refused",
      hint: expect.stringContaining("plugins:"),
    });
  });

  it("a run rejects several workers and uses one with auto if the worker module does not exist", () => {
    expect(() => workerCount({ workers: 2 }, { episodes: 10 }, missing)).toThrow(/no-such-file.js/);
    expect(workerCount({ workers: "auto" }, { episodes: 1000 }, missing)).toBe(1);
    expect(workerCount({ workers: 1 }, { episodes: 1000 }, missing)).toBe(1);
  });

  it("a run rejects several workers and uses one with auto if the policy connects to the evaluator, which has one port", () => {
    const agents = [{}, { threads: "one" as const }];
    expect(() => workerCount({ workers: 2 }, { episodes: 10, agents }, built)).toThrow(
      /connect to the evaluator/,
    );
    expect(workerCount({ workers: "auto" }, { episodes: 1000, agents }, built)).toBe(1);
  });
});

describe("a remote policy", () => {
  it("a run uses a remote policy from several threads only on request, since it may serve one connection", () => {
    const agents = [{ threads: "asked" as const }];
    expect(workerCount({ workers: "auto" }, { episodes: 1000, agents }, built)).toBe(1);
    expect(workerCount({ workers: 3 }, { episodes: 1000, agents }, built)).toBe(3);
  });
});
