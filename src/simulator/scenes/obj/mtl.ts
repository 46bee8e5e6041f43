import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../../core/errors.js";
import type { Material } from "../model.js";
import { readNamedFile } from "../scene-file.js";
import type { TextureBudget } from "../texture-budget.js";
import { decodeTexture, imageSize } from "../texture-file.js";
import { checkWithin } from "../within.js";

/** Colour of OBJ faces without a material. */
const PLAIN_COLOR = [0.74, 0.72, 0.69, 1] as const;

interface Description {
  color: readonly [number, number, number];
  opacity: number;
  map: string | undefined;
}

/**
 * The materials of an OBJ's libraries by name: Kd, d or Tr, map_Kd. A missing library gives an entry in
 * `warnings`, because the geometry is still complete. A missing texture is an error, as in glTF.
 */
export class MaterialLibrary {
  readonly #described = new Map<string, Description & { from: string }>();
  readonly #made = new Map<string, Promise<Material>>();
  readonly files: string[] = [];

  constructor(
    private readonly warnings: string[],
    private readonly textures: TextureBudget,
  ) {}

  async read(path: string): Promise<void> {
    await checkWithin(path);
    let text: string;
    try {
      text = await readFile(path, "latin1");
    } catch (error) {
      if (errorCode(error) !== "ENOENT" && errorCode(error) !== "EISDIR") throw error;
      this.warnings.push(
        `the material library ${path} is missing: its surfaces have a default colour`,
      );
      return;
    }
    this.files.push(path);
    for (const [name, description] of parseMtl(text)) {
      this.#described.set(name, { ...description, from: path });
    }
  }

  get(name: string): Promise<Material> {
    const known = this.#made.get(name);
    if (known) return known;
    const made = this.#make(name);
    this.#made.set(name, made);
    return made;
  }

  async #make(name: string): Promise<Material> {
    const description = this.#described.get(name);
    // OBJ does not specify sidedness, so both sides are rendered.
    if (!description) return { name, color: PLAIN_COLOR, doubleSided: true };
    const { color, opacity, map, from } = description;
    const base = { name, color: [...color, opacity] as const, doubleSided: true };
    if (map === undefined) return base;
    const path = resolve(dirname(from), map);
    const bytes = await readNamedFile(path, "texture", from);
    this.files.push(path);
    const side = this.textures.reserve([await imageSize(bytes, path)], path);
    const blend = { mode: opacity < 1 ? "blend" : "mask", cutoff: 0.5 } as const;
    return { ...base, texture: await decodeTexture(bytes, path, side, blend) };
  }
}

function parseMtl(text: string): Map<string, Description> {
  const out = new Map<string, Description>();
  let current: Description | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [word = "", ...rest] = line.trim().split(/\s+/);
    const numbers = rest.map(Number);
    switch (word) {
      case "newmtl":
        current = { color: [1, 1, 1], opacity: 1, map: undefined };
        out.set(rest.join(" "), current);
        break;
      case "Kd": {
        const [r = 1, g = r, b = r] = numbers;
        if (current && [r, g, b].every(Number.isFinite)) current.color = [r, g, b];
        break;
      }
      case "d":
        if (current && Number.isFinite(numbers[0])) current.opacity = numbers[0] as number;
        break;
      case "Tr":
        if (current && Number.isFinite(numbers[0])) current.opacity = 1 - (numbers[0] as number);
        break;
      case "map_Kd":
        if (current) current.map = mapFile(rest);
        break;
      default:
        break;
    }
  }
  return out;
}

/** The file name after options like `-s 1 1 1`; it may contain spaces and backslashes. */
function mapFile(words: readonly string[]): string {
  let at = 0;
  while (words[at]?.startsWith("-")) {
    at++;
    while (at < words.length - 1 && /^([-+]?[\d.]+(e[-+]?\d+)?|on|off)$/i.test(words[at] ?? ""))
      at++;
  }
  return words.slice(at).join(" ").replaceAll("\\", "/");
}
