// One part of the loading benchmark, in its own process so that its memory can be measured.

import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createGunzip, createGzip } from "node:zlib";
import { createRegistries, loadEpisodes, Random } from "../build/index.js";

const JSON_BYTES = 2 ** 30;

const [what, path] = process.argv.slice(2);
const { formats } = createRegistries();
const work = { make, unpack, stream, limit, repeat }[what];
const started = performance.now();
const extra = await work();
console.log(
  JSON.stringify({
    ms: performance.now() - started,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...extra,
  }),
);

async function load(most = Number.POSITIVE_INFINITY) {
  let count = 0;
  for await (const _ of loadEpisodes({ path, formats, taskType: "vln" })) {
    if (++count >= most) break;
  }
  return count;
}

async function stream() {
  return { episodes: await load() };
}

async function limit() {
  return { episodes: await load(100) };
}

async function repeat() {
  const times = [];
  for (let i = 0; i < 20; i++) {
    const begun = performance.now();
    await load();
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { ms: times[0] };
}

async function unpack() {
  for await (const _ of createReadStream(path).pipe(createGunzip({ chunkSize: 256 * 1024 })));
}

/** Writes 1 GB of episodes similar to R2R-CE's. */
async function make() {
  const random = new Random(1);
  const gzip = createGzip({ level: 1 });
  const file = gzip.pipe(createWriteStream(path));
  let bytes = 0;
  let episodes = 0;
  const write = async (text) => {
    bytes += text.length;
    if (!gzip.write(text)) await once(gzip, "drain");
  };
  await write('{"episodes": [');
  while (bytes < JSON_BYTES) {
    await write((episodes === 0 ? "" : ", ") + JSON.stringify(episode(random, episodes)));
    episodes++;
  }
  await write('], "instruction_vocab": {"word_list": ["a", "b"]}}');
  gzip.end();
  await once(file, "finish");
  return { bytes, episodes };
}

function episode(random, i) {
  const point = () => [random.normal() * 5, random.normal(), random.normal() * 5];
  const way = Array.from({ length: 6 }, point);
  return {
    episode_id: i,
    trajectory_id: i,
    scene_id: `mp3d/s${i % 90}/s${i % 90}.glb`,
    start_position: way[0],
    start_rotation: [0, Math.sin(i), 0, Math.cos(i)],
    info: { geodesic_distance: 10 * random.uniform() },
    goals: [{ position: way[5], radius: 3 }],
    instruction: {
      instruction_text: "Walk down the stairs, turn right, and walk towards the place with a rug.",
      instruction_tokens: Array.from({ length: 200 }, () => random.below(2500)),
    },
    reference_path: way,
  };
}
