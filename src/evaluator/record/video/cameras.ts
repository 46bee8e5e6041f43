import { isImage, type Observation } from "../../../core/interfaces/observation.js";
import { isRecord } from "../../../core/record.js";
import type { TaskPlan } from "../../plan/prepare.js";

/** Maximum image width in pixels, for cameras that the benchmark configures and for default ones. */
const WIDEST_OWN = 480;
const WIDEST = 320;
/** Images side by side in a frame. */
const MOST_PICTURES = 3;

/** Usual names of colour cameras. */
const USUAL = ["rgb", "rgb_head", "rgb_wrist"];

/**
 * The `simulator:` section for a film: the colour cameras of the benchmark or the task at the film's size, else
 * the simulator's own. No other sensor is rendered.
 */
export function filmConfig(plan: TaskPlan): Readonly<Record<string, unknown>> {
  const { simulatorConfig, task, simulator } = plan;
  const own = colourCameras(simulatorConfig.sensors ?? {});
  const usual = colourCameras(task.instance.sensorSuite.sensors);
  const names = USUAL.filter((name) => simulator?.sensors.includes(name));
  const cameras =
    own.length > 0
      ? own.map(([name, settings]) => [name, narrowed(settings, WIDEST_OWN)])
      : names.map((name) => [
          name,
          narrowed(usual.find(([other]) => other === name)?.[1] ?? {}, WIDEST),
        ]);
  if (cameras.length === 0) return simulatorConfig;
  return { ...simulatorConfig, sensors: Object.fromEntries(cameras.slice(0, MOST_PICTURES)) };
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
