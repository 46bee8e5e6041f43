import { errorMessage } from "../../../../core/errors.js";
import { isRecord } from "../../../../core/record.js";
import { readSceneFile } from "../../scene-file.js";
import { badDescriptor, type Descriptor, type SemanticObject } from "./annotations.js";
import { parseHouse } from "./house.js";

/**
 * Reads a semantic scene descriptor, recognised by its content as in habitat-sim: Matterport3D's `.house`,
 * HM3D's `.semantic.txt` or Gibson's `.scn`.
 */
export async function readDescriptor(file: string): Promise<Descriptor> {
  const text = new TextDecoder().decode(await readSceneFile(file));
  const head = text.slice(0, 200).split(/\r?\n/)[0] ?? "";
  if (/^ASCII 1\./.test(head)) return parseHouse(text, file);
  if (head.includes("HM3D Semantic Annotations")) return parseHm3d(text, file);
  if (/^\s*\{/.test(text)) return parseGibson(text, file);
  throw badDescriptor(file, "it is no .house, .semantic.txt or .scn");
}

/** `<id>,<colour in hexadecimal>,"<label, possibly with commas>",<region>` */
function parseHm3d(text: string, file: string): Descriptor {
  const objects = new Map<number, SemanticObject>();
  const colors = new Map<number, number>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (i === 0 || line.trim() === "") continue;
    const match = /^\s*(\d+)\s*,\s*([\da-fA-F]{1,6})\s*,\s*"(.*)"\s*,\s*(-?\d+)\s*$/.exec(line);
    if (!match) {
      throw badDescriptor(`${file}:${i + 1}`, 'a line must be <id>,<RRGGBB>,"<label>",<region>');
    }
    const [, id, color, label = "", region] = match;
    objects.set(Number(id), { label, ...(Number(region) >= 0 && { room: `room_${region}` }) });
    colors.set(Number.parseInt(color ?? "0", 16), Number(id));
  }
  return { objects, colors, rooms: [] };
}

function parseGibson(text: string, file: string): Descriptor {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw badDescriptor(file, `its JSON is invalid: ${errorMessage(error)}`);
  }
  const list = isRecord(json) ? json.objects : undefined;
  if (!Array.isArray(list)) throw badDescriptor(file, "it has no `objects`");
  const objects = new Map<number, SemanticObject>();
  for (const one of list as unknown[]) {
    if (!isRecord(one) || typeof one.id !== "number" || typeof one.class_ !== "string") {
      throw badDescriptor(file, "an object has no `id` or no `class_`");
    }
    const room = typeof one.parent_room === "number" ? { room: `room_${one.parent_room}` } : {};
    objects.set(one.id, { label: one.class_, ...room });
  }
  return { objects, rooms: [] };
}
