import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../test/support/cli.js";
import { setAsideOf, summaryOf } from "../../../test/support/run-content.js";
import { tempDir } from "../../../test/support/tiny-world.js";
import { serve } from "../../api/policy/index.js";
import { DataError, RobotEvalError } from "../../core/errors.js";
import { createRegistries } from "../../registry/registries.js";
import { compareRuns } from "../../runs/compare/compare.js";
import { mergeRuns } from "../../runs/merge/merge-runs.js";
import { scoreRun } from "../../runs/score/score-run.js";
import type { DuelOptions } from "./prepare-duel.js";
import { documentOf, duel, found, NOISY, wholeRun } from "./run-duel.fixture.js";
import { resumeDuel } from "./run-duel.js";

describe("a duel", () => {
  it("a duel names the better policy before all episodes are run, and lists who solved which", async () => {
    const result = await duel();
    const [comparison] = result.comparisons;
    expect(result).toMatchObject({
      status: "done",
      ranks: {
        vln: [
          [1, 1],
          [2, 2],
        ],
      },
    });
    expect(comparison).toMatchObject({ task: "vln", metric: "success", verdict: "better", a: 0 });
    expect(comparison?.ci95[1]).toBeLessThanOrEqual(0);
    expect(comparison?.pairs).toBeLessThan(60);
    const { pairs = 0, only_a = 0, only_b = 0 } = comparison ?? {};
    expect(result.episodes).toEqual({ used: 2 * pairs, of: 120, saved: 120 - 2 * pairs });
    expect(result.flipped).toHaveLength(only_a + only_b);
    const byFirst = result.flipped.filter(({ solved_by }) => solved_by[0] === 0);
    expect(byFirst).toHaveLength(only_a);
    expect(found(documentOf(result.folder))).toEqual(found(result));
  });

  it("a duel writes two runs that are marked as stopped, with anytime-valid intervals", async () => {
    const { folder, policies, comparisons } = await duel();
    const counted = comparisons[0]?.pairs;
    for (const [i, { run, agent }] of policies.entries()) {
      const path = join(folder, run);
      const info = JSON.parse(readFileSync(join(path, "run.json"), "utf8"));
      const against = [NOISY[1 - i]];
      expect(info).toMatchObject({ agent, status: "done", duel: { id: "duel", against } });
      const summary = summaryOf(path);
      const stop = { metric: "success", against, reached: true, counted, of: 60 };
      expect(summary.early_stop).toEqual({ vln: stop });
      expect(summary.per_task.vln?.success).toMatchObject({
        ci_method: "sequential",
        count: counted,
      });
      expect(await linesOf(path)).toHaveLength(counted ?? 0);
    }
  });

  it("a duel gives the same verdict and the same counted episodes with any number of workers", async () => {
    const one = await duel();
    for (const options of [{ concurrency: 3 }, { concurrency: 7 }]) {
      expect(found(await duel(options))).toEqual(found(one));
    }
  });

  it("a duel sets episodes aside that ended after the verdict", async () => {
    const { folder, policies } = await duel({ concurrency: 5 });
    const aside = await Promise.all(policies.map(({ run }) => setAsideOf(join(folder, run))));
    expect(aside.flat().length).toBeGreaterThan(0);
    expect(aside.flat().length).toBeLessThanOrEqual(2 * 10);
  });

  it("a duel is undecided between equal policies, and equivalent within a margin", async () => {
    const same = ["noisy:0.9", "noisy:0.9"];
    const plain = await duel({ agents: same });
    expect(plain.comparisons[0]).toMatchObject({ verdict: "undecided", pairs: 60, difference: 0 });
    expect(plain.episodes.saved).toBe(0);
    const margin = await duel({ agents: same, margin: 0.2 });
    expect(margin.comparisons[0]?.verdict).toBe("equivalent");
    expect(margin.comparisons[0]?.pairs).toBeLessThan(60);
  });

  it("a duel decides by another metric between 0 and 1 with the option metric", async () => {
    const { comparisons, folder, policies } = await duel({
      metric: "spl",
      agents: ["noisy:0.3", "noisy:0.8"],
    });
    expect(comparisons[0]).toMatchObject({ metric: "spl", verdict: "better" });
    const summary = summaryOf(join(folder, policies[0]?.run ?? ""));
    expect(summary.per_task.vln?.spl?.ci_method).toBe("sequential");
  });

  it("a duel ranks several policies and drops clear losers early", async () => {
    const agents = ["noisy:0.96", "noisy:0.3", "noisy:0.92", "noisy:0.4"];
    const { ranks, comparisons, folder, policies } = await duel({ agents });
    const [worst, best, middle, other] = ranks.vln ?? [];
    expect(best?.[0]).toBe(1);
    expect(other?.[0]).toBe(1);
    expect(worst?.[1]).toBe(4);
    expect(middle?.[0]).toBeGreaterThan(1);
    const counts = policies.map(({ run }) => summaryOf(join(folder, run)).early_stop?.vln?.counted);
    expect(counts[0]).toBeLessThan(60);
    expect(counts[1]).toBe(60);
    expect(comparisons).toHaveLength(6);
  });

  it("a duel compares the mean over repeats", async () => {
    const { comparisons, episodes } = await duel({}, ["evaluation.repeats=2"]);
    expect(comparisons[0]?.verdict).toBe("better");
    expect(episodes.of).toBe(240);
  });

  it("a duel compares policies behind sockets", async () => {
    const policies = ["turn_left", "stop"].map((action) =>
      serve(() => ({ reset() {}, act: () => action }), { port: 0 }),
    );
    const servers = await Promise.all(policies);
    const agents = servers.map(({ port }) => `ws://127.0.0.1:${port}`);
    const result = await duel({ agents, limit: 5 });
    await Promise.all(servers.map((server) => server.close()));
    expect(result).toMatchObject({ status: "done", policies: agents.map((agent) => ({ agent })) });
    expect(result.comparisons[0]).toMatchObject({ verdict: "undecided", pairs: 5 });
  });

  it("a duel leaves no folder when one policy cannot be set up, and says why", async () => {
    const out = join(tempDir(), "duel");
    const registries = createRegistries();
    const create = () => {
      throw new DataError("no_agent", "nobody listens");
    };
    registries.agents.register("absent", { description: "of a test", create });
    const held = duel({ agents: ["random", "absent"], out, registries });
    await expect(held).rejects.toMatchObject({ code: "no_agent" });
    expect(existsSync(out)).toBe(false);
  });
});

describe("the runs of a duel", () => {
  it("the runs of a duel are compared with a note, and are not merged or scored as plain runs", async () => {
    const { folder, policies } = await duel();
    const [a = "", b = ""] = policies.map(({ run }) => join(folder, run));
    const { notes } = await compareRuns(a, b);
    expect(notes.filter((note) => note.includes("by a duel"))).toHaveLength(2);
    await expect(
      mergeRuns({ paths: [a, b], outDir: tempDir(), registries: createRegistries() }),
    ).rejects.toMatchObject({
      code: "not_mergeable",
    });
    const { run_dir } = await scoreRun({
      path: a,
      outDir: tempDir(),
      registries: createRegistries(),
    });
    const info = JSON.parse(readFileSync(join(run_dir ?? "", "run.json"), "utf8"));
    expect(info.warnings.join()).toContain("early stopping");
  });
});

describe("a duel with a recorded run", () => {
  it("a duel with a recorded run rejects a run of other settings, another seed, or that was stopped by its results", async () => {
    const against = await wholeRun();
    const agents = ["noisy:0.92"];
    const code = (error: unknown) => (error instanceof RobotEvalError ? error.code : error);
    const refusal = (options: object, set?: readonly string[]) =>
      duel({ agents, against, ...options }, set).then(() => "held", code);
    expect(await refusal({}, ["evaluation.max_steps=50"])).toBe("config_changed");
    expect(await refusal({ seed: 7 })).toBe("other_seed");
    expect(await refusal({ limit: 10 })).toBe("data_changed");
    const { folder, policies } = await duel();
    expect(await refusal({ against: join(folder, policies[0]?.run ?? "") })).toBe("bad_baseline");
    expect(await refusal({ agents: [] })).toBe("one_policy");
  });
});

describe("a duel that cannot be held", () => {
  const refused = async (options: Partial<DuelOptions>, set?: readonly string[]) => {
    const out = join(tempDir(), "duel");
    const error = await duel({ out, ...options }, set).catch((cause: unknown) => cause);
    expect(existsSync(out)).toBe(false);
    return error;
  };

  it.each([
    ["one policy", { agents: ["random"] }, "one_policy"],
    ["an unknown policy", { agents: ["random", "nobody"] }, "unknown_agent"],
    ["a policy of another task", { agents: ["random", "pick_place=expert"] }, "no_agent"],
    ["a margin of 0", { margin: 0 }, "bad_margin"],
    ["a margin of 1", { margin: 1 }, "bad_margin"],
    ["an unknown metric", { metric: "speed" }, "unknown_metric"],
    ["a metric without a range", { metric: "path_length" }, "no_duel_metric"],
  ])("a duel rejects %s and writes nothing", async (_, options, code) => {
    expect(await refused(options)).toMatchObject({ code, exitCode: 2 });
  });

  it("a duel rejects a benchmark with an early stop of its own", async () => {
    const set = ["evaluation.early_stop.half_width=0.1"];
    expect(await refused({}, set)).toMatchObject({ code: "two_stops" });
  });

  it("a duel rejects a folder that is not empty", async () => {
    const out = tempDir();
    writeFileSync(join(out, "notes.txt"), "");
    await expect(duel({ out })).rejects.toMatchObject({ code: "duel_exists", where: out });
  });

  it("a duel of another account is not continued, and no run that its duel.json names is read", async () => {
    const { folder } = await duel();
    const document = documentOf(folder);
    const info = join(folder, document.policies[1]?.run ?? "", "run.json");
    const { config_mac: _, ...foreign } = JSON.parse(readFileSync(info, "utf8"));
    writeFileSync(info, JSON.stringify(foreign));
    const [first, second] = document.policies;
    const policies = [{ ...first, recorded: join(tempDir(), "elsewhere") }, second];
    writeFileSync(join(folder, "duel.json"), JSON.stringify({ ...document, policies }));
    await expect(resumeDuel(folder)).rejects.toMatchObject({ code: "foreign_run", exitCode: 2 });
  });

  it("a duel rejects a duel.json that was edited by hand", async () => {
    const { folder } = await duel();
    const file = join(folder, "duel.json");
    const document = documentOf(folder);
    const edit = (change: object) =>
      writeFileSync(file, JSON.stringify({ ...document, ...change }));
    for (const [change, message] of [
      [{ margin: 3 }, /margin: /],
      [{ policies: document.policies.slice(1) }, /policies: /],
      [{ seed: 9 }, /has the seed 1, duel.json says 9/],
      [
        {
          policies: [...document.policies]
            .reverse()
            .map((p, i) => ({ ...p, run: document.policies[i]?.run })),
        },
        /has the agent/,
      ],
      [{ policies: document.policies.map((p) => ({ ...p, run: "../x" })) }, /policies.0.run/],
    ] as const) {
      edit(change);
      await expect(resumeDuel(folder)).rejects.toMatchObject({
        code: "damaged_duel",
        exitCode: 2,
        message: expect.stringMatching(message),
      });
    }
    writeFileSync(file, "{");
    await expect(resumeDuel(folder)).rejects.toMatchObject({ code: "damaged_duel" });
  });
});
