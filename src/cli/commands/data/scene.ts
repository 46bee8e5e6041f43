import { extname } from "node:path";
import { InvalidArgumentError } from "commander";
import { encodeImage } from "../../../api/codec/image.js";
import { ConfigError, DataError } from "../../../core/errors.js";
import { isImage } from "../../../core/interfaces/observation.js";
import { Random } from "../../../core/math/random.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { SceneFolder } from "../../../dataset/scenes.js";
import { writeAtomic } from "../../../runs/directory/files.js";
import { number } from "../../../runs/report/format.js";
import { axesPng } from "../../../simulator/maps/axes-view.js";
import { topDownPng, topDownSvg } from "../../../simulator/maps/top-down.js";
import { Cameras } from "../../../simulator/navigation/cameras.js";
import { CAMERA_KINDS, navmeshSensor } from "../../../simulator/navigation/navmesh-config.js";
import { type LoadedScene, sceneLibrary } from "../../../simulator/navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../../simulator/navmesh/settings.js";
import { toFalseColour } from "../../../simulator/render/false-colour.js";
import { boundsOf } from "../../../simulator/scenes/geometry.js";
import { writeGlb } from "../../../simulator/scenes/gltf/export-glb.js";
import { MAX_TEXTURE_SIDE } from "../../../simulator/scenes/texture-budget.js";
import { CliCommand } from "../../cli-command.js";
import { degrees } from "../../options.js";
import { printResult, say, table } from "../../output.js";
import { tellCheck } from "../../text/scene-check-text.js";

interface SceneFlags {
  readonly scenes: string;
  readonly glb?: string;
  readonly navmesh?: string;
  readonly map?: string;
  readonly picture?: string;
  readonly axes?: string;
  readonly sensor: (typeof CAMERA_KINDS)[number];
  readonly at?: Vec3;
  readonly heading: number;
  readonly hfov: number;
  readonly check?: boolean;
  readonly maxTextureSize?: number;
  readonly json?: boolean;
}

export function sceneCommand(): CliCommand {
  return new CliCommand("scene")
    .argument(
      "<scene>",
      "apartment/<seed>, the scene id or file of a .glb, .gltf, .obj or .scene_instance.json; with --check a folder",
    )
    .option("--check", "load every scene in a folder and report which fail")
    .option("--scenes <folder>", "folder in which scene ids are searched", "data")
    .output("--glb <file>", "write the scene as glTF", "file")
    .output("--navmesh <file>", "write its navmesh in Habitat's format", "file")
    .output("--map <file>", "draw a map from above, .svg or .png", "file")
    .output("--picture <file>", "render a camera image, .png or .jpg", "file")
    .output("--axes <file>", "draw the scene from outside with its axes and origin, .png", "file")
    .option("--sensor <kind>", `what camera: ${CAMERA_KINDS.join(", ")}`, sensor, "rgb")
    .option("--at <x,y,z>", "position of the camera's body (default: a random point)", point)
    .option("--heading <degrees>", "heading of the camera, to the left of -z", degrees, 0)
    .option("--hfov <degrees>", "the camera's field of view", fieldOfView, 90)
    .option("--max-texture-size <pixels>", "reduce textures to this side", textureSize)
    .option("--json", "print one JSON document")
    .remarks(`
Examples:
  robot-eval scene apartment/7 --map plan.svg --picture room.png --heading 90
  robot-eval scene mp3d/17DRP5sb8fy/17DRP5sb8fy.glb --scenes data/scene_datasets --axes axes.png
  robot-eval scene apartment/7 --glb apartment_7.glb --navmesh apartment_7.navmesh
  robot-eval scene --check data/scene_datasets/hssd-hab

With --check, the exit code is 4 if a scene fails.`)
    .action(show);
}

async function show(id: string, flags: SceneFlags): Promise<void> {
  if (flags.check) return checkScenes(id, flags);
  const { scenes, maxTextureSize } = flags;
  const options = { maxTextureSize };
  const scene = await sceneLibrary.scene(id, new SceneFolder(scenes), HABITAT_NAVMESH, options);
  try {
    const facts = factsOf(scene);
    printResult(flags.json, facts, factsText);
    for (const warning of scene.warnings) say(`note: ${warning}`);
    for (const [file, bytes] of await picturesOf(scene, flags)) {
      await writeAtomic(file, bytes, "now");
      say(`wrote ${file}`);
    }
  } finally {
    scene.release();
  }
}

async function checkScenes(folder: string, flags: SceneFlags): Promise<void> {
  const other = (["glb", "navmesh", "map", "picture", "axes"] as const).find((key) => flags[key]);
  if (other) {
    throw new ConfigError("bad_option", `--check cannot be combined with --${other}`, {
      hint: "give a single scene to draw or export it",
    });
  }
  const { checkFolder } = await import("../../../simulator/navigation/check-folder.js");
  const { maxTextureSize } = flags;
  const found = await checkFolder(folder, { maxTextureSize }, (scene, i, count) => {
    if (process.stderr.isTTY) say(`${i + 1} of ${count}: ${scene}`);
  });
  if (tellCheck(folder, found, flags.json)) process.exitCode = 4;
}

async function picturesOf(
  scene: LoadedScene,
  { glb, navmesh, map, picture, axes, ...shot }: SceneFlags,
): Promise<[file: string, bytes: Uint8Array | string][]> {
  const files: [string, Uint8Array | string][] = [];
  if (glb !== undefined) files.push([glb, await writeGlb(scene.model)]);
  if (navmesh !== undefined) files.push([navmesh, scene.navMesh.save()]);
  if (map !== undefined) {
    const plan = { surface: scene.navMesh.surface(), model: scene.model, title: scene.id };
    const ending = endingOf(map, [".svg", ".png"]);
    files.push([map, ending === ".svg" ? topDownSvg(plan) : await topDownPng(plan)]);
  }
  if (picture !== undefined) {
    const format = endingOf(picture, [".png", ".jpg", ".jpeg"]) === ".png" ? "png" : "jpeg";
    files.push([picture, await encodeImage(photograph(scene, shot), format)]);
  }
  if (axes !== undefined) {
    endingOf(axes, [".png"]);
    files.push([axes, await axesPicture(scene)]);
  }
  return files;
}

function axesPicture({ id, model, renderer, orientation }: LoadedScene): Promise<Uint8Array> {
  const bounds = boundsOf(model.parts);
  const extent = ["x", "y", "z"].map((name, i) => {
    const [low = 0, high = 0] = [bounds.min[i], bounds.max[i]];
    return `${name} ${low.toFixed(2)} to ${high.toFixed(2)} m`;
  });
  const notes = [
    `in Habitat's axes: y up, -z ahead, x right; ${extent.join(", ")}`,
    ...(orientation ? [axesText(orientation)] : []),
  ];
  return axesPng({ renderer, bounds, title: id, notes });
}

/** What each rule for the axes of a file is called; see docs/scenes.md. */
const BECAUSE = {
  stage_config: "as its configuration says",
  scan_dataset: "as in all scans of this data set",
  gltf: "as in glTF",
  navmesh: "as its .navmesh requires",
} as const;

function axesText({ up, front, because, config }: NonNullable<LoadedScene["orientation"]>): string {
  const from = config === undefined ? "" : ` (${config})`;
  return `axes of the file: up ${axisName(up)}, ahead ${axisName(front)}, ${BECAUSE[because]}${from}`;
}

function axisName(axis: Vec3): string {
  const i = axis.findIndex((value) => Math.abs(value) > 0.999);
  return i < 0 ? `[${axis.map(number).join(", ")}]` : `${(axis[i] ?? 0) < 0 ? "-" : ""}${"xyz"[i]}`;
}

function photograph(
  scene: LoadedScene,
  flags: Pick<SceneFlags, "sensor" | "at" | "heading" | "hfov">,
) {
  const { sensor: kind, hfov, heading } = flags;
  const asked = flags.at ?? scene.navMesh.randomPoint(new Random(0));
  const position = scene.navMesh.snap(asked);
  if (!position) {
    throw new DataError("off_mesh", `[${asked.join(", ")}] is not near the floor`, {
      where: "--at",
      hint: "omit it for a random point, or see --map",
    });
  }
  const observation: Record<string, unknown> = {};
  const settings = navmeshSensor.parse({ hfov });
  new Cameras([{ name: "picture", kind, settings }]).addTo(observation, scene, {
    pose: { position, headingRad: (heading * Math.PI) / 180 },
    tiltRad: 0,
    seed: 0,
    step: 0,
  });
  const image = observation.picture;
  if (!isImage(image)) throw new Error("the camera returned no image");
  return toFalseColour(image);
}

function factsOf({ id, model, navMesh, sha256, cost, orientation }: LoadedScene) {
  const categories: Record<string, number> = {};
  for (const { category } of model.instances) {
    categories[category] = (categories[category] ?? 0) + 1;
  }
  return {
    scene_id: id,
    triangles: cost.triangles,
    geometry_bytes: cost.geometryBytes,
    textures: cost.textures,
    texture_bytes: cost.textureBytes,
    rooms: model.rooms.map(({ name, kind }) => ({ name, kind })),
    things: categories,
    navmesh: {
      polygons: navMesh.polygonCount,
      area_m2: navMesh.areaM2,
      min: navMesh.bounds.min,
      max: navMesh.bounds.max,
    },
    // Generated scenes have no file, hence no axes of their own.
    ...(orientation && { axes: orientation }),
    sha256,
  };
}

function factsText({
  scene_id,
  triangles,
  geometry_bytes,
  textures,
  texture_bytes,
  rooms,
  things,
  navmesh,
  axes,
}: ReturnType<typeof factsOf>): string {
  const extent = navmesh.max.map((value, i) => number(value - (navmesh.min[i] ?? 0))).join(" x ");
  return [
    scene_id,
    table(
      ["what", "number"],
      [
        ["triangles", String(triangles)],
        ["geometry, decoded MB", number(geometry_bytes / 1e6)],
        ["textures", String(textures)],
        ["textures, decoded MB", number(texture_bytes / 1e6)],
        ["rooms", String(rooms.length)],
        ["walkable m2", number(navmesh.area_m2)],
        ["navmesh polygons", String(navmesh.polygons)],
      ],
    ),
    `extent ${extent} m`,
    ...(axes ? [axesText(axes)] : []),
    ...(rooms.length > 0 ? [`rooms: ${rooms.map(({ name }) => name).join(", ")}`] : []),
    `things: ${Object.entries(things)
      .map(([category, count]) => `${count} ${category}`)
      .join(", ")}`,
  ].join("\n");
}

function endingOf(file: string, valid: readonly string[]): string {
  const ending = extname(file).toLowerCase();
  if (valid.includes(ending)) return ending;
  throw new ConfigError("bad_out", `"${ending}" is not a supported file extension`, {
    where: file,
    hint: `valid: ${valid.join(", ")}`,
  });
}

function sensor(text: string) {
  const kind = CAMERA_KINDS.find((name) => name === text);
  if (!kind) throw new InvalidArgumentError(`valid: ${CAMERA_KINDS.join(", ")}.`);
  return kind;
}

function textureSize(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 16 && value <= MAX_TEXTURE_SIDE) return value;
  throw new InvalidArgumentError(`expected a whole number from 16 to ${MAX_TEXTURE_SIDE}.`);
}

function fieldOfView(text: string): number {
  const value = degrees(text);
  if (value > 0 && value < 180) return value;
  throw new InvalidArgumentError("expected more than 0 and less than 180 degrees.");
}

function point(text: string): Vec3 {
  const [x, y, z, ...rest] = text.split(",").map(Number);
  const all = [x, y, z];
  if (rest.length > 0 || !all.every((value) => Number.isFinite(value))) {
    throw new InvalidArgumentError("expected three numbers with commas between them: 1.5,0,-2.");
  }
  return [x ?? 0, y ?? 0, z ?? 0];
}
