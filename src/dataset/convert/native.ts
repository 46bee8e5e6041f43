import { basename, join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError, DataError } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import { nativeFormat, writeNative } from "../formats/native.js";

import type { Drops } from "./drops.js";
import type { ConvertTarget } from "./target.js";

const NAME = /\.jsonl?(\.gz)?$/;

/** robot-eval's own format, which keeps everything except numbers that JSON cannot represent. */
export const nativeTarget: ConvertTarget = {
  name: nativeFormat.name,
  description: "robot-eval's own episodes; .json or .jsonl, packed with .gz",
  kind: "file",

  checkOut(out) {
    if (NAME.test(out)) return;
    throw new ConfigError(
      "bad_out",
      "expected a file name that ends in .json, .jsonl, .json.gz or .jsonl.gz",
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
        hint: "convert the dataset in parts, or to lerobot, in which trajectories are many times smaller",
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
    for (const field of nonFiniteFields(episode.toDict())) {
      drops.add(field, "JSON cannot represent NaN and Infinity; written as null");
    }
    yield episode;
  }
}

/** Yields the fields with non-finite numbers, without list indices. */
function* nonFiniteFields(value: unknown, path = ""): Generator<string> {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) yield path;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* nonFiniteFields(item, path);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* nonFiniteFields(item, path === "" ? key : `${path}.${key}`);
    }
  }
}
