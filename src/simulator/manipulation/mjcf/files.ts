import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { DataError, errorCode, errorMessage } from "../../../core/errors.js";
import { elementsNamed, type MjcfTag, scanMjcf } from "../../../core/mjcf/scan.js";
import { checkWithin } from "../../scenes/within.js";
import type { ModelFiles } from "../physics/compile.js";

/** An MJCF file with every file that it refers to, by the paths under which MuJoCo will look for them. */
export interface MjcfFiles {
  /** As MuJoCo is told it. */
  readonly main: string;
  readonly files: ModelFiles;
  /** Its `<option>` elements with those of what it includes, as they stand. */
  readonly options: readonly string[];
  /** Of all the files: another hash, another world. */
  readonly sha256: string;
}

/** A tag of a model, and the document that it stands in: the model's own file or one that it includes. */
interface PlacedTag {
  readonly tag: MjcfTag;
  readonly path: string;
}

/** What one model's documents say together about where its files are. */
interface Folders {
  readonly mesh: string;
  readonly texture: string;
  readonly strip: boolean;
}

/**
 * Reads an MJCF file with all that it includes and names: meshes, textures, height fields, skins, other models.
 * Paths count as for MuJoCo: from the file itself, or from the included file that names them, and below
 * `meshdir` and `texturedir`. They may lead anywhere on the disk, as those of other scenes may, but for scenes that are
 * read with `readWithin`.
 */
export async function readMjcf(file: string): Promise<MjcfFiles> {
  const reader = new Reader();
  const tags = await reader.model(resolve(file));
  const digest = createHash("sha256");
  for (const [name, bytes] of reader.files) {
    digest.update(`${bytes.length} ${basename(name)}\n`).update(bytes);
  }
  return {
    main: virtual(resolve(file)),
    files: Object.fromEntries(reader.files),
    options: tags
      .filter(({ tag }) => tag.tag === "option" && tag.kind !== "close")
      .map(({ tag, path }) => elementText(reader.text(path), tag)),
    sha256: digest.digest("hex"),
  };
}

/** The same files without their keyframes, which are of no use where a model becomes a part of another. */
export function withoutKeyframes({ files }: MjcfFiles): ModelFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) => {
      if (!isXml(path)) return [path, bytes];
      const text = decode(bytes);
      const frames = elementsNamed(scanMjcf(text), "keyframe");
      if (frames.length === 0) return [path, bytes];
      // Lines stay where they are, so that MuJoCo's errors still name the right ones.
      const blank = (part: string) => part.replaceAll(/[^\n]/g, " ");
      const kept = frames.reduce(
        (all, { start, end }) =>
          all.slice(0, start) + blank(all.slice(start, end)) + all.slice(end),
        text,
      );
      return [path, new TextEncoder().encode(kept)];
    }),
  );
}

/** MuJoCo's paths have slashes, and no drive's colon, on any system. */
function virtual(path: string): string {
  const slashed = path.replaceAll("\\", "/").replace(/^([A-Za-z]):/, "/$1");
  return slashed.startsWith("/") ? slashed : `/${slashed}`;
}

class Reader {
  /** By MuJoCo's path. */
  readonly files = new Map<string, Uint8Array>();
  readonly #models = new Set<string>();

  text(path: string): string {
    return decode(this.files.get(virtual(path)) ?? new Uint8Array());
  }

  /**
   * All tags of one model, those of included files in their place; the files that it names and the models that
   * it attaches are read with it.
   */
  async model(path: string): Promise<readonly PlacedTag[]> {
    if (!(await this.#read(path))) {
      throw new DataError("missing_scene", `there is no file ${path}`, { where: path });
    }
    // A model that attaches itself is for MuJoCo to refuse.
    if (this.#models.has(path)) return [];
    this.#models.add(path);
    const base = dirname(path);
    const tags = await this.#tags(path, base, new Set());
    const folders = foldersOf(tags);
    for (const placed of tags) await this.#references(placed, base, folders);
    return tags;
  }

  async #tags(path: string, base: string, seen: Set<string>): Promise<readonly PlacedTag[]> {
    if (seen.has(path)) return [];
    seen.add(path);
    const all: PlacedTag[] = [];
    for (const tag of scanMjcf(this.text(path))) {
      all.push({ tag, path });
      const { file } = tag.attributes;
      if (tag.tag !== "include" || file === undefined) continue;
      for (const found of await this.#find({ tag, path }, "file", [base, dirname(path)], file)) {
        all.push(...(await this.#tags(found, base, seen)));
      }
    }
    return all;
  }

  async #references(placed: PlacedTag, base: string, folders: Folders): Promise<void> {
    const { tag, path } = placed;
    const folder = FOLDER_OF[tag.tag];
    if (folder === undefined || tag.kind === "close") return;
    for (const [name, value] of Object.entries(tag.attributes)) {
      if (!FILE.test(name)) continue;
      const file = folders.strip && folder !== "" ? basename(value.replaceAll("\\", "/")) : value;
      const inside = folder === "" ? "" : folders[folder];
      const places = [base, dirname(path)].map((place) => resolve(place, inside));
      const found = await this.#find(placed, name, places, file);
      if (tag.tag !== "model") continue;
      for (const model of found) if (isXml(model)) await this.model(model);
    }
  }

  /** The file in each of the places that has it; an error when none has. */
  async #find(
    { tag, path }: PlacedTag,
    attribute: string,
    places: readonly string[],
    file: string,
  ): Promise<readonly string[]> {
    const candidates = [...new Set(places.map((place) => resolve(place, file)))];
    const found: string[] = [];
    for (const candidate of candidates) if (await this.#read(candidate)) found.push(candidate);
    if (found.length > 0) return found;
    throw new DataError(
      "missing_file",
      `<${tag.tag} ${attribute}="${tag.attributes[attribute]}"> names a file that is not there`,
      { where: `${path}:${tag.line}`, hint: `looked for ${candidates.join(", ")}` },
    );
  }

  async #read(path: string): Promise<boolean> {
    const key = virtual(path);
    if (this.files.has(key)) return true;
    await checkWithin(path);
    try {
      this.files.set(key, await readFile(path));
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return false;
      throw new DataError("unreadable_file", `cannot read ${path}: ${errorMessage(error)}`, {
        where: path,
        cause: error,
      });
    }
  }
}

/** By element: which of the compiler's folders its files are in; models are beside the file. */
const FOLDER_OF: Readonly<Record<string, "mesh" | "texture" | "">> = {
  mesh: "mesh",
  hfield: "mesh",
  skin: "mesh",
  flexcomp: "mesh",
  texture: "texture",
  model: "",
};

/** `file`, and the six sides of a cube texture. */
const FILE = /^file(right|left|up|down|front|back)?$/;

/** Of several compiler elements the last that says something counts; `assetdir` stands for both. */
function foldersOf(tags: readonly PlacedTag[]): Folders {
  let folders: Folders = { mesh: "", texture: "", strip: false };
  for (const {
    tag: { tag, kind, attributes },
  } of tags) {
    if (tag !== "compiler" || kind === "close") continue;
    const { assetdir, meshdir = assetdir, texturedir = assetdir, strippath } = attributes;
    folders = {
      mesh: meshdir ?? folders.mesh,
      texture: texturedir ?? folders.texture,
      strip: strippath === undefined ? folders.strip : strippath === "true",
    };
  }
  return folders;
}

/** An element with all that is in it. */
function elementText(text: string, { tag, start }: MjcfTag): string {
  const range = elementsNamed(scanMjcf(text), tag).find((one) => one.start === start);
  return text.slice(start, range?.end ?? start);
}

function isXml(path: string): boolean {
  return /\.(xml|mjcf|urdf)$/i.test(path);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
