import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  evaluate,
  type TinyWorld,
  tempDir,
  tinyEpisode,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import { serve } from "../../api/policy/index.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { withConfigMac } from "../../runs/directory/run-key.js";
import { parseAgentRef } from "../plan/agent-spec.js";
import { auditRun } from "./audit-run.js";
import { isRepeatable } from "./replay/audit-agents.js";

const KEY = "vln/tiny/a-d";

async function record(world: TinyWorld, agent = "random"): Promise<string> {
  const { results } = await evaluate(world, agent, { outDir: tempDir() });
  return results.run_dir ?? "";
}

/** Changes each line of episodes.jsonl that has this key. */
function editLines(run: string, key: string, change: (line: EpisodeLine) => object): void {
  const file = join(run, "episodes.jsonl");
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const edited = lines.map((text) => {
    const line = JSON.parse(text) as EpisodeLine;
    return JSON.stringify(line.episode_key === key ? change(line) : line);
  });
  writeFileSync(file, `${edited.join("\n")}\n`);
}

function editInfo(run: string, change: (info: RunInfo) => object): void {
  const file = join(run, "run.json");
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")) as RunInfo)));
}

/** A policy elsewhere that turns once more in every episode that it is asked for, and so never does the same. */
async function moodyPolicy(): Promise<string> {
  let episodes = 0;
  class Moody {
    #left = 0;
    reset() {
      this.#left = ++episodes;
    }
    act() {
      return this.#left-- > 0 ? "turn_left" : "stop";
    }
  }
  const server = await serve(Moody, { port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

describe("an audit", () => {
  it("an audit reports no difference for an unchanged run", async () => {
    const run = await record(tinyWorld({ tasks: ["vln", "walk"], evaluation: { repeats: 2 } }));
    expect(await auditRun(run, { episodes: "all" })).toEqual({
      format: "robot-eval-audit/1",
      run_id: run.split("/").at(-1),
      ...{ agent: "random", seed: 0, initial_only: false },
      ...{ total: 16, audited: 16, equal: 16, broken: [], otherwise: [] },
      success: { recorded: expect.any(Number), now: expect.any(Number) },
      warnings: [],
    });
  });

  it("an audit draws a random sample of the requested size that depends on the seed", async () => {
    const run = await record(tinyWorld({ evaluation: { repeats: 3 } }));
    editLines(run, KEY, (line) => ({ ...line, initial_state_hash: "0" }));
    const draw = async (seed: number) => {
      const { audited, broken } = await auditRun(run, { episodes: 6, seed });
      expect(audited).toBe(6);
      return broken.length;
    };
    const draws = await Promise.all([1, 2, 3, 4, 5, 6].map(draw));
    expect(new Set(draws).size).toBeGreaterThan(1);
    expect(await draw(3)).toBe(draws[2]);
  });

  it("an audit finds an initial state that differs from the recorded one", async () => {
    const run = await record(tinyWorld());
    editLines(run, KEY, (line) => ({ ...line, initial_state_hash: "edited" }));
    const expected = { episode_key: KEY, field: "initial_state_hash", recorded: "edited" };
    for (const initialOnly of [false, true]) {
      expect(await auditRun(run, { initialOnly })).toMatchObject({
        ...{ audited: 4, equal: 3, broken: [expected], otherwise: [] },
      });
    }
  });

  it("an audit finds a result that a built-in agent does not repeat", async () => {
    const run = await record(tinyWorld(), "shortest-path");
    editLines(run, KEY, (line) => ({ ...line, outcome: "failure" }));
    expect(await auditRun(run)).toMatchObject({
      broken: [{ episode_key: KEY, field: "outcome", recorded: "failure", now: "success" }],
      success: { recorded: 0.75, now: 1 },
    });
  });

  it("an audit opens no agent when only initial states are compared", async () => {
    const run = await record(tinyWorld());
    editInfo(run, (info) => withConfigMac({ ...info, agent: "ws://127.0.0.1:1" }));
    expect(await auditRun(run, { initialOnly: true })).toMatchObject({
      ...{ audited: 4, equal: 4, broken: [], success: null },
    });
  });

  it("an audit reports other decisions of a remote policy without an error", async () => {
    const run = await record(tinyWorld(), await moodyPolicy());
    for (const agent of [undefined, await moodyPolicy(), "random"]) {
      const report = await auditRun(run, { agent });
      expect(report).toMatchObject({ audited: 4, broken: [] });
      expect(report.otherwise).toContainEqual(expect.objectContaining({ field: "steps" }));
    }
  });

  it("an audit expects no equal results from another agent", async () => {
    const run = await record(tinyWorld(), "shortest-path");
    const report = await auditRun(run, { agent: "random" });
    expect(report.broken).toEqual([]);
    expect(report.otherwise).not.toEqual([]);
    expect(report.success).toMatchObject({ recorded: 1 });
  });

  it("an audit rejects a dataset that differs from that of the run", async () => {
    const world = tinyWorld();
    const run = await record(world);
    const other = tinyEpisode("a", "d", { heading: 1 });
    const file = join(world.dir, "episodes.jsonl");
    const rest = readFileSync(file, "utf8").split("\n").slice(1);
    writeFileSync(file, [JSON.stringify(other.toDict()), ...rest].join("\n"));
    await expect(auditRun(run)).rejects.toMatchObject({ code: "data_changed", where: file });
    editInfo(run, ({ data, ...older }) => older);
    const { warnings, broken } = await auditRun(run);
    expect(warnings).toEqual([expect.stringContaining("no data digest for vln")]);
    expect(broken).toMatchObject([{ episode_key: KEY, field: "initial_state_hash" }]);
  });

  it("an audit fails for a run without valid episodes", async () => {
    const run = await record(tinyWorld({ episodes: [tinyEpisode("a", "f")] }));
    await expect(auditRun(run)).rejects.toMatchObject({ code: "nothing_to_audit" });
  });
});

describe("an agent that must repeat its results", () => {
  it.each(["random", "expert", "noisy:0.3", "noisy:0.3:forward"])(
    "an audit expects %s to repeat its results",
    (spec) => {
      expect(isRepeatable(parseAgentRef(spec))).toBe(true);
    },
  );

  it.each(["ws://h:1", "listen://h:1", "openpi+ws://h:1", "noisy:0.3:ws://h:1", "of-a-plugin"])(
    "an agent that must repeat its results is not %s",
    (spec) => {
      expect(isRepeatable(parseAgentRef(spec))).toBe(false);
    },
  );
});
