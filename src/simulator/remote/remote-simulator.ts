import { NdArray } from "../../api/codec/ndarray.js";
import { PeerError } from "../../api/websocket/peer-error.js";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type {
  BaseSimulator,
  ResetOptions,
  SimulatorFrame,
  SimulatorOptions,
  WorldGeometry,
} from "../../core/interfaces/simulator.js";
import type { BaseTask } from "../../core/task/base.js";
import { commonConventions, type TaskConventions } from "../../core/task/conventions.js";
import type { ActionSpace } from "../../core/task/types.js";
import { type RemoteConfig, remoteConfig } from "./config.js";
import { geometryFrom } from "./geometry.js";
import { IdleWorlds } from "./idle-worlds.js";
import type { SimCapabilities, SimMessageOf, SimTask } from "./messages.js";
import type { Purpose } from "./process.js";
import type { Greeting } from "./session.js";
import { actionSpaceOf, observationOf, stepState } from "./state.js";
import { World } from "./world.js";

/** Results wait for the geometry, so a simulator that takes longer is ignored. */
const GEOMETRY_MS = 20_000;

/** Shared within this thread. */
const idle = new IdleWorlds();

/**
 * A world in another process, usually Python, with its own success check. If the simulator crashes or hangs,
 * the current episode fails and the next one gets a new process.
 */
export class RemoteSimulator implements BaseSimulator {
  readonly #config: RemoteConfig;
  readonly #purpose: Purpose;
  readonly #task: BaseTask;
  readonly #taskDict: SimTask;
  /** Worlds with equal keys are interchangeable. */
  readonly #key: string;
  /** What the last world reported about itself. */
  #known: { readonly capabilities: SimCapabilities; readonly actionSpace: ActionSpace } | undefined;
  #world: World | undefined;
  #isAsking = false;
  #opening: AbortController | undefined;
  /** Counts episodes, to recognise late answers. */
  #turn = 0;

  private constructor({ task, taskName, config, logFolder }: SimulatorOptions) {
    this.#config = remoteConfig.parse(config);
    this.#task = task;
    const { taskType: type } = task;
    this.#taskDict = { name: taskName ?? type, type, config: { ...task.config } };
    this.#purpose = { task: taskName ?? type, logFolder };
    const { url, command, env, cwd } = this.#config;
    this.#key = JSON.stringify([url, command, env, cwd]);
  }

  /** Starts the simulator or connects to it, so that a broken setup fails before a run begins. */
  static async open(options: SimulatorOptions): Promise<RemoteSimulator> {
    const simulator = new RemoteSimulator(options);
    simulator.#world = await simulator.#enter();
    simulator.rest();
    return simulator;
  }

  get actionSpace(): ActionSpace {
    return this.#last.actionSpace;
  }

  get deterministic(): boolean {
    return this.#last.capabilities.deterministic;
  }

  get conventions(): TaskConventions {
    const { conventions, control_hz } = this.#last.capabilities;
    return {
      ...commonConventions(this.actionSpace),
      ...conventions,
      ...(control_hz === undefined ? {} : { control_hz }),
    };
  }

  get missingSensors(): readonly string[] {
    const { sensors } = this.#last.capabilities;
    return Object.keys(this.#config.sensors ?? {}).filter((name) => !Object.hasOwn(sensors, name));
  }

  async reset(episode: BaseEpisode, { seed }: ResetOptions): Promise<SimulatorFrame> {
    const turn = ++this.#turn;
    if (!this.#world?.session.isAlive) {
      // A simulator that ended between two episodes did not fail any of them.
      await this.#world?.close({ failed: true });
      this.#world = undefined;
      const world = await this.#enter();
      if (turn !== this.#turn) {
        await world.close({ failed: true });
        throw new PeerError("abandoned", "the reset was abandoned before the simulator was ready");
      }
      this.#world = world;
    }
    return this.#ask(
      {
        type: "reset",
        episode: episode.toDict(),
        // The range that NumPy's and Gymnasium's generators accept.
        seed: seed % 2 ** 32,
        task: this.#taskDict,
      },
      this.#config.reset_timeout_s,
    );
  }

  step(action: Action): Promise<SimulatorFrame> {
    const sent = typeof action === "string" ? action : NdArray.of(action);
    return this.#ask({ type: "step", action: sent }, this.#config.step_timeout_s);
  }

  async geometry(known: ReadonlySet<string>): Promise<WorldGeometry | undefined> {
    const session = this.#world?.session;
    if (!session?.isAlive || this.#isAsking || !this.#last.capabilities.geometry) return undefined;
    this.#isAsking = true;
    try {
      const waitMs = Math.min(GEOMETRY_MS, this.#config.reset_timeout_s * 1000);
      return await geometryFrom(session, known, waitMs);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Releases the process, so that the next episode may use it for another task. */
  rest(): void {
    if (!this.#world?.session.isAlive || this.#isAsking) return;
    idle.add(this.#key, this.#world, this);
    this.#world = undefined;
  }

  async close(): Promise<void> {
    this.#turn++;
    this.#opening?.abort(
      new PeerError("connection_closed", "the simulator was closed while it was starting"),
    );
    const world = this.#world ?? idle.takeOwn(this.#key, this);
    this.#world = undefined;
    await world?.close({ failed: this.#isAsking || !world.session.isAlive });
  }

  get #last(): { readonly capabilities: SimCapabilities; readonly actionSpace: ActionSpace } {
    if (!this.#known) throw new Error("the simulator is not connected yet");
    return this.#known;
  }

  async #ask(
    question: Parameters<World["session"]["ask"]>[0],
    timeoutS: number,
  ): Promise<SimulatorFrame> {
    const world = this.#world;
    if (!world) throw new Error("the simulator has no episode; call reset() first");
    this.#isAsking = true;
    let frame: SimMessageOf<"frame">;
    try {
      frame = await world.session.ask(question, timeoutS * 1000);
    } catch (error) {
      throw await world.explained(error);
    } finally {
      this.#isAsking = false;
    }
    const { observation, state, done, time_s } = frame;
    return {
      observation: observationOf(observation, this.#last.capabilities.sensors),
      state: stepState(state, done),
      ...(time_s === undefined ? {} : { timeS: time_s }),
    };
  }

  async #enter(): Promise<World> {
    const opening = new AbortController();
    this.#opening = opening;
    try {
      const world = await this.#findWorld(opening.signal);
      const { capabilities } = world.session.hello;
      const actionSpace = actionSpaceOf(capabilities.action_space);
      try {
        this.#checkDof(actionSpace, world.session.url);
      } catch (error) {
        await world.close({ failed: false });
        throw error;
      }
      this.#known = { capabilities, actionSpace };
      return world;
    } finally {
      this.#opening = undefined;
    }
  }

  /** Returns an idle world, or opens a new one. */
  async #findWorld(signal: AbortSignal): Promise<World> {
    for (let found = idle.take(this.#key, this); found; found = idle.take(this.#key, this)) {
      const { world, isOwn } = found;
      if (world.session.isAlive) {
        if (isOwn) return world;
        return await world.again(this.#config, this.#greeting, this.#purpose, signal);
      }
      await world.close({ failed: true });
    }
    return World.open(this.#config, this.#greeting, this.#purpose, signal);
  }

  get #greeting(): Greeting {
    const { sensors } = this.#config;
    const token = process.env.ROBOT_EVAL_SIM_TOKEN;
    return {
      client: { name: "robot-eval", version: "1" },
      task: this.#taskDict,
      ...(sensors ? { sensors: Object.keys(sensors), sensor_config: sensors } : {}),
      ...(token ? { token } : {}),
    };
  }

  /** Reports a mismatched action size before anything runs. */
  #checkDof({ name, size }: ActionSpace, where: string): void {
    const { dof } = this.#task.config;
    if (typeof dof !== "number" || (name === "continuous" && dof === size)) return;
    throw new ConfigError(
      "wrong_dof",
      `the task's dof is ${dof}, but the simulator's actions are ${name === "discrete" ? "names" : `vectors of ${size} numbers`}`,
      { where, hint: "omit dof, or configure another robot in the simulator" },
    );
  }
}
