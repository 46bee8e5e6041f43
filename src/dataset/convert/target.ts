import type { BaseEpisode } from "../../core/episode/base.js";
import { ConfigError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import type { Drops } from "./drops.js";

/** A format to which episodes can be converted. */
export interface ConvertTarget {
  readonly name: string;
  /** One line, shown in help. */
  readonly description: string;
  /** Whether `out` is a file or a folder. */
  readonly kind: "file" | "folder";
  /** Throws if `out` is not a valid name for this format. */
  checkOut?(out: string): void;
  /**
   * The paths that the conversion may write or must clear, the main one first. Existing ones are replaced
   * only with `force`.
   */
  paths(out: string): readonly string[];
  /** True if the content at `out` is of this format, so that replacing it destroys nothing else. */
  owns?(out: string): Promise<boolean>;
  /**
   * Writes everything into `folder`: files under their names in `paths`, or the content of the output
   * folder.
   */
  write(episodes: AsyncIterable<BaseEpisode>, folder: string, context: WriteContext): Promise<void>;
}

interface WriteContext {
  readonly out: string;
  readonly drops: Drops;
  /** The words of instruction tokens, by token number, if known. */
  readonly vocabulary?: readonly string[] | undefined;
  /** Reports a note about the whole dataset to the user. */
  note(text: string): void;
}

/** Finds the target that `--to` names. */
export function namedTarget<T extends { readonly name: string }>(
  targets: readonly T[],
  name: string,
): T {
  const found = targets.find((target) => target.name === name);
  if (found) return found;
  const names = targets.map((target) => target.name);
  throw new ConfigError("unknown_target", `cannot write the format "${name}"`, {
    where: "--to",
    hint: suggestion(name, names),
  });
}
