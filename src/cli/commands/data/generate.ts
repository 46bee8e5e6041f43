import { Command, InvalidArgumentError } from "commander";
import { ConfigError } from "../../../core/errors.js";
import { type GeneratedSplit, generateEpisodes } from "../../../generate/generate.js";
import {
  generateManipulation,
  MANIPULATION_TASKS,
  type ManipulationSplit,
} from "../../../generate/manipulation/generate.js";
import { GENERATED_TASKS } from "../../../generate/options.js";
import { findScenes } from "../../../generate/scenes.js";
import { LAYOUTS, writeEpisodes, writeSplit } from "../../../generate/write.js";
import { at } from "../../../registry/resolved-task.js";
import { interruptible } from "../../interrupt.js";
import { collect, list, wholeNumber } from "../../options.js";
import { printData, printJson, say, table } from "../../output.js";
import { OutputOption } from "../../output-option.js";
import { registriesWith } from "../../plugins.js";

interface GenerateFlags {
  readonly task: string;
  readonly scenes?: string;
  readonly robot?: string;
  readonly plugin?: readonly string[];
  readonly seed: number;
  readonly number: number;
  readonly out: string;
  readonly perScene?: number;
  readonly minDistance: number;
  readonly maxDistance: number;
  readonly minRatio: number;
  readonly categories?: readonly string[];
  readonly force?: boolean;
  readonly json?: boolean;
}

export function generateCommand(): Command {
  const layouts = Object.entries(LAYOUTS).map(([task, name]) => `  ${task.padEnd(10)} ${name}`);
  return new Command("generate")
    .requiredOption("--task <task>", [...GENERATED_TASKS, ...MANIPULATION_TASKS].join(", "))
    .option(
      "--scenes <scenes>",
      "where to navigate: apartment, apartment/3, apartment/100-119, files, folders",
    )
    .option("--robot <type>", "who manipulates (default: stretch)")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .requiredOption("-n, --number <n>", "total number of episodes", wholeNumber(1))
    .addOption(
      new OutputOption("--out <file>", "file to write, .json or .json.gz", {
        kind: "file",
      }).makeOptionMandatory(),
    )
    .option("--seed <n>", "the same seed gives the same episodes", wholeNumber(0), 0)
    .option("--per-scene <n>", "episodes per scene (default: 5 for drawn scenes)", wholeNumber(1))
    .option("--min-distance <m>", "minimum path length from start to goal, in metres", amount, 5)
    .option("--max-distance <m>", "longest way, metres", amount, 30)
    .option("--min-ratio <r>", "minimum ratio of the path to the straight line", amount, 1.05)
    .option("--categories <names>", "objectnav categories (default: Habitat's six)", list)
    .option("--force", "replace an existing file")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Layouts written:
${layouts.join("\n")}
  ${MANIPULATION_TASKS.join(", ")}: native, with the expert's trajectory as reference

Examples:
  robot-eval generate --task vln --scenes apartment --seed 999 -n 100 --out new/val.json.gz
  robot-eval generate --task objectnav --scenes apartment/4 -n 5 --out beds.json --categories bed
  robot-eval generate --task image_nav --scenes data/scene_datasets/hm3d -n 50 --out hm3d.json.gz
  robot-eval generate --task pick_place --robot panda --seed 999 -n 20 --out pick.json.gz`,
    )
    .action(generate);
}

async function generate(flags: GenerateFlags): Promise<void> {
  const task = MANIPULATION_TASKS.find((name) => name === flags.task);
  if (task) return manipulation(task, flags);
  for (const flag of ["robot", "plugin"] as const) {
    if (flags[flag] !== undefined) throw misplaced(`--${flag}`, "navigation has a fixed body");
  }
  if (flags.scenes === undefined) {
    throw new ConfigError("no_scenes", `--task ${flags.task} needs --scenes`, {
      where: "--scenes",
      hint: "write apartment for new ones: --scenes apartment",
    });
  }
  return navigation(flags, flags.scenes);
}

async function manipulation(task: ManipulationSplit["task"], flags: GenerateFlags): Promise<void> {
  const { robot = "stretch", seed, number: count, out, force, scenes, json } = flags;
  if (scenes !== undefined) throw misplaced("--scenes", "manipulation draws its own tables");
  const { robots } = await registriesWith(flags.plugin);
  const who = at("--robot", () => robots.get(robot));
  const interrupt = interruptible("stopping");
  const split = await writeEpisodes({ out, force }, () =>
    generateManipulation({
      task,
      robot: who,
      seed,
      count,
      signal: interrupt.signal,
      onEpisode: (episodes) => {
        if (process.stderr.isTTY) say(`${episodes} of ${count}`);
      },
    }),
  ).finally(() => interrupt.release());
  const { episodes, drawn, rejected, references } = split;
  const report = {
    ...{ task, robot, format: "native", out, episodes: episodes.length },
    ...{ drawn, rejected, references },
  };
  if (json) return printJson(report);
  const lines = [
    `${episodes.length} episodes for ${robot} written to ${out} (native); ${drawn} drawn; the expert solved ${references}`,
  ];
  const rows = Object.entries(rejected).map(([why, times]) => [why, String(times)]);
  if (rows.length > 0) lines.push(table(["not taken", "draws"], rows));
  printData(lines.join("\n"));
}

function misplaced(flag: string, why: string): ConfigError {
  return new ConfigError("unused_flag", `${flag} has no effect here: ${why}`, { where: flag });
}

async function navigation(flags: GenerateFlags, where: string): Promise<void> {
  const { task, out, force, seed } = flags;
  const scenes = await findScenes(where);
  const interrupt = interruptible("stopping");
  const split = await writeSplit({ task, out, force }, () =>
    generateEpisodes({
      task,
      scenes,
      seed,
      count: flags.number,
      perScene: flags.perScene,
      minDistanceM: flags.minDistance,
      maxDistanceM: flags.maxDistance,
      minRatio: flags.minRatio,
      categories: flags.categories,
      signal: interrupt.signal,
      onScene: ({ sceneId }, episodes) => {
        if (process.stderr.isTTY) say(`${episodes} of ${flags.number} (${sceneId})`);
      },
    }),
  ).finally(() => interrupt.release());
  const report = reportOf(split, out);
  if (flags.json) printJson(report);
  else printData(reportText(report));
}

function reportOf({ task, episodes, scenes, passedOver }: GeneratedSplit, out: string) {
  const rejected = new Map<string, number>();
  for (const scene of scenes) {
    for (const [why, count] of Object.entries(scene.rejected)) {
      rejected.set(why, (rejected.get(why) ?? 0) + count);
    }
  }
  return {
    task,
    format: LAYOUTS[task],
    out,
    episodes: episodes.length,
    drawn: scenes.reduce((sum, { drawn }) => sum + drawn, 0),
    rejected: Object.fromEntries([...rejected].sort(([, a], [, b]) => b - a)),
    scenes: scenes.map((scene) => ({
      scene_id: scene.sceneId,
      episodes: scene.episodes,
      drawn: scene.drawn,
      rejected: scene.rejected,
    })),
    passed_over: passedOver.map(({ sceneId, why }) => ({ scene_id: sceneId, why })),
  };
}

function reportText(report: ReturnType<typeof reportOf>): string {
  const { episodes, scenes, out, format, drawn, rejected, passed_over } = report;
  const lines = [
    `${episodes} episodes in ${scenes.length} scenes written to ${out} (${format}); ${drawn} drawn`,
  ];
  const rows = Object.entries(rejected).map(([why, count]) => [why, String(count)]);
  if (rows.length > 0) lines.push(table(["not taken", "draws"], rows));
  for (const { scene_id, why } of passed_over) lines.push(`passed over ${scene_id}: ${why}`);
  return lines.join("\n");
}

function amount(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("expected a number of more than 0.");
}
