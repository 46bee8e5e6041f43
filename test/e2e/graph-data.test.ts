import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearing, quatXyzwToHeading, wrapAngle } from "../../src/core/math/rotation.js";
import { distance3 } from "../../src/core/math/vec3.js";
import { NavGraph } from "../../src/core/scene/graph.js";
import * as lib from "../../src/index.js";

const root = new URL("../../", import.meta.url);
const dataDir = fileURLToPath(new URL("data/graph_nav", root));
const benchmark = fileURLToPath(new URL("configs/benchmarks/vln_graph.yaml", root));
const graphs = new lib.MatterportGraphs(join(dataDir, "connectivity"));
const SPLITS = {
  val: ["house_00", "house_01", "house_02", "house_03", "house_04"],
  train: ["house_05", "house_06", "house_07"],
};
const SCENES = [...SPLITS.val, ...SPLITS.train];
const splits = Object.keys(SPLITS) as (keyof typeof SPLITS)[];

async function episodesOf(split: string): Promise<lib.BaseEpisode[]> {
  const path = join(dataDir, `${split}.json.gz`);
  const episodes: lib.BaseEpisode[] = [];
  const { formats } = lib.createRegistries();
  for await (const episode of lib.loadEpisodes({ path, formats })) episodes.push(episode);
  return episodes;
}

describe("the script that generates data/graph_nav", () => {
  const made: string[] = [];

  beforeAll(async () => {
    const url = new URL("scripts/make-graph-data.mjs", root).href;
    const script: { generate(library: object, outDir: string): Promise<void> } = await import(url);
    for (let i = 0; i < 2; i++) {
      const folder = await mkdtemp(join(tmpdir(), "graph-data-"));
      made.push(folder);
      await script.generate({ ...lib, NavGraph }, folder);
    }
  });

  afterAll(async () => {
    for (const folder of made) await rm(folder, { recursive: true });
  });

  async function filesIn(folder: string): Promise<Map<string, Buffer>> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
    const contents = paths
      .sort()
      .map(async (path) => [path.slice(folder.length + 1), await readFile(path)] as const);
    return new Map(await Promise.all(contents));
  }

  it("the script that generates data/graph_nav writes the same bytes every time", async () => {
    const [first = "", second = ""] = made;
    expect(await filesIn(first)).toEqual(await filesIn(second));
  });

  it("the script that generates data/graph_nav writes the committed files", async () => {
    // Compared uncompressed, because another zlib version may compress the same text to other bytes.
    const texts = async (folder: string) =>
      [...(await filesIn(folder))].map(([name, bytes]) => ({
        name,
        text: (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(),
      }));
    expect(await texts(made[0] ?? "")).toEqual(await texts(dataDir));
  });
});

describe.each(SCENES)("the graph of %s", (scene) => {
  it("the navigation graph is connected", async () => {
    const graph = await graphs.graph(scene);
    const [first] = graph.nodes;
    if (!first) throw new Error("the graph is empty");
    const there = graph.place(first.id);
    const apart = graph.nodes.filter(({ id }) => {
      return graph.distance(graph.place(id), there) === Number.POSITIVE_INFINITY;
    });
    expect(apart).toEqual([]);
  });

  it("the edges of the graph are 1 to 4 m long", async () => {
    const graph = await graphs.graph(scene);
    for (const { id, position } of graph.nodes) {
      for (const next of graph.neighbours(id)) {
        const metres = distance3(position, graph.position(next));
        expect(metres, `${id} - ${next}`).toBeGreaterThanOrEqual(1);
        expect(metres, `${id} - ${next}`).toBeLessThanOrEqual(4);
      }
    }
  });

  it("neighbours are at least 35 degrees apart, so that turning by 15 can choose any", async () => {
    const graph = await graphs.graph(scene);
    for (const { id, position } of graph.nodes) {
      const around = graph.neighbours(id).map((n) => bearing(position, graph.position(n)));
      for (const [i, a] of around.entries()) {
        for (const b of around.slice(i + 1)) {
          expect((Math.abs(wrapAngle(a - b)) * 180) / Math.PI, id).toBeGreaterThanOrEqual(35);
        }
      }
    }
  });
});

it("viewpoints that are not included are not in the graph", async () => {
  for (const scene of ["house_00", "house_03", "house_05", "house_07"]) {
    const file = join(dataDir, "connectivity", `${scene}_connectivity.json`);
    expect(await readFile(file, "utf8")).toMatch(/"image_id":"terrace",.*"included":false/);
    expect((await graphs.graph(scene)).has("terrace")).toBe(false);
  }
});

describe.each(splits)("the %s episodes", (split) => {
  let episodes: lib.BaseEpisode[];

  beforeAll(async () => {
    episodes = await episodesOf(split);
  });

  it("a split of the graph episodes has 60 episodes, spread evenly over the houses of the split", () => {
    const perScene = SPLITS[split].map((scene) => {
      return episodes.filter((episode) => episode.sceneId === scene).length;
    });
    expect(episodes).toHaveLength(60);
    expect(perScene).toEqual(SPLITS[split].map((_, __, all) => 60 / all.length));
  });

  it("reference paths are shortest paths of at least 5 m and 3 hops", async () => {
    for (const episode of episodes) {
      const graph = await graphs.graph(episode.sceneId);
      const { startState: start, goals, referenceData } = episode;
      const nodes = graph.shortestPath(start.node ?? "", goals.node ?? "");
      expect(referenceData?.nodes, episode.episodeId).toEqual(nodes);
      expect(referenceData?.path).toEqual(nodes.map((node) => graph.position(node)));
      expect([start.position, goals.position]).toEqual(
        [nodes[0], nodes.at(-1)].map((node) => graph.position(node ?? "")),
      );
      expect(nodes.length - 1).toBeGreaterThanOrEqual(3);
      const metres = graph.distance(graph.place(nodes[0] ?? ""), graph.place(nodes.at(-1) ?? ""));
      expect(metres).toBeGreaterThanOrEqual(5);
      expect(metres).toBeLessThanOrEqual(25);
    }
  });

  it("no two episodes have the same start and goal", () => {
    const pairs = episodes.map((e) => `${e.sceneId} ${e.startState.node} ${e.goals.node}`);
    expect(new Set(pairs).size).toBe(episodes.length);
  });

  it("a rule-based reader finds the reference path by the instructions", async () => {
    for (const { sceneId, episodeId, startState, instruction, referenceData } of episodes) {
      if (!startState.node || !startState.rotation) throw new Error("no start");
      const heading = quatXyzwToHeading(startState.rotation);
      const walker = new Walker(await graphs.graph(sceneId), startState.node, heading);
      walker.follow(instruction.text ?? "");
      expect(walker.path, `${episodeId}: ${instruction.text}`).toEqual(referenceData?.nodes);
    }
  });

  async function run(agent: string, ...set: readonly string[]) {
    const path = `dataset.vln.data_path=${JSON.stringify(join(dataDir, `${split}.json.gz`))}`;
    const lines: lib.EpisodeLine[] = [];
    const evaluator = new lib.UnifiedRobotEvaluator(
      lib.loadConfig(benchmark, { set: [path, ...set] }),
      {
        agent,
        outDir: null,
        onEvent: (event) => {
          if (event.type === "episode") lines.push(event.line);
        },
      },
    );
    return { results: await evaluator.run(), lines };
  }

  const STEERED = "vln_task.config.actions=[stop, move_forward, turn_left, turn_right]";

  it.each([
    ["by goto", []],
    ["by turning and moving forward", [STEERED]],
  ])("the shortest-path agent solves all episodes %s", async (_, set) => {
    const { lines } = await run("shortest-path", ...set);
    expect(lines).toHaveLength(60);
    for (const { metrics, explanation } of lines) {
      expect(metrics.success, explanation).toBe(1);
      // Not exactly 1: one length is summed from the start, the other from the goal.
      expect(metrics.spl).toBeCloseTo(1, 12);
    }
  });

  it("the random agent solves less than 10 % of the episodes", async () => {
    const { results } = await run("random");
    expect(results.aggregated_metrics.success?.count).toBe(60);
    expect(results.aggregated_metrics.success?.mean).toBeLessThan(0.1);
  });
});

/** Follows an instruction by rules: takes the edge nearest to the direction that each phrase names. */
class Walker {
  readonly path: string[];
  #heading: number;
  /** Whether the last move was along the current hall; false after a turn at this node. */
  #onTheWay = false;
  /** A landmark that must be passed before the next turn. */
  #past: string | undefined;

  constructor(
    readonly graph: NavGraph,
    start: string,
    heading: number,
  ) {
    this.path = [start];
    this.#heading = heading;
  }

  follow(text: string): void {
    let rest = text.replaceAll(".", "");
    while (rest !== "") {
      const found = PHRASES.find(([pattern]) => pattern.test(rest));
      const match = found?.[0].exec(rest);
      if (!found || !match) throw new Error(`cannot read "${rest}" in "${text}"`);
      found[1](this, match.slice(1));
      rest = rest.slice(match[0].length).replace(/^( and|,)? ?/, "");
    }
  }

  get here(): string {
    return this.path.at(-1) ?? "";
  }

  get neighbours(): string[] {
    return this.graph.neighbours(this.here);
  }

  /** Degrees to the left from straight ahead. */
  turnTo(node: string): number {
    const [from, to] = [this.graph.position(this.here), this.graph.position(node)];
    return (wrapAngle(bearing(from, to) - this.#heading) * 180) / Math.PI;
  }

  moveTo(node: string): void {
    this.#heading = bearing(this.graph.position(this.here), this.graph.position(node));
    this.path.push(node);
    this.#onTheWay = true;
  }

  moveToward(degrees: number, nodes = this.neighbours): void {
    const off = (node: string) =>
      Math.abs(wrapAngle(((this.turnTo(node) - degrees) * Math.PI) / 180));
    const [best] = nodes.sort((a, b) => off(a) - off(b));
    if (best === undefined || (off(best) * 180) / Math.PI > 35) {
      throw new Error(`${this.here} has no neighbour within 35 degrees of ${degrees} to the left`);
    }
    this.moveTo(best);
  }

  /** Moves to the only other neighbour: through a door, or from a spot in a room to its middle. */
  goOn(): void {
    const before = this.path.at(-2);
    const [next, ...others] = this.neighbours.filter((node) => node !== before);
    if (next === undefined || others.length > 0)
      throw new Error(`${this.here} does not have exactly one way on`);
    this.moveTo(next);
  }

  takeDoor(to: string | undefined, where: string): void {
    const doors = this.neighbours.filter(isDoor);
    const fitting = doors.filter((door) => to === undefined || door.split("_door_").includes(to));
    this.moveToward(directionOf(where), fitting);
  }

  /** Turns in place; from a doorway, moves into the hall first. */
  face(words: string): void {
    if (isDoor(this.here)) this.goOn();
    this.#heading += (directionOf(words) * Math.PI) / 180;
    this.#onTheWay = false;
  }

  expectToPass(landmark: string): void {
    this.#past = landmark;
  }

  /** Walks straight on until `arrived`, which is checked at each node except the one where the walk began. */
  walkUntil(arrived: () => boolean): void {
    let passed = this.#past === undefined;
    while (!this.#onTheWay || !arrived()) {
      if (this.#onTheWay)
        passed ||= this.neighbours.some((node) => node.startsWith(`${this.#past}_`));
      this.moveToward(0);
    }
    if (!passed) throw new Error(`the path to ${this.here} does not pass ${this.#past}`);
    this.#past = undefined;
  }

  /** A fitting neighbour on that side; undefined if there is none. */
  beside(side: string, fits: (node: string) => boolean): string | undefined {
    return this.neighbours.find((node) => {
      return fits(node) && Math.abs(this.turnTo(node) - directionOf(side)) < 35;
    });
  }
}

const isDoor = (node: string) => node.includes("_door_");
const isStairs = (node: string) => node.startsWith("stairs_");
const idOf = (label = "") =>
  label === "en-suite bathroom" ? "en_suite" : label.replace("'", "").replaceAll(" ", "_");

/** Degrees to the left of a direction phrase. */
function directionOf(words: string): number {
  const side = words.includes("left") ? 1 : -1;
  if (words === "behind you" || words === "turn around") return 180;
  if (words.includes("straight")) return 0;
  if (words.startsWith("behind") || words.includes("sharply")) return 140 * side;
  return (words.startsWith("ahead") || words.startsWith("bear") ? 40 : 90) * side;
}

function climb(walker: Walker, upOrDown = ""): void {
  const height = () => walker.graph.position(walker.here)[1];
  const before = height();
  while (isStairs(walker.here)) walker.goOn();
  expect(Math.sign(height() - before)).toBe(upOrDown === "up" ? 1 : -1);
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const DIRECTION =
  "straight ahead of you|(?:ahead of|behind) you on the (?:left|right)|on your (?:left|right)|behind you";
const LABEL = "([a-z'-]+(?: (?:room|bedroom|toilet|bathroom))?)";

const PHRASES: readonly (readonly [RegExp, (walker: Walker, words: string[]) => void])[] = [
  [
    new RegExp(
      `^(?:(?:leave|walk out of) the .+?|leave it) through the door(?: to the ${LABEL})? (${DIRECTION})`,
      "i",
    ),
    (walker, [to, where = ""]) => walker.takeDoor(to && idOf(to), where),
  ],
  [
    new RegExp(`^(?:cross|go into|(?:go )?to the middle of) the ${LABEL}`, "i"),
    (walker, [room]) => {
      if (isDoor(walker.here)) walker.goOn();
      else walker.moveToward(0);
      expect(walker.here).toBe(idOf(room));
    },
  ],
  [
    /^turn (left|right) into the hallway/,
    (walker, [side = ""]) => {
      const hallway = () => walker.beside(side, (node) => node.startsWith("hallway_"));
      walker.walkUntil(() => hallway() !== undefined);
      walker.moveTo(hallway() ?? "");
    },
  ],
  [
    /^(?:at the (?:top|bottom) of the stairs )?(walk straight ahead|bear (?:left|right)|turn (?:sharply )?(?:left|right)|turn around)/i,
    (walker, [words = ""]) => walker.face(words.toLowerCase()),
  ],
  [
    new RegExp(
      `^(?:at the (?:top|bottom) of the stairs )?go straight across the (?:[a-z]+) (?:into the ${LABEL}|and (up|down) the stairs)`,
      "i",
    ),
    (walker, [place, upOrDown]) => {
      if (isDoor(walker.here)) walker.goOn();
      walker.moveToward(0);
      if (upOrDown) climb(walker, upOrDown);
      else expect(walker.here.startsWith(`${idOf(place)}_`), walker.here).toBe(true);
    },
  ],
  [/^(?:walk along|follow|go along) the (?:hallway|corridor|landing)/i, () => {}],
  [new RegExp(`^past the ${LABEL}`), (walker, [label]) => walker.expectToPass(idOf(label))],
  [
    /^to the (corridor|front door)/,
    (walker, [place]) => walker.walkUntil(() => walker.here.startsWith(idOf(place))),
  ],
  [
    new RegExp(`^take the (${ORDINALS.join("|")}) door on the (left|right) into the ${LABEL}`, "i"),
    (walker, [ordinal = "", side = "", room]) => {
      let doors = 0;
      walker.walkUntil(() => {
        if (walker.beside(side, isDoor)) doors++;
        return doors > ORDINALS.indexOf(ordinal);
      });
      walker.moveTo(walker.beside(side, isDoor) ?? "");
      expect(walker.here.startsWith(`${idOf(room)}_door_`), walker.here).toBe(true);
    },
  ],
  [
    /^go (up|down) the stairs on the (left|right)/,
    (walker, [upOrDown, side = ""]) => {
      walker.walkUntil(() => walker.beside(side, isStairs) !== undefined);
      walker.moveTo(walker.beside(side, isStairs) ?? "");
      climb(walker, upOrDown);
    },
  ],
  [
    /^stop (there|in the middle|.+? the [a-z ]+$)(?: of the [a-z' -]+)?/i,
    (walker, [words = ""]) => {
      if (isDoor(walker.here)) walker.goOn();
      if (words === "there" || words === "in the middle") return;
      const room = walker.here;
      const spots = walker.neighbours.filter((node) => !isDoor(node));
      const named = spots.find((node) =>
        words.endsWith(node.slice(room.length + 1).replaceAll("_", " ")),
      );
      if (named === undefined) throw new Error(`${room} has no spot "${words}"`);
      walker.moveTo(named);
    },
  ],
];
