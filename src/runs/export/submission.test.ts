import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { ExportOptions } from "./export.js";
import { exported, makeRun, REACH, type Recorded, WALK } from "./run.fixture.js";

const rxr = (id: unknown) => ({ instruction: { text: "go", instruction_id: id } });

describe("the R2R-CE export", () => {
  it("the R2R-CE export exports every state from reset on, with stop in the last", async () => {
    const run = await makeRun([
      { line: { episode_id: "7" }, records: WALK },
      { line: { episode_id: "8" }, records: WALK.slice(0, 2) },
    ]);
    const { out, notes } = await exported(run, { to: "r2r-ce" });
    expect(notes).toEqual([]);
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({
      "7": [
        { position: [0, 0, 0], heading: 0, stop: false },
        { position: [0, 0, -0.25], heading: 0, stop: false },
        { position: [0, 0, -0.25], heading: 0.25, stop: false },
        { position: [0, 0, -0.25], heading: 0.25, stop: true },
      ],
      "8": [
        { position: [0, 0, 0], heading: 0, stop: false },
        { position: [0, 0, -0.25], heading: 0, stop: false },
      ],
    });
  });

  it("the R2R-CE export exports only the first repeat of an episode and adds a note", async () => {
    const run = await makeRun([{ records: WALK }, { line: { repeat: 1 }, records: WALK }]);
    const { episodes, left_out, notes } = await exported(run, { to: "r2r-ce" });
    expect({ episodes, left_out }).toEqual({ episodes: 1, left_out: 1 });
    expect(notes).toContainEqual(expect.stringContaining("repeat 0"));
  });

  it("the R2R-CE export adds a note when the run used another metric profile than the challenge", async () => {
    const run = await makeRun([{ line: { profile: "design" }, records: WALK }]);
    const { notes } = await exported(run, { to: "r2r-ce" });
    expect(notes).toContainEqual(expect.stringContaining("profile design"));
  });
});

describe("the RxR-CE export", () => {
  it("the RxR-CE export identifies the instruction by number and omits repeated positions", async () => {
    const run = await makeRun([{ episode: rxr("71"), records: WALK }]);
    const { out, notes } = await exported(run, { to: "rxr" });
    expect(notes).toEqual([]);
    expect(readFileSync(out, "utf8")).toBe('{"instruction_id":71,"path":[[0,0,0],[0,0,-0.25]]}\n');
  });

  it("the RxR-CE export adds a note about episodes that ended without stop", async () => {
    const run = await makeRun([{ episode: rxr(71), records: WALK.slice(0, 2) }]);
    const { notes } = await exported(run, { to: "rxr" });
    expect(notes).toContainEqual(expect.stringContaining("1 episodes ended without stop"));
  });
});

describe("the submission export", () => {
  const onGraph = WALK.map((record) => ({ ...record, state: { ...record.state, node: "a" } }));
  const pick = { task: "pick_place", task_type: "pick_place" };
  const noHeading = WALK.map(({ step, action, state: { position = [0, 0, 0] } }) => {
    return { step, action, state: { position } };
  });
  const invalid = { episode_id: "2", outcome: "invalid", explanation: "no scene" } as const;

  it.each<[string, Recorded[], Partial<ExportOptions>, string, string, Partial<RunInfo>?]>([
    ["a manipulation run", [{ line: pick, records: REACH }], {}, "not_vln", "type vln"],
    [
      "a run of several tasks",
      [{ records: WALK }, { line: pick, records: REACH }],
      {},
      "not_vln",
      "--task vln",
    ],
    ["a run on a navigation graph", [{ records: onGraph }], {}, "graph_run", "continuous"],
    [
      "a run with invalid episodes",
      [{ records: WALK }, { line: invalid }],
      {},
      "invalid_episodes",
      "--partial",
    ],
    [
      "a run that is not done",
      [{ records: WALK }],
      {},
      "incomplete_run",
      "--partial",
      { status: "cancelled" },
    ],
    [
      "episode ids that are not unique",
      [{ records: WALK }, { line: { scene_id: "yard" }, records: WALK }],
      {},
      "duplicate_id",
      "one scene",
    ],
    ["states without headings", [{ records: noHeading }], {}, "no_heading", "--to rxr"],
    ["episodes without trajectories", [{}], {}, "no_trajectory", "save_trajectories"],
    [
      "RxR episodes without instruction ids",
      [{ records: WALK }],
      { to: "rxr" },
      "no_instruction_id",
      "r2r-ce",
    ],
    [
      "RxR instruction ids that are not numbers",
      [{ episode: rxr("first"), records: WALK }],
      { to: "rxr" },
      "no_instruction_id",
      "r2r-ce",
    ],
  ])("the submission export rejects %s", async (_, episodes, options, code, hint, info = {}) => {
    const run = await makeRun(episodes, info);
    await expect(exported(run, { to: "r2r-ce", ...options })).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
  });

  it("the submission export omits invalid episodes of an unfinished run with --partial", async () => {
    const run = await makeRun([{ records: WALK }, { line: invalid }], { status: "cancelled" });
    const { episodes, left_out, notes } = await exported(run, { to: "r2r-ce", partial: true });
    expect({ episodes, left_out }).toEqual({ episodes: 1, left_out: 1 });
    expect(notes).toContainEqual(expect.stringContaining("cancelled"));
  });
});
