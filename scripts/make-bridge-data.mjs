// Generates data/bridge: episodes of benchmarks in external simulators. An episode names its environment; the rest is
// determined by its seed, or by the initial states that come with LIBERO. The output is deterministic.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const ROBOSUITE = {
  lift: ["Lift", "lift the cube"],
  stack: ["Stack", "put the red cube onto the green one"],
  can: ["PickPlaceCan", "put the can into its bin"],
  door: ["Door", "open the door"],
};
const FETCH = {
  reach: ["FetchReach-v4", "move the gripper to the target"],
  push: ["FetchPush-v4", "push the block to the target"],
  pick_place: ["FetchPickAndPlace-v4", "bring the block to the target"],
};
/** The ten positions of the bowl in LIBERO-Spatial, in LIBERO's order. */
const BOWL = [
  "between the plate and the ramekin",
  "next to the ramekin",
  "from table center",
  "on the cookie box",
  "in the top drawer of the wooden cabinet",
  "on the ramekin",
  "next to the cookie box",
  "on the stove",
  "next to the plate",
  "on the wooden cabinet",
];
const INIT_STATES = 50;
const EPISODES = 20;

function episodeOf(id, scene, text, env) {
  return {
    episode_id: String(id),
    task_type: "external",
    scene_id: scene,
    instruction: { text },
    task_config: { env },
  };
}

function write(path, episodes) {
  const out = fileURLToPath(new URL(`../data/bridge/${path}`, import.meta.url));
  mkdirSync(dirname(out), { recursive: true });
  const text = `${JSON.stringify({ format: "robot-eval-episodes/1", episodes })}\n`;
  writeFileSync(out, gzipSync(text, { level: 9 }));
  console.log(`${path}: ${episodes.length} episodes`);
}

const count = (n) => Array.from({ length: n }, (_, i) => i);

for (const [file, [name, text]] of Object.entries(ROBOSUITE)) {
  const episodes = count(EPISODES).map((i) =>
    episodeOf(i, `robosuite/${name}`, text, { name, robots: "Panda" }),
  );
  write(`robosuite/${file}.json.gz`, episodes);
}
for (const [file, [id, text]] of Object.entries(FETCH)) {
  const episodes = count(EPISODES).map((i) => episodeOf(i, `fetch/${id}`, text, { id }));
  write(`gymnasium_robotics/${file}.json.gz`, episodes);
}
write(
  "libero_spatial.json.gz",
  BOWL.flatMap((place, task_id) =>
    count(INIT_STATES).map((init_state) => {
      const text = `pick up the black bowl ${place} and place it on the plate`;
      const env = { name: "libero_spatial", task_id, init_state };
      return episodeOf(init_state, `libero_spatial/${task_id}`, text, env);
    }),
  ),
);
