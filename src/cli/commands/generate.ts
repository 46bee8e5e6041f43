import { Command, InvalidArgumentError } from "commander";
import { type GeneratedSplit, generateEpisodes } from "../../generate/generate.js";
import { GENERATED_TASKS } from "../../generate/options.js";
import { findScenes } from "../../generate/scenes.js";
import { LAYOUTS, writeSplit } from "../../generate/write.js";
import { interruptible } from "../interrupt.js";
import { list, wholeNumber } from "../options.js";
import { printData, printJson, say, table } from "../output.js";

interface GenerateFlags {
  readonly task: string;
  readonly scenes: string;
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
    .description("make navigation episodes in generated apartments or in scenes of your own")
    .requiredOption("--task <task>", GENERATED_TASKS.join(", "))
    .requiredOption(
      "--scenes <scenes>",
      "apartment, apartment/3, apartment/100-119, files, folders",
    )
    .requiredOption("-n, --number <n>", "episodes in all", wholeNumber(1))
    .requiredOption("--out <file>", "file to write, .json or .json.gz")
    .option("--seed <n>", "the same seed makes the same episodes", wholeNumber(0), 0)
    .option("--per-scene <n>", "episodes of a scene (default: 5 of drawn ones)", wholeNumber(1))
    .option("--min-distance <m>", "shortest way from start to goal, metres", amount, 5)
    .option("--max-distance <m>", "longest way, metres", amount, 30)
    .option("--min-ratio <r>", "least ratio of the way to the straight line", amount, 1.05)
    .option("--categories <names>", "what objectnav looks for (default: Habitat's six)", list)
    .option("--force", "replace what is there already")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Layouts written:
${layouts.join("\n")}

Examples:
  robot-eval generate --task vln --scenes apartment --seed 999 -n 100 --out new/val.json.gz
  robot-eval generate --task objectnav --scenes apartment/4 -n 5 --out beds.json --categories bed
  robot-eval generate --task image_nav --scenes data/scene_datasets/hm3d -n 50 --out hm3d.json.gz`,
    )
    .action(generate);
}

async function generate(flags: GenerateFlags): Promise<void> {
  const { task, out, force, seed } = flags;
  const scenes = await findScenes(flags.scenes);
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
