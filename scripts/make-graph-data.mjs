// Makes data/graph_nav: navigation graphs of eight invented houses, and instruction-following episodes
// in them. Run it after `npm run build`. All chance comes from SEED, so a run gives the same files.
//
// A house is a straight hallway with rooms on both sides, and either a corridor across its far end or
// a second storey. Lengths are metres. In a hall's own frame, t runs along it and s to its left.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const SEED = 2718;
const EPISODES = { val: 60, train: 60 };
const MIN_EDGE = 1;
const MAX_EDGE = 4;
/** The simulator turns by 15 degrees and goes to the neighbour nearest to straight ahead. */
const MIN_BEARING_DEG = 35;
/** Along the graph, as in R2R: too far to be found by chance, near enough to be told in words. */
const MIN_DISTANCE = 5;
const MAX_DISTANCE = 25;
const MIN_HOPS = 3;
const CAMERA_HEIGHT = 1.5;
const STOREY = 2.8;
const STAIRWELL = 2.6;
/** Two doors of a hall nearer than this along it face each other and share a viewpoint. */
const MIN_STOP_GAP = 1.1;

/** `spots` are viewpoints in a room, with where one stands there; `inner` rooms have no hall door. */
const ROOMS = {
  living_room: { width: 5.4, spots: { sofa: "by the sofa", fireplace: "by the fireplace" } },
  dining_room: { width: 4.2, spots: { table: "at the dining table" } },
  kitchen: { width: 4.0, spots: { sink: "at the sink" } },
  pantry: { width: 2.4, inner: true },
  study: { width: 3.4, spots: { desk: "at the desk" } },
  library: { width: 4.0, spots: { armchair: "by the armchair" } },
  music_room: { width: 4.4, spots: { piano: "by the piano" } },
  playroom: { width: 3.8, spots: { toy_box: "by the toy box" } },
  laundry_room: { width: 2.8, spots: { washing_machine: "at the washing machine" } },
  guest_toilet: { width: 2.2 },
  bathroom: { width: 3.0, spots: { bathtub: "by the bathtub" } },
  shower_room: { width: 2.4 },
  main_bedroom: { width: 4.6, spots: { bed: "beside the bed", wardrobe: "at the wardrobe" } },
  en_suite: { width: 2.6, inner: true, label: "en-suite bathroom" },
  dressing_room: { width: 2.6, inner: true },
  guest_room: { width: 3.8, spots: { bed: "beside the bed" } },
  childrens_room: { width: 4.0, spots: { bunk_bed: "by the bunk bed" }, label: "children's room" },
  nursery: { width: 3.2, spots: { cot: "by the cot" } },
};

/** Neighbours in a row that have a door between them, whichever comes first. */
const SIDE_DOORS = [
  ["living_room", "dining_room"],
  ["dining_room", "kitchen"],
  ["living_room", "kitchen"],
  ["kitchen", "pantry"],
  ["main_bedroom", "en_suite"],
  ["main_bedroom", "dressing_room"],
  ["living_room", "music_room"],
  ["childrens_room", "playroom"],
];

/**
 * Which rooms stand where: `rows` to the left and right of the hallway as seen from the front door,
 * then `corridor` or `upstairs`. Stairs are added at the end of the left rows. A terrace is a
 * viewpoint that is not included, as the published graphs have some.
 */
const HOUSES = [
  {
    scene: "house_00",
    split: "val",
    rows: ["living_room dining_room kitchen", "study guest_toilet laundry_room library"],
    corridor: "main_bedroom en_suite bathroom childrens_room",
    terrace: "living_room_sofa",
  },
  {
    scene: "house_01",
    split: "val",
    rows: ["dining_room kitchen pantry", "guest_toilet living_room music_room"],
    upstairs: ["nursery bathroom guest_room", "en_suite main_bedroom study shower_room"],
  },
  {
    scene: "house_02",
    split: "val",
    rows: ["guest_room shower_room playroom childrens_room", "kitchen living_room music_room"],
    corridor: "study bathroom main_bedroom dressing_room",
  },
  {
    scene: "house_03",
    split: "val",
    rows: ["living_room kitchen", "laundry_room dining_room guest_toilet library"],
    upstairs: ["dressing_room main_bedroom study", "childrens_room bathroom guest_room"],
    terrace: "living_room_fireplace",
  },
  {
    scene: "house_04",
    split: "val",
    rows: ["pantry kitchen dining_room living_room", "library guest_room guest_toilet music_room"],
    corridor: "nursery main_bedroom en_suite",
  },
  {
    scene: "house_05",
    split: "train",
    rows: ["living_room dining_room kitchen pantry", "music_room study guest_toilet guest_room"],
    corridor: "bathroom main_bedroom dressing_room nursery",
    terrace: "living_room_fireplace",
  },
  {
    scene: "house_06",
    split: "train",
    rows: ["kitchen dining_room study", "library guest_toilet living_room"],
    upstairs: ["bathroom childrens_room playroom", "main_bedroom en_suite nursery guest_room"],
  },
  {
    scene: "house_07",
    split: "train",
    rows: ["laundry_room study guest_room", "dining_room living_room kitchen"],
    upstairs: ["shower_room library nursery", "dressing_room main_bedroom bathroom playroom"],
    terrace: "living_room_sofa",
  },
];

/** Writes `connectivity/`, `val.json.gz` and `train.json.gz`. @param lib robot-eval's public entry */
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

// ---- Houses ----------------------------------------------------------------------------------------

/** A draw that would break a rule of the data; the next one may not. */
class Misfit extends Error {}

function buildHouse(lib, random, brief) {
  let cause;
  for (let attempt = 0; attempt < 2000; attempt++) {
    try {
      const house = drawHouse(random, brief);
      checkHouse(lib, brief.scene, house);
      return house;
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      cause = error;
    }
  }
  throw new Error(`${brief.scene}: no draw keeps the rules; the last broke: ${cause?.message}`);
}

function drawHouse(random, brief) {
  const house = { scene: brief.scene, nodes: new Map(), edges: [] };
  const storeys = [brief.rows, ...(brief.upstairs ? [brief.upstairs] : [])];
  const well = brief.upstairs ? STAIRWELL : 0;
  const needs = storeys.flatMap(([left, right]) => [widthOf(left) + well, widthOf(right)]);
  const length = needs.reduce((sum, need) => sum + need, 0) / needs.length;
  const half = between(random, 1.15, 1.3);
  const depths = [between(random, 3.8, 4.8), between(random, 3.8, 4.8)];
  for (const [level, [left, right]] of storeys.entries()) {
    const hall = level === 0 ? "hallway" : "landing";
    drawWing(random, house, {
      hall,
      half,
      z: level * STOREY,
      frame: (t, s) => [t, s],
      rows: [
        { side: 1, depth: depths[0], rooms: layRow(random, left, 0, length - well) },
        { side: -1, depth: depths[1], rooms: layRow(random, right, 0, length) },
      ],
      marks: [
        ...(level === 0 ? [{ t: 0.4, id: "front_door" }] : []),
        ...(well ? [{ t: length - (level === 0 ? 2.1 : 0.5), name: "stairs", side: 1 }] : []),
      ],
    });
  }
  if (well) drawStairs(house, length, half);
  if (brief.corridor) drawCorridor(random, house, brief.corridor, length);
  if (brief.terrace) drawTerrace(house, brief.terrace);
  return turned(random, house);
}

const roomsIn = (row) => row.split(" ");
const widthOf = (row) => roomsIn(row).reduce((sum, id) => sum + ROOMS[id].width, 0);
const labelOf = (id) => ROOMS[id]?.label ?? id.replaceAll("_", " ");
const between = (random, low, high) => low + (high - low) * random.uniform();

/** Rooms side by side from t = `from` to `to`, with their usual widths jittered. */
function layRow(random, row, from, to) {
  const widths = roomsIn(row).map((id) => ROOMS[id].width * between(random, 0.92, 1.08));
  const stretch = (to - from) / widths.reduce((sum, width) => sum + width, 0);
  if (stretch < 0.8 || stretch > 1.25) throw new Misfit("the rows differ too much in length");
  let t = from;
  return roomsIn(row).map((id, i) => {
    const start = t;
    t += widths[i] * stretch;
    return { id, from: start, to: t };
  });
}

/** A hall with its rooms, doors and viewpoints; `marks` are viewpoints that no door asks for. */
function drawWing(random, house, { hall, half, z, frame, rows, marks }) {
  const add = (id, kind, region, t, s, more = {}) => {
    const [x, y] = frame(t, s);
    house.nodes.set(id, { id, kind, region, x, y, z, included: true, ...more });
  };
  const stops = marks.map((mark) => ({ t: mark.t, marks: [mark], doors: [] }));
  for (const { side, depth, rooms } of rows) {
    for (const [i, room] of rooms.entries()) {
      const next = rooms[i + 1];
      drawRoom(random, house, add, { ...room, side, depth, half });
      if (!ROOMS[room.id].inner) {
        const t = between(random, room.from + 0.7, room.to - 0.7);
        stops.push({ t, marks: [], doors: [{ ...room, side }] });
      }
      if (next && SIDE_DOORS.some((pair) => pair.includes(room.id) && pair.includes(next.id))) {
        const door = `${room.id}_door_${next.id}`;
        const s = half + depth / 2 + between(random, -0.4, 0.4);
        add(door, "door", [room.id, next.id], room.to, side * s);
        house.edges.push([room.id, door], [door, next.id]);
      }
    }
  }
  let previous;
  for (const { t, marks: marked, doors } of mergeStops(stops)) {
    const own = marked[0]?.id;
    const id =
      own ?? [hall, ...marked.map(({ name }) => name), ...doors.map((d) => d.id)].join("_");
    const [dt, ds] = [between(random, -0.06, 0.06), between(random, -0.08, 0.08)];
    add(id, own ? "entrance" : "hall", hall, t + dt, ds);
    if (previous) house.edges.push([previous, id]);
    previous = id;
    for (const { id: room, from, to, side } of doors) {
      if (t < from + 0.5 || t > to - 0.5) throw new Misfit(`the door of ${room} is in a wall`);
      const door = `${room}_door_${hall}`;
      add(door, "door", [room, hall], t, side * half);
      house.edges.push([id, door], [door, room]);
    }
  }
}

/** A viewpoint near the room's middle, and its spots along the wall away from the hall. */
function drawRoom(random, house, add, { id, from, to, side, depth: usual, half }) {
  const depth = usual * between(random, 0.92, 1.08);
  const t = (from + to) / 2 + between(random, -0.25, 0.25);
  const s = half + depth / 2 + between(random, -0.25, 0.25);
  add(id, "room", id, t, side * s);
  let lean = random.below(2) === 0 ? 1 : -1;
  for (const [spot, words] of Object.entries(ROOMS[id].spots ?? {})) {
    const along = lean * (to - from) * between(random, 0.2, 0.27);
    const away = depth * between(random, 0.28, 0.36);
    add(`${id}_${spot}`, "spot", id, t + along, side * (s + away), { words });
    house.edges.push([id, `${id}_${spot}`]);
    lean = -lean;
  }
}

/** What a hall's viewpoints serve, in order along it; what is too near together shares one. */
function mergeStops(stops) {
  const merged = [];
  for (const stop of stops.sort((a, b) => a.t - b.t)) {
    const last = merged.at(-1);
    if (!last || stop.t - last.t >= MIN_STOP_GAP) {
      merged.push(stop);
      continue;
    }
    const marks = [...last.marks, ...stop.marks];
    const doors = [...last.doors, ...stop.doors];
    const sides = [...marks, ...doors].map(({ side }) => side);
    if (sides.includes(undefined) || new Set(sides).size < sides.length) {
      throw new Misfit("two viewpoints of the hall stand on top of each other");
    }
    merged.pop();
    merged.push({ t: marks[0]?.t ?? (last.t + stop.t) / 2, marks, doors });
  }
  return merged;
}

const hallNode = (house, hall, name) =>
  [...house.nodes.keys()].find((id) => `${id}_`.startsWith(`${hall}_${name}_`));

/** Two flights with a half-landing between them, at the end of the left rows. */
function drawStairs(house, length, half) {
  const add = (id, t, s, z) =>
    house.nodes.set(id, { id, kind: "stairs", region: "stairs", x: t, y: s, z, included: true });
  add("stairs_bottom", length - 2.1, half + 0.1, 0);
  add("stairs_turn", length - 1.3, half + 1.8, STOREY / 2);
  add("stairs_top", length - 0.5, half + 0.1, STOREY);
  house.edges.push(
    [hallNode(house, "hallway", "stairs"), "stairs_bottom"],
    ["stairs_bottom", "stairs_turn"],
    ["stairs_turn", "stairs_top"],
    ["stairs_top", hallNode(house, "landing", "stairs")],
  );
}

/** Across the hallway's far end, with rooms on its far side. */
function drawCorridor(random, house, row, length) {
  const last = [...house.nodes.values()].findLast(({ kind }) => kind === "hall").id;
  const half = between(random, 1.15, 1.3);
  const width = widthOf(row);
  const from = -width * between(random, 0.4, 0.6);
  drawWing(random, house, {
    hall: "corridor",
    half,
    z: 0,
    frame: (t, s) => [length + half - s, t],
    rows: [
      {
        side: -1,
        depth: between(random, 3.8, 4.8),
        rooms: layRow(random, row, from, from + width),
      },
    ],
    marks: [{ t: 0, name: "hallway", side: 1 }],
  });
  house.edges.push([last, hallNode(house, "corridor", "hallway")]);
}

function drawTerrace(house, spot) {
  const { x, y, z } = house.nodes.get(spot);
  const outside = { x, y: y + Math.sign(y) * 3, z };
  house.nodes.set("terrace", { id: "terrace", kind: "terrace", ...outside, included: false });
  house.edges.push([spot, "terrace"]);
}

/** The house mirrored or not, turned by any angle, and rounded to centimetres. */
function turned(random, house) {
  const mirror = random.below(2) === 0 ? 1 : -1;
  const angle = between(random, -Math.PI, Math.PI);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const node of house.nodes.values()) {
    const { x, y, z } = node;
    node.x = round(cos * x - sin * mirror * y, 2);
    node.y = round(sin * x + cos * mirror * y, 2);
    node.z = round(z + CAMERA_HEIGHT, 2);
  }
  return house;
}

/** `+ 0` makes a -0 a 0. */
const round = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits + 0;

function checkHouse(lib, scene, house) {
  const included = [...house.nodes.values()].filter((node) => node.included);
  const indexOf = new Map(included.map(({ id }, i) => [id, i]));
  const edges = house.edges.map((edge) => edge.map((id) => indexOf.get(id)));
  const inside = edges.filter(([a, b]) => a !== undefined && b !== undefined);
  const nodes = included.map(({ id, x, y, z }) => ({ id, position: [x, z, 0 - y] }));
  const graph = new lib.NavGraph(scene, nodes, inside);
  for (const { id } of nodes) {
    const here = graph.place(id);
    if (graph.distance(here, graph.place(nodes[0].id)) === Number.POSITIVE_INFINITY) {
      throw new Misfit(`${id} cannot be reached`);
    }
    const around = graph.neighbours(id);
    for (const [i, a] of around.entries()) {
      const walk = Math.hypot(...here.position.map((v, k) => v - graph.position(a)[k]));
      if (walk < MIN_EDGE || walk > MAX_EDGE) throw new Misfit(`${id} - ${a} is ${walk} m`);
      for (const b of around.slice(i + 1)) {
        const apart = Math.abs(angleAt(graph.position(a), here.position, graph.position(b)));
        if (180 - apart < MIN_BEARING_DEG) throw new Misfit(`${a} and ${b} look alike from ${id}`);
      }
    }
  }
}

/** Degrees one turns at `here`, to the left, when walking from `before` on to `next`. */
function angleAt(before, here, next) {
  return turnFrom(bearing(before, here), here, next);
}

/** Degrees to the left from a heading to the direction of `next`, in (-180, 180]. */
function turnFrom(heading, here, next) {
  const degrees = ((bearing(here, next) - heading) * 180) / Math.PI;
  return degrees - 360 * Math.ceil((degrees - 180) / 360);
}

/** As the simulator's headings: radians, counter-clockwise seen from above, 0 along -z. */
const bearing = (from, to) => Math.atan2(from[0] - to[0], from[2] - to[2]);

/** A viewpoint a line, as few bytes as that allows. */
function connectivityText({ nodes, edges }) {
  const joined = new Set(edges.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
  const lines = [...nodes.values()].map(({ id, x, y, z, included }) =>
    JSON.stringify({
      image_id: id,
      pose: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
      included,
      unobstructed: [...nodes.keys()].map((other) => joined.has(`${id} ${other}`)),
      height: CAMERA_HEIGHT,
    }),
  );
  return `[\n${lines.join(",\n")}\n]\n`;
}

// ---- Episodes --------------------------------------------------------------------------------------

/** Start and goal are far apart; each place is at most twice as a start and twice as a goal. */
function chooseEpisodes(random, house, graph, count) {
  const ends = [...house.nodes.values()].filter(({ kind }) =>
    ["room", "spot", "entrance"].includes(kind),
  );
  const pairs = random.shuffle(ends.flatMap((a) => ends.map((b) => [a.id, b.id])));
  const starts = new Map();
  const goals = new Map();
  const chosen = [];
  for (const [start, goal] of pairs) {
    const nodes = graph.shortestPath(start, goal);
    const metres = graph.distance(graph.place(start), graph.place(goal));
    if (metres < MIN_DISTANCE || metres > MAX_DISTANCE || nodes.length <= MIN_HOPS) continue;
    if ((starts.get(start) ?? 0) >= 2 || (goals.get(goal) ?? 0) >= 2) continue;
    starts.set(start, (starts.get(start) ?? 0) + 1);
    goals.set(goal, (goals.get(goal) ?? 0) + 1);
    chosen.push(episode(random, house, graph, nodes));
    if (chosen.length === count) return chosen;
  }
  throw new Error(`${house.scene}: fewer than ${count} episodes`);
}

function episode(random, house, graph, nodes) {
  const half = between(random, -Math.PI, Math.PI) / 2;
  const rotation = [0, round(Math.sin(half), 6), 0, round(Math.cos(half), 6)];
  const path = nodes.map((node) => graph.position(node));
  const words = new Instruction(random, house, graph, nodes, 2 * half);
  return {
    task_type: "vln",
    scene_id: house.scene,
    start_state: { position: path[0], rotation, node: nodes[0] },
    goals: { position: path.at(-1), node: nodes.at(-1), radius: 3 },
    instruction: { text: words.text() },
    reference_data: { path, nodes },
  };
}

// ---- Instructions ----------------------------------------------------------------------------------

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const sideOf = (turn) => (turn > 0 ? "left" : "right");

function whereabouts(turn) {
  const off = Math.abs(turn);
  if (off < 20) return "straight ahead of you";
  if (off < 60) return `ahead of you on the ${sideOf(turn)}`;
  if (off <= 120) return `on your ${sideOf(turn)}`;
  return off <= 160 ? `behind you on the ${sideOf(turn)}` : "behind you";
}

function turning(turn) {
  const off = Math.abs(turn);
  if (off < 20) return "walk straight ahead";
  if (off < 60) return `bear ${sideOf(turn)}`;
  if (off <= 120) return `turn ${sideOf(turn)}`;
  return off <= 160 ? `turn sharply ${sideOf(turn)}` : "turn around";
}

/** A path in words: a sentence for each room and hall that it runs through. */
class Instruction {
  constructor(random, house, graph, nodes, heading) {
    Object.assign(this, { random, house, graph, nodes, heading });
  }

  text() {
    const sentences = this.#stages().map((stage) => {
      const parts = stage.region in ROOMS ? this.#room(stage) : this.#hall(stage);
      const last = parts.pop();
      const whole = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
      return `${whole[0].toUpperCase()}${whole.slice(1)}.`;
    });
    return sentences.join(" ");
  }

  /** Runs of viewpoints in one room or hall, by first and last index. */
  #stages() {
    const stages = [];
    for (const i of this.nodes.keys()) {
      const { kind, region } = this.#node(i);
      if (kind === "door" || kind === "stairs") continue;
      if (stages.at(-1)?.region === region) stages.at(-1).last = i;
      else stages.push({ region, first: i, last: i });
    }
    return stages;
  }

  #room({ region, first, last }) {
    const name = labelOf(region);
    if (last === this.nodes.length - 1) return this.#arrival(name, first);
    const out = `through the ${this.#door(region, last + 1)} ${whereabouts(this.#turn(last))}`;
    if (first > 0) return [`cross the ${name}`, `leave it ${out}`];
    if (first < last) {
      const turn = turning(this.#turn(0));
      const middle = `to the middle of the ${name}`;
      // Said in one go where no turn comes first.
      const walk = turn.startsWith("walk") ? [`${turn} ${middle}`] : [turn, `go ${middle}`];
      return [...walk, `leave it ${out}`];
    }
    return [`${this.random.pick(["leave", "walk out of"])} the ${name} ${out}`];
  }

  /** The door to take, with where it leads if the room has several. */
  #door(region, i) {
    const doors = this.graph.neighbours(region).filter((id) => this.#info(id).kind === "door");
    return doors.length === 1 ? "door" : `door to the ${labelOf(otherSide(this.#node(i), region))}`;
  }

  #arrival(name, first) {
    const { kind, words } = this.#node(this.nodes.length - 1);
    // Whoever came from a hall has been told the room's name there.
    const named = this.#node(first - 2).kind === "hall";
    if (kind === "spot") return [...(named ? [] : [`go into the ${name}`]), `stop ${words}`];
    return [`stop in the middle of the ${named ? "room" : name}`];
  }

  #hall({ region, first, last }) {
    const before = this.#node(first - 1);
    const after = this.#node(last + 1);
    // From the corridor one is led straight down the hallway, else one enters a hall from its side.
    const along = before?.kind === "hall" && region === "hallway";
    const turn = this.#turn(first);
    const then = before?.kind === "stairs" ? `at the ${before.id.slice(7)} of the stairs ` : "";
    if (first === last && !along && Math.abs(turn) < 20) {
      return [`${then}go straight across the ${region} ${this.#across(region, after)}`];
    }
    const parts = along ? [] : [`${then}${turning(turn)}`];
    const counted = along ? first : first + 1;
    const toCorridor = after?.region === "corridor";
    if (first < last || toCorridor) {
      const verb = this.random.pick(["walk along", "follow", "go along"]);
      const end = after ? (toCorridor ? " to the corridor" : "") : " to the front door";
      parts.push(`${verb} the ${region}${this.#past(counted, last)}${end}`);
    }
    if (!after) return [...parts, "stop there"];
    if (toCorridor) return parts;
    return [...parts, this.#exit(region, counted, last, after)];
  }

  #across(region, after) {
    if (after.kind === "stairs") return `and ${climb(after)} the stairs`;
    return `into the ${labelOf(after.kind === "door" ? otherSide(after, region) : after.region)}`;
  }

  #exit(region, counted, last, after) {
    const side = sideOf(this.#turn(last));
    if (after.kind === "stairs") return `go ${climb(after)} the stairs on the ${side}`;
    if (after.kind === "hall") return `turn ${side} into the ${after.region}`;
    let doors = 0;
    for (let i = counted; i <= last; i++) {
      doors += this.#openings(i).filter(
        (o) => o.kind === "door" && this.#sideAt(i, o) === side,
      ).length;
    }
    const room = labelOf(otherSide(after, region));
    return `take the ${ORDINALS[doors - 1]} door on the ${side} into the ${room}`;
  }

  /** Something that one passes between two viewpoints of a hall, the last not counted. */
  #past(from, last) {
    const passed = [];
    for (let i = from; i < last; i++) passed.push(...this.#openings(i));
    if (passed.length === 0) return "";
    const { kind, region } = this.random.pick(passed);
    return ` past the ${kind === "stairs" ? "stairs" : labelOf(region[0])}`;
  }

  /** Doors and stairs at a viewpoint of a hall. */
  #openings(i) {
    const around = this.graph.neighbours(this.nodes[i]).map((id) => this.#info(id));
    return around.filter(({ kind }) => kind === "door" || kind === "stairs");
  }

  #sideAt(i, { id }) {
    const [from, at] = [i - 1, i].map((k) => this.graph.position(this.nodes[k]));
    return sideOf(angleAt(from, at, this.graph.position(id)));
  }

  /** Degrees to the left that the path turns at a viewpoint; at the first, from the start's heading. */
  #turn(i) {
    const [from, at, to] = [i - 1, i, i + 1].map(
      (k) => k >= 0 && this.graph.position(this.nodes[k]),
    );
    return i === 0 ? turnFrom(this.heading, at, to) : angleAt(from, at, to);
  }

  #node(i) {
    return this.#info(this.nodes[i]);
  }

  #info(id) {
    return this.house.nodes.get(id);
  }
}

const climb = ({ id }) => (id === "stairs_bottom" ? "up" : "down");
const otherSide = (door, region) => door.region.find((other) => other !== region);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // Not imported above: the test of this file brings the library's source instead.
  const lib = await import(new URL("../dist/index.js", import.meta.url).href);
  await generate(lib, fileURLToPath(new URL("../data/graph_nav", import.meta.url)));
}
