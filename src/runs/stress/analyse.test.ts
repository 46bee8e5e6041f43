import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { writeRun } from "../compare/run.fixture.js";
import { analyse } from "./analyse.js";
import type { StressLevel, StressReport } from "./documents.js";
import { STRESS_REPORT } from "./stress.fixture.js";

type Outcomes = readonly ("success" | "failure" | "invalid")[];

function lines(outcomes: Outcomes, task = "vln"): Partial<EpisodeLine>[] {
  // Each task has one scene.
  const scene_id = task === "vln" ? "hall" : "tabletop";
  return outcomes.map((outcome, i) => ({
    ...{ episode_id: String(i), episode_key: `${task}/${scene_id}/${i}`, scene_id, task, outcome },
    metrics: { success: outcome === "success" ? 1 : 0 },
  }));
}

const evaluation = { perturbation: { axis: "object_pose", level: 1 } };

/** A stress folder with these runs. */
function folderWith(runs: Readonly<Record<string, readonly Partial<EpisodeLine>[]>>): string {
  const folder = temporaryFolder();
  for (const [name, own] of Object.entries(runs)) {
    const config = name === "baseline" ? {} : { evaluation };
    renameSync(writeRun({ lines: own, info: { config } }), join(folder, name));
  }
  return folder;
}

/** A report of one axis with one level, before it is computed. */
function draft(level: Partial<StressLevel>): StressReport {
  const [axis] = STRESS_REPORT.axes;
  const [first] = axis?.levels ?? [];
  if (!axis || !first) throw new Error("the report has no level");
  return {
    ...STRESS_REPORT,
    axes: [
      { ...axis, axis: "object_pose", levels: [{ ...first, run: "object_pose-1", ...level }] },
    ],
  };
}

async function levelOf(folder: string, of: Partial<StressLevel> = {}): Promise<StressLevel> {
  const { axes } = await analyse(folder, draft(of));
  const level = axes[0]?.levels[0];
  if (!level) throw new Error("there is no level");
  return level;
}

const success = (n: number): Outcomes => Array.from({ length: n }, () => "success" as const);

describe("analyse", () => {
  it("analyse leaves out pairs that the expert cannot solve, on both sides, and counts them", async () => {
    const folder = folderWith({
      baseline: lines(success(4)),
      "object_pose-1": lines(["success", "failure", "failure", "success"]),
      "object_pose-1-expert": lines(["success", "failure", "success", "invalid"]),
    });
    const all = await levelOf(folder);
    expect(all).toMatchObject({ n: 4, success: 0.5, unsolvable: 0 });
    const level = await levelOf(folder, { expert_run: "object_pose-1-expert" });
    expect(level).toMatchObject({ n: 2, baseline: 1, success: 0.5, unsolvable: 2, lost: 1 });
  });

  it("analyse leaves out pairs that are invalid on either side, and counts them", async () => {
    const folder = folderWith({
      baseline: lines(["success", "invalid", "success"]),
      "object_pose-1": lines(["success", "success", "invalid"]),
    });
    expect(await levelOf(folder)).toMatchObject({ n: 1, invalid: 2, difference: 0 });
  });

  it("analyse shows a level whose run has not begun as waiting, without numbers", async () => {
    const folder = folderWith({ baseline: lines(success(3)) });
    const report = await analyse(folder, draft({}));
    expect(report.axes[0]?.levels[0]).toMatchObject({ status: "waiting", n: 0, p: null });
    expect(report).toMatchObject({ ranking: [], tests: 0, baseline: { total: 3, success: 1 } });
    expect(report.axes[0]?.break_point.state).toBe("unknown");
  });

  it("analyse has numbers by task if there are several", async () => {
    const folder = folderWith({
      baseline: [...lines(success(3)), ...lines(success(3), "pick_place")],
      "object_pose-1": [
        ...lines(success(3)),
        ...lines(["failure", "failure", "failure"], "pick_place"),
      ],
    });
    const { difference, per_task } = await levelOf(folder);
    expect(difference).toBe(-0.5);
    expect(per_task).toMatchObject({ vln: { difference: 0 }, pick_place: { difference: -1 } });
  });

  it("analyse takes the episodes of a task with a single scene as independent", async () => {
    const outcomes: Outcomes = Array.from({ length: 30 }, (_, i) =>
      i < 20 ? "failure" : "success",
    );
    const one = folderWith({ baseline: lines(success(30)), "object_pose-1": lines(outcomes) });
    const two = folderWith({
      baseline: [...lines(success(30)), ...lines(success(30), "pick_place")],
      "object_pose-1": [...lines(outcomes), ...lines(success(30), "pick_place")],
    });
    expect((await levelOf(one)).ci_method).toBe("tango");
    expect((await levelOf(two)).ci_method).toBe("tango");
  });
});
