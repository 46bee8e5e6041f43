import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError, ProtocolError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { Pose3 } from "../../core/interfaces/manipulation-view.js";
import type {
  BaseSimulator,
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
  WorldGeometry,
} from "../../core/interfaces/simulator.js";
import type { StepState } from "../../core/interfaces/step.js";
import { suggestion } from "../../core/registry.js";
import type { FactNeeds } from "../../core/rules/needs.js";
import type { TaskConventions } from "../../core/task/conventions.js";
import { ActionSpace, type SensorConfig } from "../../core/task/types.js";
import { FactReader } from "../manipulation/facts/read.js";
import type { Engine } from "../manipulation/physics/engine/names.js";
import type { Physics, StateNoise } from "../manipulation/physics/physics.js";
import { cameraNamed, FrozenCameras } from "./cameras.js";
import { checkEngine } from "./check-engine.js";
import { frozenConfig } from "./config.js";
import { RobotController } from "./control/robot-controller.js";
import { geometryOfFrozen } from "./geometry.js";
import { isPoint, posesOfPoints, withoutPoints } from "./points.js";
import { FrozenReadings } from "./readings.js";
import { worldOfFrozen } from "./robot-world.js";
import { type FrozenStart, startOf } from "./start.js";
import { FrozenWorlds, type OpenWorld } from "./worlds.js";

/**
 * Plays worlds that `robot_eval_client.freeze` wrote from a Python benchmark: the same model, initial states, controllers
 * and observations, on the embedded MuJoCo.
 */
export class FrozenSimulator implements BaseSimulator {
  readonly recordsFacts = true;
  readonly #options: SimulatorOptions;
  /** Undefined: all observations of the world, without cameras. */
  readonly #asked: Readonly<Record<string, SensorConfig>> | undefined;
  readonly #engine: Engine;
  readonly #anyEngine: boolean;
  readonly #worlds: FrozenWorlds;
  #current: Current | undefined;
  #noise: StateNoise | undefined;
  /** Simulated time of the first observation. */
  #startS = 0;

  constructor(options: SimulatorOptions) {
    this.#options = options;
    const { sensors, engine, any_engine } = frozenConfig.parse(options.config);
    this.#asked = sensors;
    this.#engine = engine;
    this.#anyEngine = any_engine;
    this.#worlds = new FrozenWorlds(options.scenes?.within !== undefined, engine);
  }

  get actionSpace(): ActionSpace {
    return this.#current?.actionSpace ?? this.#options.task.actionSpace;
  }

  get conventions(): TaskConventions {
    const { description } = this.#current?.world ?? {};
    return description ? { ...description.conventions, control_hz: description.control.hz } : {};
  }

  /** Sensors that the benchmark lists and the current world lacks. */
  get missingSensors(): readonly string[] {
    return this.#current?.missing ?? [];
  }

  async reset(
    episode: BaseEpisode,
    { facts: needs }: Pick<ResetOptions, "facts"> = {},
  ): Promise<SimulatorFrame> {
    this.#current = undefined;
    const { scenes } = this.#options;
    if (!scenes) {
      throw new ConfigError("no_scenes", "the folder of the frozen worlds is not configured", {
        hint: "set simulator.scenes to the folder that robot_eval_client.freeze wrote",
      });
    }
    const world = await this.#worlds.open(await scenes.locate(episode.sceneId));
    const { engine } = world.description;
    if (!this.#anyEngine) await checkEngine(engine.version, this.#engine, world.path);
    const start = startOf(episode);
    world.physics.restore(start.state, start.model, `episode ${episode.episodeId}`);
    world.physics.setNoise(this.#noise);
    this.#current = this.#opened(episode, world, start, needs);
    for (const action of start.warm_up ?? []) this.#now.controller.step(action);
    this.#startS = world.physics.timeS();
    const frame = this.#frame();
    return { ...frame, state: { ...frame.state, scene_sha256: world.sha256 } };
  }

  /** Disturbs all physics steps of later episodes, to find out how sensitive they are; undefined: none. */
  setNoise(noise: StateNoise | undefined): void {
    this.#noise = noise;
  }

  step(action: Action): SimulatorFrame {
    if (typeof action === "string") {
      throw new ProtocolError("bad_action", `unknown action "${action}"; send a list of numbers`);
    }
    this.#now.controller.step(action);
    return this.#frame();
  }

  async geometry(known: ReadonlySet<string>): Promise<WorldGeometry | undefined> {
    const { world, start } = this.#current ?? {};
    // The model on disk has the bodies elsewhere then.
    if (!world || start?.model.body_pos || start?.model.body_quat) return undefined;
    return geometryOfFrozen(world, known);
  }

  close(): void {
    this.#current = undefined;
    this.#worlds.dispose();
  }

  #opened(
    episode: BaseEpisode,
    world: OpenWorld,
    start: FrozenStart,
    needs: FactNeeds | undefined,
  ): Current {
    const { physics, description } = world;
    const { action, cameras, observations } = description;
    const { dof } = this.#options.task.config;
    if (typeof dof === "number" && dof !== action.low.length) {
      throw new ConfigError(
        "wrong_dof",
        `the task's dof is ${dof}, but the frozen world's actions have ${action.low.length} numbers`,
        {
          where: world.path,
          hint: "omit dof in the task's config",
        },
      );
    }
    const asked = this.#asked ?? {};
    const names = Object.keys(this.#asked ?? observations);
    const read = names.filter((name) => Object.hasOwn(observations, name));
    const bodies = bodiesOf(world, needs, episode);
    const seen = worldOfFrozen(description, physics, bodies);
    const factNeeds = needs && withoutPoints(needs, description, episode);
    const points = Object.values(description.points);
    return {
      episode,
      world,
      start,
      bodies,
      actionSpace: new ActionSpace({
        name: "continuous",
        shape: [action.low.length],
        range: action.low.map((low, i) => [low, action.high[i] ?? low] as const),
      }),
      controller: new RobotController(physics, description, start),
      observed: read,
      readings: new FrozenReadings(physics, description, [...read, ...points], start),
      cameras: FrozenCameras.open(physics, cameras, asked),
      facts: factNeeds && new FactReader(physics, seen, factNeeds, episode),
      missing: Object.keys(asked).filter(
        (name) => name !== "instruction" && !read.includes(name) && !cameraNamed(name, cameras),
      ),
    };
  }

  get #now(): Current {
    if (!this.#current) throw new Error("the simulator has no episode; call reset() first");
    return this.#current;
  }

  #frame(): SimulatorFrame {
    const { episode, world, bodies, observed, readings, cameras, facts } = this.#now;
    const { physics, description } = world;
    const { robot } = description;
    const values = readings.read();
    const observation: Record<string, unknown> = { instruction: episode.instruction };
    for (const name of observed) observation[name] = values.get(name);
    cameras?.addTo(observation);
    const hand = physics.site(robot.site);
    const diverged = physics.diverged();
    const state: StepState = {
      qpos: robot.joints.map((joint) => physics.joint(joint)),
      qvel: robot.joints.map((joint) => physics.jointVelocity(joint)),
      ee_pose: [...hand.position, ...hand.rotation_wxyz],
      objects: { ...posesOf(bodies, physics), ...posesOfPoints(description, values) },
      sim_state: physics.wholeState(),
      ...(diverged === undefined ? {} : { error: `the physics diverged: ${diverged}` }),
    };
    return { observation, state, facts: facts?.read(), timeS: physics.timeS() - this.#startS };
  }
}

interface Current {
  readonly episode: BaseEpisode;
  readonly world: OpenWorld;
  readonly start: FrozenStart;
  /** Bodies whose poses are recorded. */
  readonly bodies: readonly string[];
  readonly actionSpace: ActionSpace;
  readonly controller: RobotController;
  /** Names of the readings that are observations. */
  readonly observed: readonly string[];
  readonly readings: FrozenReadings;
  readonly cameras: FrozenCameras | undefined;
  /** Undefined if no success rule is evaluated. */
  readonly facts: FactReader | undefined;
  readonly missing: readonly string[];
}

/** The objects of a world, and further bodies that the rule names. */
function bodiesOf(
  { physics, description }: OpenWorld,
  needs: FactNeeds | undefined,
  { episodeId }: BaseEpisode,
): readonly string[] {
  const named = [...(needs?.objects.keys() ?? [])].filter((name) => !isPoint(description, name));
  const all = [...new Set([...description.objects, ...named])];
  const unknown = all.find((name) => !physics.has("body", name));
  if (unknown === undefined) return all;
  throw new DataError("unknown_target", `the frozen world has no body "${unknown}"`, {
    where: `episode ${episodeId}, success_criteria`,
    hint: suggestion(unknown, [...description.objects, ...Object.keys(description.points)]),
  });
}

function posesOf(bodies: readonly string[], physics: Physics): Record<string, Pose3> {
  return Object.fromEntries(bodies.map((body) => [body, physics.body(body)]));
}
