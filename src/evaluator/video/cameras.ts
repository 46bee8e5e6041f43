import { isImage, type Observation } from "../../core/interfaces/observation.js";
import { isRecord } from "../../core/record.js";
import type { TaskPlan } from "../prepare.js";

/** Widest picture of a camera that the benchmark sets up itself, in pixels; and of one that it does not. */
const WIDEST_OWN = 480;
const WIDEST = 320;
/** Side by side. */
const MOST_PICTURES = 3;

/** Colour cameras by the names that simulators have for them. */
const USUAL = ["rgb", "rgb_head", "rgb_wrist"];

/**
 * The `simulator:` section for a film: the colour cameras of the benchmark or the task, no larger than a film
 * needs them, else those that the simulator has; and nothing else that would have to be drawn.
 */
export function filmConfig(plan: TaskPlan): Readonly<Record<string, unknown>> {
  const { simulatorConfig, judged, simulator } = plan;
  const own = colourCameras(simulatorConfig.sensors ?? {});
  const usual = colourCameras(judged.task.sensorSuite.sensors);
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

/** Names of the colour pictures in an observation: cameras', else whatever pictures there are. */
export function picturesIn(observation: Observation): readonly string[] {
  const names = Object.keys(observation);
  const isPicture = (name: string) => {
    const value = observation[name];
    return isImage(value) && value.kind === "rgb";
  };
  // To look at a sensor may be to draw it, so the likely ones come first.
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

/** Of the same shape; 4 to 3 where nobody says, as the simulators have it. */
function narrowed(settings: Settings, widest: number): Settings {
  const width = typeof settings.width === "number" ? settings.width : 640;
  const height = typeof settings.height === "number" ? settings.height : (width * 3) / 4;
  const scale = Math.min(1, widest / width);
  const even = (pixels: number) => Math.max(2, 2 * Math.round((pixels * scale) / 2));
  return { ...settings, width: even(width), height: even(height) };
}
