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
import { plural } from "../../../runs/report/format.js";
import { CliCommand } from "../../cli-command.js";
import { withInterrupt } from "../../interrupt.js";
import { collect, list, positive, rejectUnused, wholeNumber } from "../../options.js";
import { printData, printJson, printResult, say, table } from "../../output.js";
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
  readonly minDistance?: number;
  readonly maxDistance?: number;
  readonly minRatio: number;
  readonly categories?: readonly string[];
  readonly split?: string;
  readonly drawers?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function generateCommand(): CliCommand {
  const layouts = Object.entries(LAYOUTS).map(([task, name]) => `  ${task.padEnd(10)} ${name}`);
  return new CliCommand("generate")
    .requiredOption("--task <task>", [...GENERATED_TASKS, ...MANIPULATION_TASKS].join(", "))
    .option(
      "--scenes <scenes>",
      "where to navigate: apartment, apartment/3, apartment/100-119, files, folders",
    )
    .option("--robot <type>", "the robot that manipulates (default: stretch)")
    .option("--plugin <module>", "a plugin's file or package; repeatable", collect)
    .requiredOption("-n, --number <n>", "total number of episodes", wholeNumber(1))
    .output("--out <file>", "file to write, .json or .json.gz", "file", { required: true })
    .option("--seed <n>", "the same seed gives the same episodes", wholeNumber(0), 0)
    .option("--per-scene <n>", "episodes per scene (default: 5 for drawn scenes)", wholeNumber(1))
    .option(
      "--min-distance <m>",
      "minimum path length, in metres (default: 5; rearrange 4)",
      positive,
    )
    .option("--max-distance <m>", "maximum path length (default: 30; rearrange 12)", positive)
    .option("--min-ratio <r>", "minimum ratio of the path to the straight line", positive, 1.05)
    .option("--categories <names>", "objectnav categories (default: Habitat's six)", list)
    .option("--split <name>", "rearrange: objects for train or val (default: val)")
    .option("--drawers", "rearrange: objects start in open drawers, or go into them")
    .option("--force", "replace an existing file")
    .option("--json", "print one JSON document")
    .remarks(`
Layouts written:
${layouts.join("\n")}
  ${MANIPULATION_TASKS.join(", ")}: native, with the expert's trajectory as reference

Examples:
  robot-eval generate --task vln --scenes apartment --seed 999 -n 100 --out new/val.json.gz
  robot-eval generate --task objectnav --scenes apartment/4 -n 5 --out beds.json --categories bed
  robot-eval generate --task image_nav --scenes data/scene_datasets/hm3d -n 50 --out hm3d.json.gz
  robot-eval generate --task rearrange --scenes apartment/20-39 --split train -n 100 --out train.json.gz
  robot-eval generate --task pick_place --robot panda --seed 999 -n 20 --out pick.json.gz`)
    .action(generate);
}

async function generate(flags: GenerateFlags): Promise<void> {
  const task = MANIPULATION_TASKS.find((name) => name === flags.task);
  if (task) return manipulation(task, flags);
  rejectUnused(flags, ["robot", "plugin"], "here: the task has a fixed body");
  if (flags.task !== "rearrange") {
    rejectUnused(flags, ["split", "drawers"], "here: only rearrange has objects and furniture");
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
  const { robot = "stretch", seed, number: count, out, force, json } = flags;
  rejectUnused(flags, ["scenes", "split", "drawers"], "here: manipulation draws its own tables");
  const { robots } = await registriesWith(flags.plugin);
  const descriptor = at("--robot", () => robots.get(robot));
  const split = await withInterrupt("stopping", (signal) =>
    writeEpisodes({ out, force }, () =>
      generateManipulation({
        ...{ task, robot: descriptor, seed, count, signal },
        onEpisode: (episodes) => {
          if (process.stderr.isTTY) say(`${episodes} of ${count}`);
        },
      }),
    ),
  );
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
  if (rows.length > 0) lines.push(table(["rejected", "draws"], rows));
  printData(lines.join("\n"));
}

async function navigation(flags: GenerateFlags, where: string): Promise<void> {
  const { task, out, force, seed } = flags;
  const scenes = await findScenes(where);
  const { number: count, perScene, minRatio, categories, split: objects, drawers } = flags;
  const split = await withInterrupt("stopping", (signal) =>
    writeSplit({ task, out, force }, () =>
      generateEpisodes({
        ...{ task, scenes, seed, count, perScene, minRatio, categories, split: objects, drawers },
        signal,
        minDistanceM: flags.minDistance,
        maxDistanceM: flags.maxDistance,
        onScene: ({ sceneId }, episodes) => {
          if (process.stderr.isTTY) say(`${episodes} of ${count} (${sceneId})`);
        },
      }),
    ),
  );
  printResult(flags.json, reportOf(split, out), reportText);
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
    `${plural(episodes, "episode")} in ${plural(scenes.length, "scene")} written to ${out} (${format}); ${drawn} drawn`,
  ];
  const rows = Object.entries(rejected).map(([why, count]) => [why, String(count)]);
  if (rows.length > 0) lines.push(table(["rejected", "draws"], rows));
  for (const { scene_id, why } of passed_over) lines.push(`skipped ${scene_id}: ${why}`);
  return lines.join("\n");
}
