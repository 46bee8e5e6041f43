// Generates data/manipulation: episodes of the manipulation tasks with the expert's trajectories as references. Run
// it after `npm run build`. All randomness comes from the seeds below, so the output is reproducible.
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { generateManipulation, writeEpisodes } from "../build/generate/index.js";

const SPLITS = { val: { seed: 27182, count: 50 }, train: { seed: 31415, count: 30 } };
const SETS = [
  { folder: "pick_place", task: "pick_place", robot: "stretch" },
  { folder: "stacking", task: "stacking", robot: "stretch" },
  { folder: "opening", task: "opening", robot: "stretch" },
  { folder: "pick_place_panda", task: "pick_place", robot: "panda" },
];

for (const { folder, task, robot } of SETS) {
  for (const [split, { seed, count }] of Object.entries(SPLITS)) {
    const out = fileURLToPath(
      new URL(`../data/manipulation/${folder}/${split}.json.gz`, import.meta.url),
    );
    await mkdir(dirname(out), { recursive: true });
    const made = await writeEpisodes({ out, force: true }, () =>
      generateManipulation({ task, robot, seed, count }),
    );
    const { episodes, references, drawn } = made;
    console.log(
      `${folder}/${split}: ${episodes.length} episodes, ${references} solved by the expert, ${drawn} candidates`,
    );
  }
}
