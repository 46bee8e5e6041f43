import { basename, join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { nativeFormat, writeNative } from "../formats/native.js";

import type { Drops } from "./drops.js";
import type { ConvertTarget } from "./target.js";

const NAME = /\.jsonl?(\.gz)?$/;

/** Our own files, which hold all of an episode but for numbers that JSON cannot write. */
export const nativeTarget: ConvertTarget = {
  name: nativeFormat.name,
  description: "robot-eval's own episodes; .json or .jsonl, packed with .gz",
  kind: "file",

  checkOut(out) {
    if (NAME.test(out)) return;
    throw new ConfigError(
      "bad_out",
      "a native file's name ends in .json or .jsonl, or that and .gz",
      {
        where: out,
      },
    );
  },

  paths: (out) => [out],

  async write(episodes, folder, { out, drops }) {
    try {
      await writeNative(join(folder, basename(out)), checked(episodes, drops));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new DataError("file_too_large", "the episodes do not fit into one JSON file", {
        where: out,
        hint: "convert the dataset in parts; trajectories are many times smaller in lerobot",
        cause: error,
      });
    }
  },
};

async function* checked(
  episodes: AsyncIterable<BaseEpisode>,
  drops: Drops,
): AsyncGenerator<BaseEpisode> {
  for await (const episode of episodes) {
    for (const field of infinite(episode.toDict())) {
      drops.add(field, "NaN and Infinity are no JSON; written as null");
    }
    yield episode;
  }
}

/** Where a value has a number that is none. List positions are left out: the field is what matters. */
function* infinite(value: unknown, path = ""): Generator<string> {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) yield path;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* infinite(item, path);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* infinite(item, path === "" ? key : `${path}.${key}`);
    }
  }
}
