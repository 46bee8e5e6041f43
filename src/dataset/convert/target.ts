import type { BaseEpisode } from "../../core/episode/base.js";
import type { Drops } from "./drops.js";

/** A format that episodes can be written in. */
export interface ConvertTarget {
  readonly name: string;
  /** One line, for help. */
  readonly description: string;
  /** Whether `out` names a file or a folder. */
  readonly kind: "file" | "folder";
  /** What `out` must look like, thrown as an error when it does not. */
  checkOut?(out: string): void;
  /**
   * The paths that the conversion may write or must clear, the one it is known by first. Those that
   * exist are only replaced when that was asked for.
   */
  paths(out: string): readonly string[];
  /** Whether what stands at `out` is of this format, so that replacing it destroys nothing else. */
  owns?(out: string): Promise<boolean>;
  /**
   * Writes everything into `folder`: files under the names that they have in `paths`, or the content of
   * the folder that is to be.
   */
  write(episodes: AsyncIterable<BaseEpisode>, folder: string, context: WriteContext): Promise<void>;
}

interface WriteContext {
  readonly out: string;
  readonly drops: Drops;
  /** The words that instructions' tokens stand for, by number, where whoever writes knows them. */
  readonly vocabulary?: readonly string[] | undefined;
  /** Says something about the whole dataset that its user should know. */
  note(text: string): void;
}
