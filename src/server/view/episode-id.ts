import { fileStem } from "../../runs/run-directory.js";

/**
 * An episode's name in addresses and in the files of a static export: the one of its trajectory, with the
 * percent signs, which servers would decode, and the plus signs, which some take for blanks, written as
 * tildes. A file stem has no tilde of its own and never two percent signs in a row.
 */
export function episodeIdOf(key: string, repeat: number): string {
  return fileStem(key, repeat).replaceAll("+", "~~").replaceAll("%", "~");
}
