// Generates data/navmesh and data/rearrange: episodes of the three navigation tasks and of rearrangement in generated
// apartments. Run it after `npm run build`. All randomness comes from the seeds below, so the output is reproducible.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** No apartment is in both splits, so that memorising scenes does not help. */
export const SPLITS = {
  train: { scenes: "apartment/0-19", seed: 31415 },
  val: { scenes: "apartment/100-119", seed: 27182 },
};
export const TASKS = ["vln", "objectnav", "image_nav"];
const EPISODES = 100;
const DRAWER_EPISODES = 10;

/** Writes `<task>/<split>.json.gz`, and `<split>_gt.json.gz` for vln. @param lib robot-eval/generate */
export async function generate(lib, outDir) {
  for (const task of TASKS) {
    await mkdir(join(outDir, task), { recursive: true });
    for (const [split, { scenes, seed }] of Object.entries(SPLITS)) {
      const out = join(outDir, task, `${split}.json.gz`);
      await lib.writeSplit({ task, out, force: true }, async () =>
        lib.generateEpisodes({
          task,
          scenes: await lib.findScenes(scenes),
          seed,
          count: EPISODES,
        }),
      );
    }
  }
}

/** The first apartments from here on that have room for the robot and its goals. */
const FIRST_APARTMENT = { train: 0, val: 100 };

/** Apartments from a first one on, of which those are used that have room. */
const from = (first) => ({
  kind: "drawn",
  ids: () => Array.from({ length: 100 }, (_, i) => `apartment/${first + i}`),
});

/**
 * Writes `<split>.json.gz`, with the objects of the split: 100 episodes in 20 apartments. And `drawers.json.gz`: one
 * episode with an open drawer in each of 10 apartments, with objects of validation.
 */
export async function generateRearrangement(lib, outDir) {
  await mkdir(outDir, { recursive: true });
  const task = "rearrange";
  for (const [split, { seed }] of Object.entries(SPLITS)) {
    const scenes = from(FIRST_APARTMENT[split]);
    const out = join(outDir, `${split}.json.gz`);
    await lib.writeSplit({ task, out, force: true }, () =>
      lib.generateEpisodes({ task, split, scenes, seed, count: EPISODES }),
    );
  }
  const out = join(outDir, "drawers.json.gz");
  await lib.writeSplit({ task, out, force: true }, () =>
    lib.generateEpisodes({
      ...{ task, split: "val", scenes: from(FIRST_APARTMENT.val), seed: SPLITS.val.seed },
      ...{ count: DRAWER_EPISODES, perScene: 1, drawers: true },
    }),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Imported here and not above, because the test of this file passes the library's source instead.
  const lib = await import(new URL("../build/generate/index.js", import.meta.url).href);
  const folder = (name) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
  await generate(lib, folder("navmesh"));
  await generateRearrangement(lib, folder("rearrange"));
}
