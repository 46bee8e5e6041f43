import type { LoadedConfig } from "../../config/load.js";
import { ConfigError } from "../../core/errors.js";
import type { SensorNames } from "../../core/interfaces/result.js";
import type { SimulatorFactory } from "../../core/interfaces/simulator.js";
import { suggestion } from "../../core/registry.js";
import type { BaseTask } from "../../core/task/base.js";
import { chosenSensors, OTHER_SENSORS, type Sensors } from "../../core/task/sensors.js";
import type { SensorConfig } from "../../core/task/types.js";
import type { Registries } from "../../registry/registries.js";
import type { ResolvedTask } from "../../registry/resolved-task.js";

/** The sensors of one task in a benchmark. */
export interface TaskSensors {
  /** For the simulator; undefined if the benchmark does not configure sensors. */
  readonly requested: Sensors | undefined;
  /** What observations contain; null if only the running simulator knows. */
  readonly received: Sensors | null;
  /** Requested sensors that the simulator does not have. */
  readonly missing: readonly string[];
}

/** Combines the sensors of a task with `simulator.sensors` and with those that the simulator has. */
export function sensorsOf(
  loaded: LoadedConfig,
  { instance: task, isComplete }: Pick<ResolvedTask, "instance" | "isComplete">,
  simulator: SimulatorFactory | undefined,
): TaskSensors {
  const { sensors: choices } = loaded.config.simulator;
  if (!simulator || hasUnknownSensors(simulator)) {
    const requested = choices && chosenSensors(choices, {});
    return { requested, received: simulator ? null : {}, missing: [] };
  }
  const has = ([name, settings]: readonly [string, SensorConfig]) =>
    hasSensor(simulator, name, settings, task) || (!isComplete && simulator.sensors.includes(name));
  const suite = Object.entries(usualSensors(simulator, task)).filter(has);
  const requested = choices && chosenSensors(choices, Object.fromEntries(suite));
  const asked = requested ? Object.entries(requested) : suite;
  return {
    requested,
    received: Object.fromEntries(asked.filter(has)),
    missing: asked.filter((sensor) => !has(sensor)).map(([name]) => name),
  };
}

/** Whether a simulator has a sensor for a task; true if only the running simulator knows. */
export function hasSensor(
  simulator: SimulatorFactory,
  name: string,
  settings: SensorConfig,
  task: BaseTask,
): boolean {
  if (hasUnknownSensors(simulator)) return true;
  return simulator.hasSensor?.(name, settings, task) ?? simulator.sensors.includes(name);
}

interface Simulated {
  readonly task: { readonly instance: BaseTask };
  readonly simulator: SimulatorFactory | undefined;
}

/** Rejects a switch without effect: of a sensor that neither a task of the benchmark nor any simulator has. */
export function checkSwitches(
  loaded: LoadedConfig,
  tasks: readonly Simulated[],
  { simulators }: Registries,
): void {
  const choices = Object.entries(loaded.config.simulator.sensors ?? {});
  const known = new Set([
    ...tasks.flatMap(({ task }) => task.instance.sensorSuite.names()),
    ...[...simulators.entries()].flatMap(([, { sensors }]) => sensors),
  ]);
  const isUnknown = tasks.some(({ simulator }) => simulator && hasUnknownSensors(simulator));
  for (const [name, settings] of choices) {
    if (settings !== false || name === OTHER_SENSORS) continue;
    if (known.has(name) && !isUnknown) continue;
    throw new ConfigError("unknown_sensor", `there is no sensor "${name}" to switch off`, {
      where: loaded.locate(["simulator", "sensors", name]),
      hint: isUnknown
        ? "only the running simulator knows its sensors: list those to observe, and remove the others"
        : suggestion(name, [...known]),
    });
  }
}

/** What the policy receives, by task. */
export function sensorNames(
  tasks: readonly { readonly task: { readonly name: string }; readonly sensors: TaskSensors }[],
): SensorNames {
  return Object.fromEntries(
    tasks.map(({ task, sensors: { received } }) => [
      task.name,
      received === null ? null : Object.keys(received),
    ]),
  );
}

/** One line: `rgb 640x480, instruction, gps`. */
export function sensorText({ received }: TaskSensors): string {
  if (received === null) return "what its simulator reports";
  const names = Object.entries(received).map(([name, { width, height }]) =>
    width === undefined || height === undefined ? name : `${name} ${width}x${height}`,
  );
  return names.length > 0 ? names.join(", ") : "nothing";
}

/** The sensors of a remote simulator are unknown until its process runs, and a plugin need not list its sensors. */
function hasUnknownSensors({ isRemote, sensors }: SimulatorFactory): boolean {
  return isRemote === true || sensors.length === 0;
}

function usualSensors({ observesAll, sensors }: SimulatorFactory, task: BaseTask): Sensors {
  if (!observesAll) return task.sensorSuite.sensors;
  return Object.fromEntries(sensors.map((name) => [name, {}]));
}
