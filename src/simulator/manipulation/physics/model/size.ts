import { DataError } from "../../../../core/errors.js";
import { type MjcfTag, scanMjcf } from "../../../../core/mjcf/scan.js";

/** An MJCF document: the model itself, a document that it includes or a model that it attaches. */
export interface MjcfDocument {
  readonly path: string;
  readonly text: string;
}

/** Largest value of attributes that make MuJoCo allocate or compute, in any element; of a list, of each number. */
const MOST: Readonly<Record<string, number>> = {
  ...{ nrow: 4096, ncol: 4096, nchannel: 4, params: 200 },
  ...{ nkey: 10_000, nuserdata: 1_000_000 },
  ...{ dim: 10_000, num: 10_000, nsample: 10_000, actdim: 10_000 },
  ...{ iterations: 1000, ls_iterations: 1000, noslip_iterations: 1000, ccd_iterations: 1000 },
  ...{ mpr_iterations: 1000, sdf_iterations: 1000, sdf_initpoints: 1000 },
};
/** `nuser_body`, `nuser_geom` and so on. */
const MOST_USER = 1000;

/** Characters of XML. Published scenes have up to 1 MB. */
const MOST_TEXT = 2 ** 24;
/** Elements as written: 20,000 geoms compile in 6 s, 50,000 in 40 s. Published kitchens have a few thousand. */
const MOST_WRITTEN = 20_000;
/** 2000 free bodies compile in 7 s. */
const MOST_JOINTS = 2000;
/** Numbers in `vertex`, three for each point: the hull of 100,000 points takes 7 s. */
const MOST_VERTEX_NUMBERS = 300_000;

/** Largest product of the numbers in `count`. A cable of 250 parts compiles in 5 s, a cloth of 1000 points in 2 s. */
const MOST_PARTS: Readonly<Record<string, number>> = { composite: 200, flexcomp: 2000 };
/** Elements that `<replicate>` adds. 6000 for 2000 free bodies compile in 7 s. */
const MOST_REPLICATED = 10_000;
/** Elements of attached models, by an upper bound. */
const MOST_ATTACHED = 100_000;
/** Pixels of generated textures, which take 3 bytes each and as much again while they are made. */
const MOST_PIXELS = 2 ** 26;
/** Steps in which MuJoCo measures the length range of a muscle. */
const MOST_RANGE_STEPS = 100_000;

/**
 * Rejects a model from which MuJoCo would make gigabytes or compute without end: it runs in this process, cannot be
 * interrupted, and aborts without memory. Bounds the written elements and what attributes multiply.
 *
 * @param documents the main document first; files that are no XML contain no tags
 * @throws DataError `mjcf_too_large`
 */
export function checkModelSize(documents: readonly MjcfDocument[]): void {
  let [replicated, pixels, copies, largest] = [0, 0, 1, 0];
  let [characters, written, joints, vertices] = [0, 0, 0, 0];
  for (const [index, { path, text }] of documents.entries()) {
    // Numbers of copies by the enclosing `<replicate>` elements.
    const factors = [1];
    let [elements, attached] = [0, 0];
    const tags = scanMjcf(text);
    // Text without any tag is a mesh.
    const [first] = tags;
    if (first) {
      characters += text.length;
      checkSum(characters, MOST_TEXT, "characters of XML are in its documents", first, path);
    }
    for (const tag of tags) {
      if (tag.kind === "close") {
        if (tag.tag === "replicate" && factors.length > 1) factors.pop();
        continue;
      }
      checkAttributes(tag, path);
      const factor = factors.at(-1) ?? 1;
      elements += factor;
      written++;
      if (tag.tag === "joint" || tag.tag === "freejoint") joints++;
      vertices += numbersIn(tag.attributes.vertex ?? "").length;
      replicated += factor - 1;
      pixels += pixelsOf(tag);
      if (tag.tag === "attach") attached += factor;
      if (tag.tag === "replicate" && tag.kind === "open") factors.push(factor * productOf(tag));
      checkSum(written, MOST_WRITTEN, "elements are in its documents", tag, path);
      checkSum(joints, MOST_JOINTS, "joints are in its documents", tag, path);
      checkSum(vertices, MOST_VERTEX_NUMBERS, "numbers are in `vertex` attributes", tag, path);
      checkSum(replicated, MOST_REPLICATED, "elements are added by <replicate>", tag, path);
      checkSum(pixels, MOST_PIXELS, "pixels are in generated textures", tag, path);
    }
    copies *= 1 + attached;
    if (index > 0) largest = Math.max(largest, elements);
  }
  const bound = copies * largest;
  if (copies === 1 || bound <= MOST_ATTACHED) return;
  const what = `<attach> makes up to ${copies - 1} copies of models with up to ${largest} elements`;
  throw tooLarge(what, `${MOST_ATTACHED} elements are allowed`, documents[0]?.path ?? "");
}

/** Bytes of one file, and of all files of a model. Published robots have files of up to 20 MB, 100 MB in all. */
const MOST_FILE_BYTES = 2 ** 26;
const MOST_FILES_BYTES = 2 ** 29;

/** @throws DataError `mjcf_too_large` */
export function checkFileSizes(files: Readonly<Record<string, { readonly length: number }>>): void {
  let total = 0;
  for (const [path, { length }] of Object.entries(files)) {
    total += length;
    checkFileSize(path, length, total);
  }
}

/** @param total bytes of all files so far, including this one */
export function checkFileSize(path: string, bytes: number, total: number): void {
  const [what, most] =
    bytes > MOST_FILE_BYTES
      ? [`the file has ${mebibytes(bytes)} MiB`, MOST_FILE_BYTES]
      : [`its files have ${mebibytes(total)} MiB`, MOST_FILES_BYTES];
  if (bytes <= MOST_FILE_BYTES && total <= MOST_FILES_BYTES) return;
  throw tooLarge(what, `at most ${mebibytes(most)} MiB are allowed`, path);
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

function checkAttributes(tag: MjcfTag, path: string): void {
  for (const [name, value] of Object.entries(tag.attributes)) {
    const most = /^nuser_/.test(name)
      ? MOST_USER
      : Object.hasOwn(MOST, name)
        ? MOST[name]
        : undefined;
    if (most === undefined) continue;
    const found = numbersIn(value).find((number) => number > most);
    if (found !== undefined)
      throw tooLarge(
        `<${tag.tag} ${name}="${found}">`,
        `at most ${most} is allowed`,
        place(path, tag),
      );
  }
  const parts = Object.hasOwn(MOST_PARTS, tag.tag) ? MOST_PARTS[tag.tag] : undefined;
  if (parts !== undefined && productOf(tag) > parts) {
    throw tooLarge(
      `<${tag.tag} count="${tag.attributes.count}">`,
      `at most ${parts} parts are allowed`,
      place(path, tag),
    );
  }
  if (tag.tag !== "lengthrange") return;
  const { inttotal = "10", timestep = "0.01" } = tag.attributes;
  const steps = Number(inttotal) / Number(timestep);
  if (steps > MOST_RANGE_STEPS) {
    const what = `<lengthrange inttotal="${inttotal}" timestep="${timestep}">`;
    throw tooLarge(what, `at most ${MOST_RANGE_STEPS} steps are allowed`, place(path, tag));
  }
}

function checkSum(sum: number, most: number, what: string, tag: MjcfTag, path: string): void {
  if (sum > most)
    throw tooLarge(`more than ${most} ${what}`, "no more are allowed", place(path, tag));
}

/** Pixels of a generated texture. A cube has six square sides, whatever its height. */
function pixelsOf({ tag, attributes: { width, height, type = "cube" } }: MjcfTag): number {
  if (tag !== "texture" || width === undefined) return 0;
  const pixels = type === "2d" ? Number(width) * Number(height) : 6 * Number(width) ** 2;
  return Number.isFinite(pixels) ? pixels : 0;
}

function productOf({ attributes }: MjcfTag): number {
  return numbersIn(attributes.count ?? "").reduce((product, n) => product * Math.max(1, n), 1);
}

function numbersIn(text: string): readonly number[] {
  return text.split(/\s+/).map(Number).filter(Number.isFinite);
}

function place(path: string, { line }: MjcfTag): string {
  return `${path}:${line}`;
}

function tooLarge(what: string, allowed: string, where: string): DataError {
  return new DataError("mjcf_too_large", `the model is too large: ${what}; ${allowed}`, {
    where,
    hint: "write a smaller model: MuJoCo would exhaust memory or compute for minutes",
  });
}
