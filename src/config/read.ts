import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ConfigError, errorCode, errorMessage } from "../core/errors.js";
import { suggestion } from "../core/registry.js";
import { nameHint } from "./named.js";

/** A larger file is probably a dataset that was named by mistake. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** Reads a YAML file. Wrong paths are the most common mistake, so errors suggest nearby files. */
export function readText(path: string, what: "benchmark" | "challenge" = "benchmark"): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(path, what, error);
  }
  if (bytes.length > LARGEST_FILE) {
    throw new ConfigError("not_a_config", `too large for a ${what} file (over 4 MiB)`, {
      where: path,
      hint: "name the benchmark's YAML file; datasets are named in it, under dataset.<x>.data_path",
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError("not_a_config", "not a text file in UTF-8", {
      where: path,
      hint: "save the YAML as UTF-8; if this is a dataset, name it in a benchmark under dataset.<x>.data_path",
      cause,
    });
  }
}

function unreadable(path: string, what: string, cause: unknown): ConfigError {
  const code = errorCode(cause);
  if (code === "ENOENT") {
    const hint =
      (what === "benchmark" ? nameHint(path) : undefined) ??
      yamlFilesHint(dirname(path), basename(path));
    return new ConfigError("config_not_found", `no such ${what} file`, {
      where: path,
      hint,
      cause,
    });
  }
  if (code === "EISDIR") {
    return new ConfigError("not_a_config", `this is a folder, not a ${what} file`, {
      where: path,
      hint: yamlFilesHint(path, ""),
      cause,
    });
  }
  return new ConfigError("config_unreadable", errorMessage(cause), { where: path, cause });
}

function yamlFilesHint(folder: string, name: string): string {
  let names: string[];
  try {
    names = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
  } catch {
    return `the folder ${folder} does not exist either`;
  }
  if (names.length === 0) return `there is no YAML file in ${folder}`;
  const shown = names
    .sort()
    .slice(0, 10)
    .map((file) => join(folder, file));
  return suggestion(join(folder, name), shown);
}
