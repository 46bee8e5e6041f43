import { episodeDict, makeWorld, type World } from "./cli.js";

/** Starts at its goal. Of four episodes it goes away from one, which a hash of the key tells. */
const PLUGIN = `
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
const pause = Number(readFileSync(new URL("pause_ms", import.meta.url), "utf8"));
class Strays {
  reset({ episodeKey }) {
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

/** What is other than in the world's benchmark: it may stop early. */
export const STOPS_EARLY = [
  "plugins=[./plugin.mjs]",
  `evaluation.early_stop={half_width: ${HALF_WIDTH}, min_episodes: 30}`,
];

/** Many short episodes and the agent `strays`, which waits for `pauseMs` before it acts. */
export function makeStopWorld(pauseMs = 0): World {
  const episodes = Array.from({ length: COUNT }, (_, i) =>
    episodeDict(`e${i}`, "b", "a", i % 2 === 0 ? "hall" : "yard"),
  );
  const world = makeWorld(episodes);
  world.write("plugin.mjs", PLUGIN);
  world.write("pause_ms", String(pauseMs));
  return world;
}
