import type {
  ConcatEntry,
  LeafEntry,
  ObservationMapping,
  SensorEntry,
} from "../../config/mapping.js";
import { StopRunError, show } from "../../core/errors.js";
import { isImage, type Observation } from "../../core/interfaces/observation.js";
import { NdArray } from "../codec/ndarray.js";
import { pixels } from "../codec/observation.js";
import { mapImage } from "./image.js";
import { mapNumbers } from "./numbers.js";

/** What a policy receives: arrays, text, numbers and maps of these, by the policy's keys. */
export type PolicyInput = Readonly<Record<string, unknown>>;

/**
 * Converts an observation to the form that a policy of another benchmark expects. Reads only the sensors that the
 * mapping names, so that no other camera is rendered. Without a mapping every sensor keeps its name, and the
 * instruction's text is `prompt`.
 */
export function mapObservation(
  observation: Observation,
  mapping: ObservationMapping | undefined,
): PolicyInput {
  if (!mapping) return asItIs(observation);
  return mapped(Object.entries(mapping), (key, entry) => {
    if (typeof entry !== "object" || !("map" in entry)) return leafOf(observation, key, entry);
    return mapped(Object.entries(entry.map), (inner, leaf) =>
      leafOf(observation, `${key}.${inner}`, leaf),
    );
  });
}

function mapped<T>(
  entries: readonly (readonly [string, T])[],
  make: (key: string, entry: T) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(entries.map(([key, entry]) => [key, make(key, entry)]));
}

function asItIs(observation: Observation): PolicyInput {
  return Object.fromEntries(
    Object.keys(observation).map((name) => [
      name === "instruction" ? "prompt" : name,
      plain(observation[name], name),
    ]),
  );
}

function leafOf(observation: Observation, key: string, entry: LeafEntry): unknown {
  if (typeof entry === "string") return plain(valueAt(observation, entry, key), entry);
  if ("value" in entry) return Array.isArray(entry.value) ? NdArray.of(entry.value) : entry.value;
  if ("concat" in entry) return concatenated(observation, key, entry);
  return fromSensor(observation, key, entry);
}

function fromSensor(observation: Observation, key: string, entry: SensorEntry): unknown {
  const value = valueAt(observation, entry.from, key);
  if (isImage(value)) {
    if (asksForNumbers(entry)) throw wrongKind(key, entry.from, "an image, not numbers");
    return mapImage(value, entry);
  }
  if (asksForImage(entry)) throw wrongKind(key, entry.from, "not an image");
  const numbers = numbersOf(value);
  if (!numbers) {
    if (asksForNumbers(entry)) throw wrongKind(key, entry.from, `${show(value, 40)}, not numbers`);
    return plain(value, entry.from);
  }
  return array(mapNumbers(numbers, entry, `${entry.from} for ${key}`), entry.dtype);
}

function concatenated(observation: Observation, key: string, entry: ConcatEntry): NdArray {
  const parts = entry.concat.flatMap((part) => {
    if ("value" in part) return part.value;
    const value = valueAt(observation, part.from, key);
    const numbers = numbersOf(value);
    if (!numbers) throw wrongKind(key, part.from, isImage(value) ? "a picture" : show(value, 40));
    return mapNumbers(numbers, part, `${part.from} for ${key}`);
  });
  return array(parts, entry.dtype);
}

/** Value of a sensor, or of a field in it: `instruction.text`. */
function valueAt(observation: Observation, from: string, key: string): unknown {
  if (Object.hasOwn(observation, from)) return observation[from];
  const [sensor = "", ...fields] = from.split(".");
  if (!Object.hasOwn(observation, sensor)) {
    throw new StopRunError(
      "missing_sensor",
      `the policy's "${key}" needs ${sensor}, which is not observed`,
      {
        where: "policy.mapping.observation",
        hint: `observed sensors: ${Object.keys(observation).join(", ")}; add others under simulator.sensors`,
      },
    );
  }
  let value = observation[sensor];
  for (const field of fields) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, field)) {
      const known =
        typeof value === "object" && value !== null ? Object.keys(value).join(", ") : "";
      throw new StopRunError(
        "missing_sensor",
        `the policy's "${key}" needs ${from}, but ${sensor} has no ${field}`,
        { where: "policy.mapping.observation", hint: known ? `it has ${known}` : undefined },
      );
    }
    value = Reflect.get(value, field);
  }
  return value;
}

/** Converts vectors and images to arrays and an instruction to its text; other values stay unchanged. */
function plain(value: unknown, name: string): unknown {
  if (isImage(value)) return pixels(value);
  if (typeof value === "number") return value;
  const numbers = numbersOf(value);
  if (numbers) return NdArray.of(numbers);
  if (name === "instruction") return textOf(value);
  return value;
}

function textOf(instruction: unknown): unknown {
  if (typeof instruction !== "object" || instruction === null) return instruction ?? "";
  return "text" in instruction && typeof instruction.text === "string" ? instruction.text : "";
}

function numbersOf(value: unknown): readonly number[] | undefined {
  if (typeof value === "number") return [value];
  if (value instanceof Float64Array || value instanceof Float32Array) return [...value];
  return Array.isArray(value) && value.every((n) => typeof n === "number") ? value : undefined;
}

function array(values: readonly number[], dtype: "float32" | "float64" = "float64"): NdArray {
  if (dtype === "float64") return NdArray.of(values);
  return new NdArray("<f4", [values.length], Float32Array.from(values));
}

function asksForNumbers({ take, rotation, scale, range, clip, switch: two, dtype }: SensorEntry) {
  return [take, rotation, scale, range, clip, two, dtype].some((step) => step !== undefined);
}

function asksForImage({ resize, fit, flip, layout }: SensorEntry): boolean {
  return [resize, fit, flip, layout].some((step) => step !== undefined);
}

function wrongKind(key: string, from: string, what: string): StopRunError {
  return new StopRunError("bad_mapping", `the policy's "${key}" needs ${from}, which is ${what}`, {
    where: "policy.mapping.observation",
    hint: "use resize, fit, flip and layout for images, and take, rotation, scale, range, clip and switch for numbers",
  });
}
