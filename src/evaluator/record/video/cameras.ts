import { ConfigError } from "../../../core/errors.js";
import { isImage, type Observation } from "../../../core/interfaces/observation.js";
import { isRecord } from "../../../core/record.js";
import { suggestion } from "../../../core/registry.js";
import type { TaskPlan } from "../../plan/prepare.js";

/** Maximum image width in pixels, for cameras that the benchmark configures and for default ones. */
const WIDEST_OWN = 480;
const WIDEST = 320;
/** Images side by side in a frame. */
const MOST_PICTURES = 3;

/** Usual names of colour cameras. */
const USUAL = ["rgb", "rgb_head", "rgb_wrist"];

/** Stands for the map among the names of cameras. */
export const MAP = "map";

/**
 * The `simulator:` section for a film: the colour cameras of the benchmark or the task at the film's size, else
 * the simulator's own. No other sensor is rendered.
 *
 * @param wanted names of cameras to show instead
 */
export function filmConfig(
  plan: TaskPlan,
  wanted?: readonly string[],
): Readonly<Record<string, unknown>> {
  const { simulatorConfig, task } = plan;
  const own = colourCameras(simulatorConfig.sensors ?? {});
  const usual = colourCameras(task.instance.sensorSuite.sensors);
  const names = defaultCameras(plan);
  const settingsOf = (name: string): Settings => {
    const found = own.find(([other]) => other === name);
    if (found) return narrowed(found[1], WIDEST_OWN);
    return narrowed(usual.find(([other]) => other === name)?.[1] ?? {}, WIDEST);
  };
  const shown = wanted ?? (own.length > 0 ? own.map(([name]) => name) : names);
  if (shown.length === 0) return simulatorConfig;
  const cameras = shown.filter((name) => name !== MAP).slice(0, MOST_PICTURES);
  const sensors = Object.fromEntries(cameras.map((name) => [name, settingsOf(name)]));
  return { ...simulatorConfig, sensors };
}

function defaultCameras({ simulator, simulatorConfig }: TaskPlan): readonly string[] {
  if (simulator?.filmCameras) return simulatorConfig.sensors ? [] : simulator.filmCameras;
  return USUAL.filter((name) => simulator?.sensors.includes(name));
}

/** The `simulator:` section with only the policy's colour cameras, unchanged, and their names. */
export function cameraConfig({ simulatorConfig, task }: TaskPlan): {
  readonly config: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
} {
  const own = colourCameras(simulatorConfig.sensors ?? {});
  const cameras = own.length > 0 ? own : colourCameras(task.instance.sensorSuite.sensors);
  const config = { ...simulatorConfig, sensors: Object.fromEntries(cameras) };
  return { config, names: cameras.map(([name]) => name) };
}

/** The colour cameras that a film of the task can show, and `map`; undefined if only the running simulator knows. */
function knownCameras({ simulatorConfig, simulator }: TaskPlan): readonly string[] | undefined {
  const own = colourCameras(simulatorConfig.sensors ?? {}).map(([name]) => name);
  const builtIn = simulator?.sensors.filter((name) => USUAL.includes(name)) ?? [];
  if (simulator?.isRemote || own.length + builtIn.length === 0) return undefined;
  return [...new Set([...own, ...builtIn, MAP])];
}

/**
 * Those of the wanted cameras that each task has, in the order of `plans`.
 *
 * @throws ConfigError if no task has one of them, or if they do not fit into a film
 */
export function camerasOf(plans: readonly TaskPlan[], wanted: readonly string[]): string[][] {
  const pictures = wanted.filter((name) => name !== MAP);
  if (pictures.length > MOST_PICTURES) {
    throw new ConfigError("too_many_cameras", `a film shows at most ${MOST_PICTURES} cameras`, {
      where: "--cameras",
      hint: `choose among ${pictures.join(", ")}`,
    });
  }
  const known = plans.map(knownCameras);
  for (const name of wanted) {
    if (known.some((names) => names?.includes(name) ?? true)) continue;
    throw new ConfigError("unknown_camera", `no task has a colour camera "${name}"`, {
      where: "--cameras",
      hint: suggestion(name, [...new Set(known.flatMap((names) => names ?? []))]),
    });
  }
  return known.map((names) => wanted.filter((name) => names?.includes(name) ?? true));
}

/** Names of the colour images in an observation; if there are none, of any images. */
export function picturesIn(observation: Observation): readonly string[] {
  const names = Object.keys(observation);
  const isPicture = (name: string) => {
    const value = observation[name];
    return isImage(value) && value.kind === "rgb";
  };
  // Reading a sensor may render it, so the likely names are tried first.
  const likely = names.filter((name) => name.startsWith("rgb")).filter(isPicture);
  return (likely.length > 0 ? likely : names.filter(isPicture)).slice(0, MOST_PICTURES);
}

type Settings = Readonly<Record<string, unknown>>;

function colourCameras(sensors: Settings): [string, Settings][] {
  return Object.entries(sensors).flatMap(([name, settings]): [string, Settings][] => {
    const own = isRecord(settings) ? settings : {};
    const isColour = own.type === "rgb" || USUAL.includes(name);
    return isColour ? [[name, own]] : [];
  });
}

/** Keeps the aspect ratio; 4:3, the simulators' default, if none is set. */
function narrowed(settings: Settings, widest: number): Settings {
  const width = typeof settings.width === "number" ? settings.width : 640;
  const height = typeof settings.height === "number" ? settings.height : (width * 3) / 4;
  const scale = Math.min(1, widest / width);
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2));
  return { ...settings, width: even(width), height: even(height) };
}
