// Generates data/graph_nav: navigation graphs of eight fictional houses, and instruction-following episodes in
// them. Run it after `npm run build`. All randomness comes from SEED, so the output is reproducible.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chooseEpisodes } from "./graph-data/episodes.mjs";
import { buildHouse, connectivityText } from "./graph-data/houses.mjs";
import { HOUSES } from "./graph-data/plan.mjs";

const SEED = 2718;
const EPISODES = { val: 60, train: 60 };

/** Writes `connectivity/`, `val.json.gz` and `train.json.gz`. @param lib `robot-eval` and NavGraph */
export async function generate(lib, outDir) {
  const folder = join(outDir, "connectivity");
  await mkdir(folder, { recursive: true });
  const episodes = { val: [], train: [] };
  for (const [i, brief] of HOUSES.entries()) {
    const random = new lib.Random(SEED + i);
    const house = buildHouse(lib, random, brief);
    const file = join(folder, `${brief.scene}_connectivity.json`);
    await writeFile(file, connectivityText(house));
    const graph = await new lib.MatterportGraphs(folder).graph(brief.scene);
    const houses = HOUSES.filter(({ split }) => split === brief.split).length;
    const wanted = EPISODES[brief.split] / houses;
    for (const dict of chooseEpisodes(random, house, graph, wanted)) {
      const list = episodes[brief.split];
      const number = String(list.length).padStart(3, "0");
      list.push(lib.BaseEpisode.fromDict({ episode_id: `${brief.split}_${number}`, ...dict }));
    }
  }
  for (const split of Object.keys(episodes)) {
    await lib.writeNative(join(outDir, `${split}.json.gz`), episodes[split]);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Imported here and not above, because the test of this file passes the library's source instead.
  const lib = await import(new URL("../build/index.js", import.meta.url).href);
  const { NavGraph } = await import(new URL("../build/core/scene/graph.js", import.meta.url).href);
  await generate(
    { ...lib, NavGraph },
    fileURLToPath(new URL("../data/graph_nav", import.meta.url)),
  );
}
