import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BadConfigError, type ConfigIssue } from "../../src/config/issues.js";
import { loadAndInspect } from "../../src/evaluator/plan/inspect.js";
import { prepareRun } from "../../src/evaluator/plan/prepare.js";
import { BaseEpisode, createRegistries, parseConfig } from "../../src/index.js";
import { temporaryFolder } from "../support/cli.js";

/** The YAML of chapter 8.1, verbatim. */
const DESIGN = readFileSync(
  join(
    fileURLToPath(new URL("../../", import.meta.url)),
    "src/config/unified-challenge.fixture.txt",
  ),
  "utf8",
);

/** The problems that `validate` reports for the design's YAML with changes. */
async function issues(...changes: (readonly [string, string])[]): Promise<ConfigIssue[]> {
  const text = changes.reduce((yaml, [from, to]) => {
    expect(yaml).toContain(from);
    return yaml.replace(from, to);
  }, DESIGN);
  const file = join(temporaryFolder(), "b.yaml");
  writeFileSync(file, text);
  const error: unknown = await loadAndInspect(file, createRegistries()).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const found = error instanceof BadConfigError ? error.issues : [];
  return found.map((issue) => ({ ...issue, where: issue.where.replace(file, "b.yaml") }));
}

const TYPE = ['type: "grasp_and_lift"', 'type: "foo"'] as const;
const HEIGHT = ["lift_height: 0.1", "lift_heigth: 0.1"] as const;
const POSITION = ["[0.7, 0.2, 0.8]", "[0.7, 0.2]"] as const;
const PICK_METRIC = ['["manip_success",', '["success",'] as const;
const VLN_METRIC = ['"dtw"]', '"trajectory_similarity"]'] as const;

describe("validate of the design's YAML", () => {
  it("the design YAML is accepted unchanged by validate", async () => {
    expect(await issues()).toEqual([]);
  });

  it("validate names the place, the expectation and the nearest name of each mistake", async () => {
    expect(await issues(TYPE)).toMatchObject([
      {
        where: "b.yaml:28:15",
        message: expect.stringContaining('success_criteria.type: "foo" is not a valid value'),
        hint: expect.stringContaining("valid: grasp_and_lift, stacked, opened"),
      },
    ]);
    expect(await issues(HEIGHT)).toMatchObject([
      {
        where: "b.yaml:29:9",
        message: expect.stringContaining("success_criteria.lift_heigth: unknown key"),
        hint: expect.stringContaining('did you mean "lift_height"?'),
      },
    ]);
    expect(await issues(POSITION)).toMatchObject([
      {
        where: "b.yaml:26:19",
        message: expect.stringContaining(
          "target_location.position: expected a list of 3 numbers, got [0.7,0.2]",
        ),
      },
    ]);
    expect(await issues(PICK_METRIC)).toMatchObject([
      {
        where: "b.yaml:21:15",
        message: expect.stringContaining(
          'the metric "success" needs distance_to_goal, which mujoco does not record for pick_place',
        ),
        hint: expect.stringContaining('did you mean "manip_success"?'),
      },
    ]);
    expect(await issues(VLN_METRIC)).toMatchObject([
      {
        where: "b.yaml:12:53",
        message: expect.stringContaining('the metric "trajectory_similarity" needs ee_pose'),
        hint: expect.stringContaining("valid: success, spl"),
      },
    ]);
  });

  it("validate reports all mistakes of the file at once, in their order", async () => {
    const metric = ['"completion_rate"', '"completion_rat"'] as const;
    const key = ["max_steps: 500", "max_stpes: 500"] as const;
    const all = await issues(TYPE, HEIGHT, POSITION, PICK_METRIC, VLN_METRIC, metric, key);
    expect(all.map(({ where }) => where)).toEqual([
      ...["b.yaml:12:53", "b.yaml:21:15", "b.yaml:21:26"],
      ...["b.yaml:26:19", "b.yaml:28:15", "b.yaml:29:9", "b.yaml:47:3"],
    ]);
  });
});

describe("the goals in the design's YAML", () => {
  it("the goals in the design YAML complete an episode that gives only a part of its goal", async () => {
    const loaded = parseConfig(DESIGN);
    const episode = BaseEpisode.fromDict({
      episode_id: "1",
      task_type: "pick_place",
      scene_id: "table",
      goals: { target_location: { position: [0.5, 0.1, 0.8] } },
    });
    const plan = await prepareRun(loaded, {
      registries: createRegistries(),
      agent: "random",
      episodes: { vln: [], manipulation: [episode] },
    });
    expect(plan.tasks[0]?.episodes[0]?.goals).toEqual({
      target_object: { name: "cup_red" },
      target_location: { position: [0.5, 0.1, 0.8] },
      success_criteria: { type: "grasp_and_lift", lift_height: 0.1, place_tolerance: 0.05 },
    });
  });
});
