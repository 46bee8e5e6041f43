import type { Random } from "../../../core/math/random.js";
import type { Material } from "../model.js";
import type { Surface } from "./mesh/builder.js";
import type { RoomKind } from "./plan/types.js";
import { hex } from "./textures/canvas.js";
import { VIEWS } from "./textures/outside.js";
import * as cover from "./textures/surfaces.js";

interface PaintOptions extends Pick<Material, "texture" | "unlit" | "doubleSided"> {
  /** Metres covered by one repetition of the texture. */
  readonly repeatM?: number;
}

/** The materials of one apartment; equal arguments return the same material. */
class Paint {
  readonly #made = new Map<string, Material>();

  surface(name: string, colour: string, { repeatM = 1, ...look }: PaintOptions = {}): Surface {
    const key = `${name}/${colour}`;
    const [r, g, b] = hex(colour);
    const material: Material = this.#made.get(key) ?? { name: key, color: [r, g, b, 1], ...look };
    this.#made.set(key, material);
    return { material, repeatM: [repeatM, repeatM] };
  }

  wood(colour: string): Surface {
    return this.surface("wood", colour, { texture: cover.wood(), repeatM: 0.8 });
  }

  fabric(colour: string): Surface {
    return this.surface("fabric", colour, { texture: cover.fabric(), repeatM: 0.22 });
  }

  marble(colour: string): Surface {
    return this.surface("marble", colour, { texture: cover.marble(), repeatM: 0.9 });
  }

  plain(colour: string): Surface {
    return this.surface("paint", colour);
  }

  glow(colour: string): Surface {
    return this.surface("glow", colour, { unlit: true });
  }
}

/** The surfaces of one room. */
export interface Finish {
  readonly wall: Surface;
  /** Surface of one wall that differs from the others. */
  readonly accent?: Surface;
  /** Tiles up to a height. */
  readonly dado?: { readonly surface: Surface; readonly heightM: number };
  readonly floor: Surface;
  readonly ceiling: Surface;
}

/** The materials and colours of a whole apartment. */
export type Look = Readonly<ReturnType<typeof drawLook>>;

const WOODS = ["#b98a5a", "#c9a273", "#9a6a3f", "#d8bb90", "#8a5a3a", "#a97c50"];
const DARK_WOODS = ["#5a3d29", "#4a3426", "#6b4a32", "#3c2c22"];
const SOFAS = [
  "#5b7a8c",
  "#8c5b4f",
  "#6f7f5a",
  "#b5a48b",
  "#4f5b6b",
  "#a8674a",
  "#7a6a8c",
  "#3f6f6a",
];
const ACCENTS = [
  "#d9a441",
  "#c4573a",
  "#3f7f8c",
  "#e6d3b3",
  "#7d9a5e",
  "#b0546a",
  "#4a5f9a",
  "#ece6da",
];
const CABINETS = [
  "#f2efe8",
  "#5f7f86",
  "#8fa58a",
  "#c9b79a",
  "#3f4a55",
  "#d8d3c8",
  "#a9442f",
  "#b98a5a",
];
const TRIMS = ["#f4f2ec", "#f4f2ec", "#ebe4d6", "#8a6240", "#ffffff"];

export function drawLook(random: Random) {
  const paint = new Paint();
  const trim = random.pick(TRIMS);
  const doors = [trim, trim, random.pick(WOODS), "#e9e6df", "#7a5236"];
  const accents = random.shuffle(ACCENTS);
  return {
    paint,
    view: random.pick(VIEWS),
    trim: paint.plain(trim),
    door: paint.wood(random.pick(doors)),
    wood: paint.wood(random.pick(WOODS)),
    darkWood: paint.wood(random.pick(DARK_WOODS)),
    lacquer: paint.plain(random.pick(["#f0eee9", "#e4e6e6", "#dfe4df"])),
    cabinet: paint.plain(random.pick(CABINETS)),
    worktop: random.uniform() < 0.5 ? paint.marble("#e9e7e3") : paint.wood(random.pick(WOODS)),
    metal: paint.plain("#9aa0a6"),
    steel: paint.plain("#c3c8cc"),
    black: paint.plain("#26282b"),
    porcelain: paint.plain("#fbfbf9"),
    sofa: paint.fabric(random.pick(SOFAS)),
    cushions: accents.slice(0, 3).map((colour) => paint.fabric(colour)),
    bedding: accents.slice(3, 6).map((colour) => paint.fabric(colour)),
  };
}

const WALLS: Readonly<Record<RoomKind, readonly string[]>> = {
  living_room: ["#ece3d2", "#dfe3dc", "#e8d9c4", "#cfdadd", "#e3d0bd"],
  dining_room: ["#e6cfb8", "#d5dccb", "#cdb9a6", "#c7d3d8", "#e5c9ba"],
  kitchen: ["#f2e6c4", "#e6ede3", "#dde8ee", "#f2ddcc", "#eee9dd"],
  bedroom: ["#c8d6e5", "#d7cde2", "#d3e0cd", "#ecd5d3", "#d9d2c5", "#bfd3d2", "#e6d9b9"],
  bathroom: ["#e6f0f0", "#eef0ea", "#e2eaf0", "#f2ece6"],
  corridor: ["#efeae0", "#e4e2dc", "#e9e0cf", "#dfe5e4"],
  office: ["#cbd5c5", "#c9d1dc", "#d8cdbd", "#b9cacb"],
  laundry: ["#e6ecec", "#e9e9e2"],
  storage: ["#d8d2c6", "#dcdad4"],
};
const ACCENT_WALLS = ["#6f8f9a", "#a6705c", "#7f8f6a", "#8a7aa0", "#c79a4f", "#55706f", "#b98a86"];
const FLOOR_WOODS = ["#c79a66", "#b07f4f", "#d9b88a", "#8f6440", "#a98866", "#c2a98a"];
const CARPETS = ["#b9a999", "#8f9aa6", "#a8b09a", "#b89a9a", "#7f8794", "#c9bda9"];
const TILE_TONES = ["#e6e2d8", "#cfd6d8", "#d9c7ae", "#b7c3c0", "#c9a08a", "#f0efec"];

const WET: ReadonlySet<RoomKind> = new Set(["kitchen", "bathroom", "laundry"]);

/** Draws the surfaces of a room. Dry rooms share `boards`, except for some bedrooms and corridors. */
export function drawFinish(random: Random, look: Look, kind: RoomKind, boards: Surface): Finish {
  const { paint } = look;
  const tone = random.pick(WALLS[kind]);
  const plaster = (colour: string) =>
    paint.surface("plaster", colour, { texture: cover.plaster(), repeatM: 1.8 });
  const u = random.uniform();
  const patterned = kind === "bedroom" || kind === "dining_room" || kind === "living_room";
  let wall = plaster(tone);
  if (patterned && u < 0.22) wall = papered(random, paint, tone);
  const accented = u > 0.6 && !WET.has(kind) && kind !== "storage" && kind !== "corridor";
  const accent = accented
    ? random.uniform() < 0.3
      ? paint.surface("bricks", random.pick(["#b5654a", "#c9b8a8", "#8f5a48"]), {
          texture: cover.bricks(),
          repeatM: 0.9,
        })
      : random.uniform() < 0.35
        ? papered(random, paint, random.pick(ACCENT_WALLS))
        : plaster(random.pick(ACCENT_WALLS))
    : undefined;
  const ceiling = plaster("#f6f4f0");
  return {
    wall,
    ...(accent ? { accent } : {}),
    ...(kind === "bathroom" ? { dado: drawDado(random, paint) } : {}),
    floor: drawFloor(random, paint, kind, boards),
    ceiling,
  };
}

function papered(random: Random, paint: Paint, tone: string): Surface {
  const pattern = random.pick(["stripes", "diamonds", "dots", "leaves"] as const);
  return paint.surface(`wallpaper_${pattern}`, tone, {
    texture: cover.wallpaper(pattern),
    repeatM: pattern === "stripes" ? 0.8 : 0.9,
  });
}

function drawDado(random: Random, paint: Paint): { surface: Surface; heightM: number } {
  const tone = random.pick(["#ffffff", "#9fc4c9", "#7fa8b8", "#d6e2d8", "#8fb3a0", "#e7d9c6"]);
  const subway = random.uniform() < 0.5;
  return {
    surface: subway
      ? paint.surface("subway", tone, { texture: cover.subwayTiles(), repeatM: 0.8 })
      : paint.surface("wall_tiles", tone, { texture: cover.tiles(4, "plain"), repeatM: 0.8 }),
    heightM: random.pick([1.2, 1.5, 2.1]),
  };
}

export function drawBoards(random: Random, paint: Paint): Surface {
  const tone = random.pick(FLOOR_WOODS);
  const u = random.uniform();
  if (u < 0.25) {
    return paint.surface("parquet", tone, { texture: cover.parquet(), repeatM: 1.3 });
  }
  const rows = u < 0.65 ? 10 : 6;
  return paint.surface(`planks_${rows}`, tone, {
    texture: cover.planks(rows),
    repeatM: rows === 10 ? 1.3 : 1.2,
  });
}

function drawFloor(random: Random, paint: Paint, kind: RoomKind, boards: Surface): Surface {
  if (WET.has(kind)) {
    const look = random.pick(["plain", "chequer", "mottled"] as const);
    const across = kind === "bathroom" ? 4 : 2;
    return paint.surface(`tiles_${across}_${look}`, random.pick(TILE_TONES), {
      texture: cover.tiles(across, look),
      repeatM: kind === "bathroom" ? 1 : 0.9,
    });
  }
  if (kind === "bedroom" && random.uniform() < 0.45) {
    return paint.surface("carpet", random.pick(CARPETS), { texture: cover.carpet(), repeatM: 0.8 });
  }
  if (kind === "corridor" && random.uniform() < 0.35) {
    return paint.surface("tiles_2_mottled", random.pick(TILE_TONES), {
      texture: cover.tiles(2, "mottled"),
      repeatM: 1.1,
    });
  }
  return boards;
}
