import { relative } from "node:path";
import { DataError } from "../../core/errors.js";
import type { DatasetSource } from "../format.js";
import { exists } from "../source.js";
import type { LerobotEntry } from "./entries.js";
import type { LerobotInfo } from "./info.js";

/**
 * Returns the missing data files of listed episodes. Throws if all are missing, or if some are and neither
 * `partial` nor `onBadEpisode` is set: `partial` skips the episodes, `onBadEpisode` is called for each.
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
    `the data of ${lacking.length} of ${entries.length} listed episodes is missing, first that of episode ${first.index}: ${relative(info.root, first.file)}`,
    {
      where: info.root,
      hint:
        lacking.length < entries.length
          ? "download the rest, or request a partial read, which skips the missing episodes"
          : "download the data folder, or correct data_path in meta/info.json",
    },
  );
}

export function missingFile(info: LerobotInfo, { index, file }: LerobotEntry): DataError {
  return new DataError(
    "missing_episode_file",
    `episode ${index} is listed, but its file ${relative(info.root, file)} is missing`,
    { where: info.root, hint: "copy or download it again" },
  );
}
