import { readFile } from "node:fs/promises";
import { DataError, errorCode, errorMessage, show } from "../../../core/errors.js";
import { isRecord } from "../../../core/record.js";
import { checkWithin } from "../within.js";

/** The fields of a Habitat configuration. They are untrusted: check each on use. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Reads a JSON configuration; undefined if it does not exist. */
export async function readConfig(file: string): Promise<Attributes | undefined> {
  await checkWithin(file);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw new DataError(codeOf(file), `cannot read the configuration: ${errorMessage(error)}`, {
      where: file,
      cause: error,
    });
  }
  let json: unknown;
  try {
    // rapidjson, which Habitat uses, accepts a byte order mark.
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw badConfig(file, `its JSON is invalid: ${errorMessage(error)}`);
  }
  if (isRecord(json)) return json;
  throw badConfig(file, `it must be a JSON object; received ${show(json)}`);
}

export function badConfig(file: string, why: string): DataError {
  return new DataError(codeOf(file), `not a readable configuration: ${why}`, {
    where: file,
    hint: "correct or remove it; the fields are those of habitat-sim's attributes JSON",
  });
}

function codeOf(file: string): string {
  if (file.endsWith(".scene_instance.json")) return "bad_scene_instance";
  return /\.(stage_config|scene_dataset_config)\.json$/.test(file)
    ? "bad_stage_config"
    : "bad_scene_config";
}

/** A list of `count` finite numbers; undefined if the field is missing. */
export function numbersOf(
  attributes: Attributes,
  key: string,
  count: number,
  file: string,
): readonly number[] | undefined {
  const value = attributes[key];
  if (value === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const numbers = list.filter((n): n is number => typeof n === "number" && Number.isFinite(n));
  if (list.length === count && numbers.length === count) return numbers;
  throw badConfig(file, `\`${key}\` must be ${count} numbers; received ${show(value)}`);
}

/** A finite number; undefined if the field is missing. */
export function numberOf(attributes: Attributes, key: string, file: string): number | undefined {
  const value = attributes[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw badConfig(file, `\`${key}\` must be a number; received ${show(value)}`);
}

/** A text that is not empty; undefined if the field is missing or empty. */
export function textOf(attributes: Attributes, key: string, file: string): string | undefined {
  const value = attributes[key];
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  throw badConfig(file, `\`${key}\` must be a text; received ${show(value)}`);
}
