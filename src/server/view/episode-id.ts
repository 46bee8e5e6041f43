import { fileStem } from "../../runs/directory/run-directory.js";

/**
 * An episode's id in URLs and in the files of a static export: the name of its trajectory, percent-encoded with tildes
 * because servers would decode percent signs. The name itself contains no tilde.
 */
export function episodeIdOf(key: string, repeat: number): string {
  return encodeURIComponent(fileStem(key, repeat)).replaceAll("%", "~");
}
