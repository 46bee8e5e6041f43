import { z } from "zod";
import { PROFILES } from "../core/profiles.js";
import { OTHER_SENSORS } from "../core/task/sensors.js";
import { policySchema } from "./policy.js";
import { readThreshold, THRESHOLD_HINT } from "./threshold.js";

/**
 * The sections of a benchmark file. Editors show the descriptions (through the JSON Schema) and errors quote them, so
 * each states meaning and unit.
 *
 * Registered names (task types, backends, metrics, formats) are plain strings here: plugins add to them, so only the
 * registry can validate them.
 */

const name = () => z.string().min(1);
const wholeAbove0 = () => z.int().positive();
const above0 = () => z.number().positive();

function noDuplicates(items: readonly string[], context: z.RefinementCtx): void {
  for (const [i, item] of items.entries()) {
    if (items.indexOf(item) === i) continue;
    context.addIssue({ code: "custom", path: [i], message: `"${item}" is listed twice` });
  }
}

const profile = z.enum(Object.keys(PROFILES));
const metrics = z.array(name()).min(1).superRefine(noDuplicates).meta({ uniqueItems: true });

/** Keys that every task's `config` may have. The task's own schema checks the others. */
const taskConfigSchema = z.looseObject({
  metrics: metrics
    .describe("names of the task's metrics; see `robot-eval list metrics`")
    .optional(),
  max_steps: wholeAbove0()
    .describe("control steps after which an episode ends; replaces evaluation.max_steps")
    .optional(),
  timeout: above0()
    .describe("wall-clock seconds an episode may take; replaces evaluation.timeout")
    .optional(),
  success_distance: above0()
    .describe("metres from the goal within which an episode succeeds; replaces the profile's value")
    .optional(),
  profile: profile
    .describe("the conventions for success, stopping and paths that the metrics follow")
    .optional(),
  goals: z
    .record(z.string(), z.unknown())
    .describe("default goals: an episode that gives none, or only a part, gets the rest from here")
    .optional(),
  agent: z
    .never()
    .describe(
      "the agent is not a part of a task: write `agent:` at the top level of the file (for several tasks, `agent: vln=shortest-path,pick_place=expert`) or pass --agent",
    )
    .optional(),
});

export const taskSectionSchema = z
  .strictObject({
    type: name().describe(
      "the task's type, such as vln or pick_place; see `robot-eval list tasks`",
    ),
    config: taskConfigSchema
      .describe("the task's settings; each task type adds its own")
      .prefault({}),
  })
  .describe("a task: <x>_task pairs with dataset.<x>");

const benchmarkSection = z.strictObject({
  name: name().describe("the benchmark's name, as results and the leaderboard show it"),
  description: z.string().describe("a sentence or two on what the benchmark measures").optional(),
  version: name().describe("the benchmark's version, as text").optional(),
});

const sensorSection = z.looseObject({
  width: wholeAbove0().describe("image width in pixels").optional(),
  height: wholeAbove0().describe("image height in pixels").optional(),
  hfov: z.number().gt(0).max(360).describe("horizontal field of view in degrees").optional(),
});

const simulatorSection = z.looseObject({
  backend: name()
    .describe(
      "`abstract` picks a simulator that serves the task; other names pick one, see `robot-eval list simulators`",
    )
    .default("abstract"),
  sensors: z
    .record(z.string(), z.union([sensorSection, z.literal(false)]))
    .superRefine((sensors, context) => {
      if (!sensors[OTHER_SENSORS]) return;
      const message = `"${OTHER_SENSORS}" stands for all sensors that are not named, and can only be false`;
      context.addIssue({ code: "custom", path: [OTHER_SENSORS], message });
    })
    .describe(
      'the cameras, and settings of other sensors, by name; `{}` selects a sensor with its defaults, false switches one off. Sensors of the task that are no cameras stay; `"*": false` switches off all that are not named',
    )
    .optional(),
  connectivity: name()
    .describe("folder of the navigation graphs, for datasets without their own setting")
    .optional(),
  scenes: name()
    .describe(
      "folder of the scene files (.glb, .gltf, .obj), for datasets without their own setting",
    )
    .optional(),
});

/** The keys that every simulator has. Which others are valid depends on the simulators of the benchmark. */
export const SIMULATOR_KEYS: readonly string[] = Object.keys(simulatorSection.shape);

const datasetSection = z.strictObject({
  type: name().describe("the type of task that the episodes are for"),
  data_path: name().describe(
    "file or folder with the episodes; relative to the working directory, else to this file's folder or one above it",
  ),
  format: name()
    .describe("the format of data_path if it cannot be detected; see `robot-eval list formats`")
    .optional(),
  gt_path: name()
    .describe("file with the ground-truth paths, for datasets that store them separately")
    .optional(),
  connectivity: name().describe("folder of the scenes' navigation graphs").optional(),
  scenes: name()
    .describe("folder of the scenes' files; without it `data`, and scene_datasets in it, are tried")
    .optional(),
  limit: wholeAbove0()
    .describe("use only this many episodes: a random sample, spread evenly over the scenes")
    .optional(),
  first: wholeAbove0()
    .describe("use only this many episodes, from the first; not together with `limit`")
    .optional(),
  shuffle: z
    .int()
    .min(0)
    .describe(
      "a seed: the episodes run in a random order, of which `first` takes the first, and `limit` draws its sample with this seed; without it, in the order of the file",
    )
    .optional(),
});

const evaluationSection = z.strictObject({
  max_steps: wholeAbove0()
    .describe("control steps after which an episode ends (default: the task's, mostly 500)")
    .optional(),
  timeout: above0().describe("wall-clock seconds an episode may take").default(300),
  seed: z.int().min(0).describe("seed of all randomness in a run").default(0),
  profile: profile
    .describe("the conventions for success, stopping and paths that the metrics follow")
    .optional(),
  disclose: z
    .array(z.enum(["goals", "reference"]))
    .superRefine(noDuplicates)
    .meta({ uniqueItems: true })
    .describe("parts of the answer that the policy receives; by default only what its task needs")
    .optional(),
  success_distance: above0()
    .describe(
      "metres from the goal within which an episode succeeds, for tasks without their own setting",
    )
    .optional(),
  metrics: metrics.describe("metrics for tasks without their own list").optional(),
  simulated_latency: z
    .union([
      z.strictObject({ steps: z.int().min(0).describe("control steps") }),
      z.strictObject({ seconds: z.number().min(0).describe("of simulated time") }),
    ])
    .describe(
      "how long the robot continues with its last action before the policy's answer takes effect",
    )
    .optional(),
  perturbation: z
    .strictObject({
      axis: name().describe("what is perturbed; see `robot-eval list axes`"),
      level: z
        .int()
        .min(0)
        .max(3)
        .describe("how strongly: 0 leaves episodes unchanged, 3 is the strongest"),
      settings: z
        .record(z.string(), z.unknown())
        .describe("settings of the axis; `file` is a path like data_path")
        .default({}),
    })
    .describe(
      "perturbs every episode along one axis; `robot-eval stress` runs all levels of several axes",
    )
    .optional(),
  repeats: wholeAbove0()
    .describe(
      "how often each episode is run, for stochastic policies; each repeat has its own agent seed",
    )
    .default(1),
  retry_invalid: z
    .int()
    .min(0)
    .max(2)
    .describe("how often an invalid episode is run again before the run ends")
    .default(0),
  give_up_after: z
    .int()
    .min(0)
    .describe(
      "stop the run when the agent gave no action in this many consecutive episodes, as when its server is unreachable; 0 never stops it",
    )
    .default(10),
  give_up_if_first_invalid: z
    .int()
    .min(0)
    .describe(
      "stop the run when its first episodes, this many, are all invalid by a fault of the data or the platform, as when the scenes are missing; 0 never stops it",
    )
    .default(20),
  early_stop: z
    .strictObject({
      half_width: z
        .number()
        .gt(0)
        .lt(0.5)
        .describe("half the width of the 95 % interval at which a task stops, for example 0.03"),
      min_episodes: wholeAbove0()
        .describe("valid episodes that a task needs before it may stop")
        .default(30),
    })
    .describe(
      "stop a task once its primary metric is known this precisely; its episodes then run in a random order, and the interval is valid at any stopping time",
    )
    .optional(),
  thresholds: z
    .array(
      z.string().refine((text) => readThreshold(text) !== undefined, {
        message: `not a threshold: ${THRESHOLD_HINT}`,
      }),
    )
    .describe(
      "values that metrics must reach, or `robot-eval run` exits with 4: success>=0.5, vln.success>=0.5, success.ci_low>=0.4 (the lower end of the 95 % interval), navigation_error<=3",
    )
    .optional(),
  fail_on_invalid: z
    .number()
    .min(0)
    .max(1)
    .describe("the run fails if more than this share of its episodes is invalid")
    .optional(),
});

const outputSection = z.strictObject({
  log_dir: name().describe("folder in which each run creates its own folder").default("runs"),
  save_trajectories: z
    .boolean()
    .describe("keep every step, for replay and re-scoring; false keeps only results")
    .default(true),
  video: z
    .enum(["none", "failures", "all"])
    .describe(
      "rollouts of which a video is made: mp4 if ffmpeg is installed, otherwise animated WebP",
    )
    .default("none"),
});

const clusterSection = z.strictObject({
  trajectories_dir: name()
    .describe(
      "folder that all workers share, for trajectories and videos; they are stored in the database if absent",
    )
    .optional(),
  batch: z
    .int()
    .min(1)
    .max(1000)
    .describe(
      "episodes of one scene that a worker takes at a time; derived from the run's size if absent",
    )
    .optional(),
});

/** All sections except `<x>_task`, whose names the author chooses. */
export const sectionsSchema = z.strictObject({
  benchmark: benchmarkSection.describe("name and description of the benchmark"),
  simulator: simulatorSection
    .describe("the simulator of the episodes; backends add their own keys")
    .prefault({}),
  dataset: z
    .record(z.string(), datasetSection)
    .describe("the episodes of each task: dataset.<x> pairs with <x>_task"),
  evaluation: evaluationSection.describe("how episodes are run and judged").prefault({}),
  output: outputSection.describe("where results go").prefault({}),
  cluster: clusterSection
    .describe("how `run --queue` distributes the episodes over workers; unused otherwise")
    .optional(),
  agent: name()
    .describe(
      "the agent if --agent is not given, see `robot-eval list agents`; per task `vln=...,pick_place=...`",
    )
    .optional(),
  policy: policySchema
    .describe("how to communicate with a policy in another process (ws://, openpi+ws://, ...)")
    .prefault({}),
  plugins: z
    .array(name())
    .describe("modules that register their own tasks, metrics, simulators or formats")
    .default([]),
});

export const TASK_SUFFIX = "_task";

export function isTaskSection(key: string): boolean {
  return key.endsWith(TASK_SUFFIX);
}

/** The `<x>` of `<x>_task`. */
export function taskNameOf(section: string): string {
  return section.slice(0, -TASK_SUFFIX.length);
}

/** A benchmark file's content as plain data, not validated. */
export type ConfigDocument = Readonly<Record<string, unknown>>;

type Sections = z.output<typeof sectionsSchema>;
export type DatasetSection = Readonly<z.output<typeof datasetSection>>;
export type SimulatorSection = Readonly<z.output<typeof simulatorSection>>;
export type TaskSection = Readonly<z.output<typeof taskSectionSchema>>;

/** A `<x>_task` section with its `dataset.<x>`. */
export interface BenchmarkTask extends TaskSection {
  /** The `<x>`. */
  readonly name: string;
  /** The section's key, `<x>_task`: the first element of paths for `locate`. */
  readonly section: string;
  readonly dataset: DatasetSection;
}

/** A validated benchmark: the file's sections with defaults filled in, and its tasks. */
export interface BenchmarkConfig extends Readonly<Sections> {
  /** Tasks in the order of the file. */
  readonly tasks: readonly BenchmarkTask[];
}
