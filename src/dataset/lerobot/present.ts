import { relative } from "node:path";
import { DataError } from "../../core/errors.js";
import type { DatasetSource } from "../format.js";
import { exists } from "../source.js";
import type { LerobotEntry } from "./entries.js";
import type { LerobotInfo } from "./info.js";

/**
 * The files of listed episodes that are not there. A dataset with none of its files is refused, and one
 * that lacks some is refused too unless the source says that part of it will do: `partial` leaves the
 * rest out, `onBadEpisode` hears of each.
 */
export async function missingFiles(
  source: DatasetSource,
  info: LerobotInfo,
  entries: readonly LerobotEntry[],
): Promise<ReadonlySet<string>> {
  const files = new Set(entries.map(({ file }) => file));
  const missing = new Set<string>();
  for (const file of files) if (!(await exists(file))) missing.add(file);
  const lacking = entries.filter(({ file }) => missing.has(file));
  const [first] = lacking;
  const tolerated = source.partial === true || source.onBadEpisode !== undefined;
  if (!first || (tolerated && lacking.length < entries.length)) return missing;
  throw new DataError(
    "missing_episode_file",
    `the data of ${lacking.length} of ${entries.length} listed episodes is missing, first of episode ${first.index}: ${relative(info.root, first.file)}`,
    {
      where: info.root,
      hint:
        lacking.length < entries.length
          ? "download the rest, or ask for a partial reading, which takes the episodes that are there"
          : "the data folder was not downloaded, or data_path in meta/info.json is wrong",
    },
  );
}

export function missingFile(info: LerobotInfo, { index, file }: LerobotEntry): DataError {
  return new DataError(
    "missing_episode_file",
    `episode ${index} is listed, and its file ${relative(info.root, file)} is missing`,
    { where: info.root, hint: "copy or download it again" },
  );
}
