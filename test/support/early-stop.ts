import { episodeDict, makeWorld, type World } from "./cli.js";

/** Starts at the goal and, in about one of four episodes chosen by a hash of the key, moves away from it. */
const PLUGIN = `
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
const numberIn = (file) => Number(readFileSync(new URL(file, import.meta.url), "utf8"));
const pause = numberIn("pause_ms");
const most = numberIn("most_episodes");
let begun = 0;
class Strays {
  async reset({ episodeKey }) {
    if (begun >= most) await new Promise(() => {});
    begun++;
    this.stray = createHash("sha256").update(episodeKey).digest()[0] < 64;
  }
  async act() {
    if (pause > 0) await new Promise((done) => setTimeout(done, pause));
    const stray = this.stray;
    this.stray = false;
    return stray ? "goto:c" : "stop";
  }
}
export default ({ agents }) =>
  agents.register("strays", { description: "of a test", create: () => new Strays() });
`;

export const COUNT = 400;
export const HALF_WIDTH = 0.15;

/** Overrides that enable early stopping. */
export const STOPS_EARLY = [
  "plugins=[./plugin.mjs]",
  `evaluation.early_stop={half_width: ${HALF_WIDTH}, min_episodes: 30}`,
];

/**
 * Many short episodes and the agent `strays`, which waits for `pauseMs` before it acts. In each worker it hangs after
 * as many episodes as the file `most_episodes` says.
 */
export function makeStopWorld(pauseMs = 0): World {
  const episodes = Array.from({ length: COUNT }, (_, i) =>
    episodeDict(`e${i}`, "b", "a", i % 2 === 0 ? "hall" : "yard"),
  );
  const world = makeWorld(episodes);
  world.write("plugin.mjs", PLUGIN);
  world.write("pause_ms", String(pauseMs));
  world.write("most_episodes", "Infinity");
  return world;
}
