import type { SensorConfig } from "./types.js";

/** Sensors by name, with their settings. */
export type Sensors = Readonly<Record<string, SensorConfig>>;

/** `simulator.sensors` of a benchmark: the settings of a sensor, or false to switch it off. */
export type SensorChoices = Readonly<Record<string, SensorConfig | false>>;

/** The key of `simulator.sensors` for all sensors that it does not name; its only value is false. */
export const OTHER_SENSORS = "*";

const CAMERA = /^(rgb|depth|semantic)(_|$)/;

/** A camera is named after its kind (`rgb`, `depth_wrist`), or has any name and a `type`. */
function isCamera(name: string, { type }: SensorConfig): boolean {
  return CAMERA.test(typeof type === "string" ? type : name);
}

/**
 * The sensors of a task as a benchmark configures them. Named sensors are used with their settings. Of the usual ones,
 * those that are no cameras stay unless they are switched off; cameras stay only if the benchmark names no sensor and
 * merely switches some off, because images are expensive and a benchmark lists the ones it wants.
 *
 * @param usual the sensors without any choice
 * @example
 * const usual = { rgb: {}, depth: {}, gps: {}, compass: {} };
 * chosenSensors({ rgb: { width: 64 }, gps: false }, usual); // { rgb: { width: 64 }, compass: {} }
 */
export function chosenSensors(choices: SensorChoices, usual: Sensors): Sensors {
  const isNamed = (name: string) => Object.hasOwn(choices, name);
  const named = Object.entries(choices).flatMap(([name, settings]): [string, SensorConfig][] =>
    settings === false ? [] : [[name, settings]],
  );
  const onlySwitches = named.length === 0 && Object.keys(choices).length > 0;
  const kept = Object.entries(usual).filter(
    ([name, settings]) =>
      !isNamed(name) && !isNamed(OTHER_SENSORS) && (onlySwitches || !isCamera(name, settings)),
  );
  return Object.fromEntries([...named, ...kept]);
}
