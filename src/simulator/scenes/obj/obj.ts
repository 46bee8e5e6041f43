import { dirname, resolve } from "node:path";
import { DataError, show } from "../../../core/errors.js";
import { categoryOfName } from "../category-of-name.js";
import type { DraftInstance, SceneDraft } from "../draft.js";
import type { ScenePart } from "../model.js";
import { readSceneFile } from "../scene-file.js";
import { TextureBudget } from "../texture-budget.js";
import { ObjMeshBuilder } from "./mesh.js";
import { MaterialLibrary } from "./mtl.js";

/**
 * Reads a Wavefront OBJ scene: v (with vertex colours after the position, if any), vt, vn, f, o and g,
 * usemtl, mtllib. Each `o` or `g` is an instance. Curves, points and lines are ignored.
 */
export async function readObj(file: string, textures = new TextureBudget({})): Promise<SceneDraft> {
  const text = decode(await readSceneFile(file), file);
  const warnings: string[] = [];
  const library = new MaterialLibrary(warnings, textures);
  const builder = new ObjMeshBuilder(file);
  const libraries: string[] = [];
  let [thing, material] = ["", ""];

  let number = 0;
  for (const line of lines(text)) {
    number++;
    const space = line.search(/\s/);
    const word = space < 0 ? line : line.slice(0, space);
    const rest = space < 0 ? "" : line.slice(space + 1).trim();
    switch (word) {
      case "v":
        builder.vertex(numbers(rest, 3, file, number));
        break;
      case "vt":
        builder.uv(numbers(rest, 1, file, number));
        break;
      case "vn":
        builder.normal(numbers(rest, 3, file, number));
        break;
      case "f":
        builder.face(thing, material, rest, number);
        break;
      case "o":
      case "g":
        thing = rest;
        break;
      case "usemtl":
        material = rest;
        break;
      case "mtllib":
        libraries.push(rest);
        break;
      default:
        break;
    }
  }
  if (number < 3 || (builder.isEmpty && !/^(v|f|o|g|#)\b/m.test(text))) {
    throw new DataError("bad_obj", "not an OBJ scene: it has no vertices and no faces", {
      where: file,
      hint: "use a Wavefront OBJ file with lines like `v 0 0 0` and `f 1 2 3`",
    });
  }
  for (const name of libraries) await library.read(resolve(dirname(file), name));

  const instances: DraftInstance[] = [];
  const index = new Map<string, number>();
  const parts: ScenePart[] = [];
  for (const { thing: name, material: look, mesh } of builder.meshes()) {
    let instance = index.get(name);
    if (instance === undefined) {
      instance = instances.length;
      index.set(name, instance);
      instances.push({ name: name || "building", category: categoryOfName(name) });
    }
    parts.push({ mesh, material: await library.get(look || "default"), instance });
  }
  return { parts, instances, warnings, files: [file, ...library.files] };
}

function decode(bytes: Uint8Array, file: string): string {
  // The longest string in Node has 2^29 - 24 characters.
  if (bytes.length > 0x1fff_ffe8) {
    throw new DataError(
      "unreadable_scene",
      `an OBJ file of ${bytes.length} bytes is too large to read`,
      {
        where: file,
        hint: "convert it to GLB",
      },
    );
  }
  return new TextDecoder().decode(bytes);
}

/** Yields one line at a time: an array of all lines would double the memory. A backslash continues a line. */
function* lines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    let line = text.slice(start, end).trim();
    while (line.endsWith("\\") && end < text.length) {
      start = end + 1;
      end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      line = `${line.slice(0, -1)} ${text.slice(start, end).trim()}`;
    }
    yield line;
    start = end + 1;
  }
}

function numbers(text: string, least: number, file: string, line: number): number[] {
  const values = text.split(/\s+/).map(Number);
  if (values.length >= least && values.every(Number.isFinite)) return values;
  throw new DataError(
    "bad_geometry",
    `expected at least ${least} finite numbers; received ${show(text)}`,
    {
      where: `${file}:${line}`,
      hint: "the exporter wrote invalid numbers: export the scene again",
    },
  );
}
