import { ConfigError } from "../../core/errors.js";
import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import {
  CATALOGUE_MODELS,
  catalogueModel,
} from "../../simulator/manipulation/objects/catalogue/catalogue.js";
import type { CatalogueModel } from "../../simulator/manipulation/objects/catalogue/model.js";
import {
  type ObjectSplit,
  splitOf,
} from "../../simulator/manipulation/objects/catalogue/splits.js";
import { isApartment } from "../../simulator/navigation/find-scene.js";
import type { SceneModel } from "../../simulator/scenes/model.js";
import type { Receptacle } from "../../simulator/scenes/receptacles.js";
import { rounded } from "../ground.js";
import type { EpisodeDraft, EpisodeMaker, Setting } from "../sampler.js";
import { type Described, furnitureOf, instructionOf } from "./instruction.js";
import type { OpenedDrawer } from "./opened-drawer.js";
import { type Spot, Spots } from "./spots.js";

/** Space between a surface and what is put on it, so that rounding does not make them overlap. */
const GAP_M = 0.001;
/** Shortest way with the object, so that carrying it is a part of the task. */
const MIN_CARRY_M = 2;
/** Share of the episodes with another object of the same category. */
const LOOKALIKE = 0.4;

interface Placed {
  readonly name: string;
  readonly model: CatalogueModel;
  readonly spot: Spot;
  readonly yawRad: number;
}

/** Makes episodes in which the robot carries an object from one piece of furniture to another. */
export function rearrangeMaker(split: ObjectSplit): EpisodeMaker {
  const models = CATALOGUE_MODELS.map(catalogueModel).filter(({ name, category }) => {
    return splitOf(category, Number(name.split("/")[1])) === split;
  });
  return (setting, count) => {
    const { model, sampler, drawer } = setting;
    if (!isApartment(model.id)) throw notAnApartment(model.id);
    const scene = {
      setting,
      models,
      targets: models.filter(({ grasp }) => grasp.kind === "sides"),
      spots: new Spots(setting, sampler.island),
      furniture: [...furnitureOf(model), ...(drawer ? [describedDrawer(model, drawer)] : [])],
    };
    return sampler.collect(count, () => Promise.resolve(drawEpisode(scene)));
  };
}

function notAnApartment(sceneId: string): ConfigError {
  return new ConfigError("no_physics", "rearrange episodes are generated in apartments only", {
    where: `--scenes ${sceneId}`,
    hint: "write apartment for new ones, or apartment/100-119",
  });
}

interface Scene {
  readonly setting: Setting;
  readonly models: readonly CatalogueModel[];
  /** Those that the robot may have to carry. Rims turn between the fingers, so the expert drops bowls and plates. */
  readonly targets: readonly CatalogueModel[];
  readonly spots: Spots;
  readonly furniture: readonly Described[];
}

function drawEpisode(scene: Scene): EpisodeDraft | undefined {
  const { setting, targets, spots, furniture } = scene;
  const { sampler, drawer } = setting;
  const { random, draws } = sampler;
  const target = pickModel(random, targets);
  const [from, to] = drawEnds(random, spots);
  if (from.category === to.category) return draws.reject("same kind of furniture");
  const [source, goal] = [from, to].map((one) => furniture.find(({ name }) => name === one.name));
  if (!source || !goal) return draws.reject("no name for the furniture");
  const start = spots.draw(random, from, target, []);
  const end = start && spots.draw(random, to, target, [start]);
  if (!start || !end) return draws.reject("no room for the object");
  const [docks, goalDocks] = [spots.docks(start), spots.docks(end)];
  const way = wayOf(setting, docks, goalDocks);
  if (!way) return undefined;
  const first = placed(random, target, start, []);
  const objects = withOthers(scene, first, end);
  const roomOf = ({ receptacle: { name } }: Spot) =>
    furniture.find((one) => one.name === name)?.room;
  const described = objects.map(({ name, model: { category, colorName }, spot }) => {
    return { name, category, color: colorName, room: roomOf(spot) };
  });
  const [object] = described;
  if (!object) return undefined;
  const errand = { object, objects: described, source, goal, furniture };
  const text = instructionOf(random, errand);
  if (text === undefined) return draws.reject("no words for the goal");
  return {
    taskType: "rearrange",
    sceneId: setting.model.id,
    startState: { base_pose: way.basePose },
    goals: {
      target_object: { name: first.name, category: target.category },
      start_receptacle: receptacleDict(from),
      target_location: { receptacle: to.name, category: to.category },
      candidates: {
        objects: [candidateDict(first.name, target.category, start, docks)],
        start_receptacles: [candidateDict(from.name, from.category, start, docks)],
        goal_receptacles: [candidateDict(to.name, to.category, end, goalDocks)],
      },
      success_criteria: { type: "rearranged" },
    },
    instruction: { text },
    taskConfig: {
      robot_config: { robot_type: "stretch_mobile" },
      scene_objects: random.shuffle(objects).map(objectDict),
      ...(drawer ? { drawers: [{ name: drawer.receptacle.name, opened: drawer.openedM }] } : {}),
      geodesic_distance: rounded(way.lengthM),
    },
  };
}

/** Where the object starts and where it goes; one of both is the open drawer, if there is one. */
function drawEnds(random: Random, spots: Spots): readonly [from: Receptacle, to: Receptacle] {
  const { drawer, receptacles } = spots;
  if (!drawer) return [random.pick(firmOf(spots)), random.pick(receptacles)];
  if (random.uniform() < 0.5) return [drawer, random.pick(receptacles)];
  return [random.pick(firmOf(spots)), drawer];
}

function describedDrawer({ rooms }: SceneModel, { receptacle }: OpenedDrawer): Described {
  const { name, category, room } = receptacle;
  return { name, category, room: rooms.find((one) => one.name === room)?.kind };
}

/** Their cushions are not level, so that nothing is put there to begin with. */
const SOFT: readonly string[] = ["bed", "couch"];

function firmOf({ receptacles }: Spots): readonly Receptacle[] {
  return receptacles.filter(({ category }) => !SOFT.includes(category));
}

/** A category first, so that those with few models are as frequent as others. */
function pickModel(random: Random, models: readonly CatalogueModel[]): CatalogueModel {
  const categories = [...new Set(models.map(({ category }) => category))];
  const category = random.pick(categories);
  return random.pick(models.filter((model) => model.category === category));
}

/** A start, and the length of the shortest way from there to the object and to the goal. */
function wayOf(
  { ground, sampler }: Setting,
  docks: readonly Vec3[],
  goalDocks: readonly Vec3[],
): { readonly basePose: [number, number, number]; readonly lengthM: number } | undefined {
  const { draws, random } = sampler;
  if (docks.length === 0) return draws.reject("object out of reach");
  if (goalDocks.length === 0) return draws.reject("goal out of reach");
  const start = sampler.place();
  if (!start) return undefined;
  const thetaRad = rounded((2 * random.uniform() - 1) * Math.PI);
  const dock = docks.reduce((best, one) =>
    ground.distance(start, one) < ground.distance(start, best) ? one : best,
  );
  const carryM = ground.distanceToAny(dock, goalDocks);
  if (carryM < MIN_CARRY_M) return draws.reject("goal too near the object");
  const lengthM = ground.distance(start, dock) + carryM;
  if (!sampler.fits(lengthM, 0)) return undefined;
  return { basePose: [rounded(start[0]), rounded(0 - start[2]), thetaRad], lengthM };
}

/** The target first, then two to five others on any furniture. */
function withOthers({ setting, models, spots }: Scene, target: Placed, end: Spot): Placed[] {
  const { random } = setting.sampler;
  const all = [target];
  const lookalikes = models.filter(
    ({ category, name }) => category === target.model.category && name !== target.model.name,
  );
  const wanted: CatalogueModel[] = [];
  if (random.uniform() < LOOKALIKE && lookalikes.length > 0) wanted.push(random.pick(lookalikes));
  const others = models.filter(({ category }) => category !== target.model.category);
  const count = 2 + random.below(3);
  for (let i = 0; i < count; i++) wanted.push(pickModel(random, others));
  for (const model of wanted) {
    // Half of the others stand where the robot has to work.
    const near = random.pick([target.spot.receptacle, end.receptacle]);
    const receptacle = random.uniform() < 0.5 ? near : random.pick(firmOf(spots));
    if (SOFT.includes(receptacle.category)) continue;
    const taken = [...all.map(({ spot }) => spot), end];
    const spot = spots.draw(random, receptacle, model, taken);
    if (spot && all.every((other) => other.model.name !== model.name)) {
      all.push(placed(random, model, spot, all));
    }
  }
  return all;
}

function placed(
  random: Random,
  model: CatalogueModel,
  spot: Spot,
  others: readonly Placed[],
): Placed {
  const base = `${model.category}_${model.colorName}`;
  const number = 1 + others.filter(({ name }) => name.startsWith(base)).length;
  return { name: `${base}_${number}`, model, spot, yawRad: 2 * Math.PI * random.uniform() };
}

function receptacleDict({ name, category }: Receptacle) {
  return { name, category };
}

/** Number of poses that an episode names for each object and receptacle. */
const VIEW_POINTS = 6;

/** As in OVMM: a thing and poses [x, y, theta] from which the robot faces and reaches it. */
function candidateDict(name: string, category: string, { point }: Spot, docks: readonly Vec3[]) {
  const every = Math.max(1, docks.length / VIEW_POINTS);
  const chosen = docks.filter((_, i) => Math.floor(i / every) > Math.floor((i - 1) / every));
  return {
    name,
    category,
    position: [rounded(point[0]), rounded(0 - point[2]), rounded(point[1])],
    view_points: chosen.map(([x, , z]) => [
      rounded(x),
      rounded(0 - z),
      rounded(Math.atan2(z - point[2], point[0] - x)),
    ]),
  };
}

/** MuJoCo's axes: y is -z of the scene, z is up. */
function objectDict({ name, model, spot: { point }, yawRad }: Placed) {
  const z = point[1] + model.shape.sizeM[2] / 2 + GAP_M;
  return {
    name,
    model: model.name,
    position: [rounded(point[0]), rounded(0 - point[2]), rounded(z)],
    yaw: rounded(yawRad),
    color: model.colorName,
  };
}
