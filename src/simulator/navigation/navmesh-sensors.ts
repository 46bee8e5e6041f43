import type { BaseEpisode } from "../../core/episode/base.js";
import type { Observation } from "../../core/interfaces/observation.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { SensorConfig } from "../../core/task/types.js";
import { type CameraSensor, Cameras, type Shot } from "./cameras.js";
import { goalImage } from "./goal-image.js";
import { compass, gps, type Pose } from "./kinematics.js";
import {
  CAMERA_KINDS,
  navmeshSensor,
  SENSOR_NAMES,
  type SensorSettings,
} from "./navmesh-config.js";
import type { LoadedScene } from "./scene-library.js";

/** The simulator state that one observation is computed from. */
interface SensorContext {
  readonly episode: BaseEpisode;
  readonly scene: LoadedScene;
  readonly start: Pose;
  readonly shot: Shot;
}

type Reading = (context: SensorContext, settings: SensorSettings, random: () => Random) => unknown;

const READINGS: Readonly<Record<string, Reading>> = {
  instruction: ({ episode }) => episode.instruction,
  objectgoal: ({ episode }) => episode.goals.object_category,
  gps: ({ start, shot }, { noise }, random) => noisy(gps(start, shot.pose.position), noise, random),
  compass: ({ start, shot }, { noise }, random) =>
    noisy([compass(start, shot.pose.headingRad)], noise, random),
  heading: ({ shot }, { noise }, random) => noisy([shot.pose.headingRad], noise, random)[0],
};

/** Computes the observations of the sensors that a benchmark configures. */
export class NavmeshSensors {
  /** Configured sensors that this simulator does not support. */
  readonly missing: readonly string[];
  readonly #readings: readonly (readonly [string, Reading, SensorSettings])[];
  readonly #cameras: Cameras;
  readonly #imageGoal: SensorSettings | undefined;

  constructor(asked: Readonly<Record<string, SensorConfig>>) {
    const settings = Object.entries(asked).map(
      ([name, config]) => [name, navmeshSensor.parse(config)] as const,
    );
    const cameras = settings.flatMap(([name, own]) => cameraOf(name, own) ?? []);
    this.#cameras = new Cameras(cameras);
    this.#readings = settings.flatMap(([name, own]) => {
      const reading = Object.hasOwn(READINGS, name) ? READINGS[name] : undefined;
      return reading ? [[name, reading, own] as const] : [];
    });
    this.#imageGoal = settings.find(([name]) => name === "imagegoal")?.[1];
    this.missing = settings
      .map(([name]) => name)
      .filter(
        (name) => !SENSOR_NAMES.includes(name) && !cameras.some((camera) => camera.name === name),
      );
  }

  observe(context: SensorContext): Observation {
    const { shot, scene, episode } = context;
    const observation: Record<string, unknown> = {};
    for (const [name, reading, settings] of this.#readings) {
      observation[name] = reading(context, settings, () => {
        return new Random(hash53(`${shot.seed}/${name}/${shot.step}`));
      });
    }
    this.#cameras.addTo(observation, scene, shot);
    const imageGoal = this.#imageGoal;
    if (imageGoal) {
      Object.defineProperty(observation, "imagegoal", {
        enumerable: true,
        get: () => goalImage(episode, scene, imageGoal),
      });
    }
    return observation;
  }
}

/** A camera is named after its kind, or has any name and a `type`. */
function cameraOf(name: string, settings: SensorSettings): CameraSensor | undefined {
  const kind = CAMERA_KINDS.find((known) => known === (settings.type ?? name));
  return kind && { name, kind, settings };
}

function noisy(values: readonly number[], deviation: number, random: () => Random): number[] {
  if (deviation === 0) return [...values];
  const source = random();
  return values.map((value) => value + deviation * source.normal());
}
