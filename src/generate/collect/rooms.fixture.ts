import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { temporaryFolder } from "../../../test/support/cli.js";
import { objOf, TWO_ROOMS } from "../../../test/support/obj-scene.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { SceneFolder } from "../../dataset/scenes.js";
import { createRegistries, type Registries } from "../../registry/registries.js";
import { navmeshSimulatorFactory } from "../../simulator/navigation/navmesh.js";

/** An episode in two rooms with a door between them, in dataset form. */
export function roomsEpisode(id: string, from: Vec3, to: Vec3, more: object = {}) {
  return {
    episode_id: id,
    task_type: "vln",
    scene_id: "rooms.obj",
    start_state: { position: from, rotation: headingToQuatXyzw(0) },
    goals: { position: to },
    instruction: { text: `Go ${id}.` },
    reference_data: { path: [from, to] },
    ...more,
  };
}

/** Far, near, and far again with the instruction of the first. */
export const ROOMS_EPISODES = [
  roomsEpisode("through the door", [-1.5, 0, 1], [1.5, 0, 1]),
  roomsEpisode("ahead", [-2, 0, 2], [-2, 0, 0]),
  roomsEpisode("back", [1.5, 0, 0], [-1.5, 0, 1], {
    instruction: { text: "Go through the door." },
  }),
];

export const ROOMS_SENSORS = {
  rgb: { width: 32, height: 24 },
  depth: { width: 32, height: 24 },
  instruction: {},
  gps: {},
  compass: {},
};

export interface Rooms {
  readonly root: string;
  readonly yaml: string;
  /** Output folder; does not exist yet. */
  readonly out: string;
  /** The built-in registries with the simulator `rooms`. */
  readonly registries: () => Registries;
}

/** A folder with the scene, the episodes and a benchmark of them. */
export function makeRooms(
  options: {
    readonly type?: string;
    readonly episodes?: readonly object[];
    readonly sensors?: object;
    readonly task?: object;
    readonly more?: object;
  } = {},
): Rooms {
  const { type = "vln", episodes = ROOMS_EPISODES, sensors = ROOMS_SENSORS } = options;
  const root = temporaryFolder();
  const write = (name: string, content: string) => {
    writeFileSync(join(root, name), content);
    return join(root, name);
  };
  mkdirSync(join(root, "scenes"));
  write("scenes/rooms.obj", objOf(TWO_ROOMS));
  const data_path = write(
    "episodes.json",
    JSON.stringify({ format: "robot-eval-episodes/1", episodes }),
  );
  const benchmark = {
    benchmark: { name: "two rooms" },
    [`${type}_task`]: {
      type,
      config: { profile: "habitat", success_distance: 0.5, max_steps: 60, ...options.task },
    },
    simulator: { backend: "rooms", sensors },
    dataset: { [type]: { type, data_path } },
    ...options.more,
  };
  const scenes = new SceneFolder(join(root, "scenes"));
  return {
    root,
    yaml: write("benchmark.yaml", stringify(benchmark)),
    out: join(root, "out", "set"),
    registries() {
      const registries = createRegistries();
      registries.simulators.register("rooms", {
        ...navmeshSimulatorFactory,
        create: (given) => navmeshSimulatorFactory.create({ ...given, scenes }),
      });
      return registries;
    },
  };
}
