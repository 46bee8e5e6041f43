// Generates houses: a straight hallway with rooms on both sides, and either a corridor across its far end or a
// second storey. Lengths are in metres. In a hall's local frame, t runs along it and s to its left.
import { angleAt, between, round } from "./geometry.mjs";
import { ROOMS, SIDE_DOORS } from "./plan.mjs";

const MIN_EDGE = 1;
const MAX_EDGE = 4;
/** The simulator turns by 15 degrees and moves to the neighbour closest to straight ahead. */
const MIN_BEARING_DEG = 35;
const CAMERA_HEIGHT = 1.5;
const STOREY = 2.8;
const STAIRWELL = 2.6;
/** Two opposite doors of a hall that are closer than this along it share a viewpoint. */
const MIN_STOP_GAP = 1.1;

/** A random layout violates a constraint of the data; another layout is drawn. */
class Misfit extends Error {}

export function buildHouse(lib, random, brief) {
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
  throw new Error(
    `${brief.scene}: no valid layout in 2000 attempts; last violation: ${cause?.message}`,
  );
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

/** Adjacent rooms from t = `from` to `to`, with randomised widths. */
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

/** Adds a hall with its rooms, doors and viewpoints; `marks` are viewpoints without a door. */
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

/** Adds a viewpoint near the room's centre, and its spots along the wall opposite the hall. */
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

/** Merges stops of a hall that are too close into one viewpoint; the result is in order along the hall. */
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
      throw new Misfit("two viewpoints of the hall overlap");
    }
    merged.pop();
    merged.push({ t: marks[0]?.t ?? (last.t + stop.t) / 2, marks, doors });
  }
  return merged;
}

const hallNode = (house, hall, name) =>
  [...house.nodes.keys()].find((id) => `${id}_`.startsWith(`${hall}_${name}_`));

/** Adds two flights of stairs with a half-landing between them, at the end of the left rows. */
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

/** Adds a corridor across the hallway's far end, with rooms on its far side. */
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

/** Randomly mirrors and rotates the house, and rounds it to centimetres. */
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

/** The connectivity file as compact JSON with one viewpoint per line. */
export function connectivityText({ nodes, edges }) {
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
