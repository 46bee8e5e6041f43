import { type MjcfTag, scanMjcf } from "../../../../core/mjcf/scan.js";
import type { ModelFiles, ModelText } from "./compile.js";

/**
 * Largest memory for contacts and constraints of one world, in MiB. MuJoCo has 2 GiB in WebAssembly for all worlds of a
 * thread, and reserves it twice for each. Natively, unused memory costs nothing, so published models ask for gigabytes.
 */
const MOST_MIB = 256;
const MIB = 2 ** 20;

/** Attributes of `<size>` that determine the memory. */
const SIZES = /\b(memory|njmax|nconmax|nstack)\s*=\s*("[^"]*"|'[^']*')/g;

/** A model whose documents do not ask for more memory than there is, and notes about what was changed. */
export interface BoundedModel {
  readonly xml: ModelText;
  readonly files: ModelFiles;
  readonly notes: readonly string[];
}

/**
 * Limits the memory that `<size>` elements ask for, through `memory` or the older `njmax`, `nconmax` and `nstack`. The
 * trajectory stays the same: a world that needs more than the limit ends with an error.
 */
export function boundArena(xml: ModelText, files: ModelFiles, where: string): BoundedModel {
  const notes: string[] = [];
  const bound = (text: string, path: string): string =>
    // From the last tag to the first, so that offsets stay valid.
    scanMjcf(text).reduceRight((all, tag) => {
      const asked = arenaBytes(tag);
      if (asked <= MOST_MIB * MIB) return all;
      notes.push(
        `${path}:${tag.line}: ${text.slice(tag.start, tag.end)} asks for about ${Math.round(asked / MIB)} MiB of memory for contacts; it gets ${MOST_MIB} MiB`,
      );
      return all.slice(0, tag.start) + limited(all.slice(tag.start, tag.end)) + all.slice(tag.end);
    }, text);
  const bounded = Object.entries(files).map(([path, bytes]) => {
    if (!isSized(bytes)) return [path, bytes] as const;
    const text = new TextDecoder().decode(bytes);
    const changed = bound(text, path);
    return [path, changed === text ? bytes : new TextEncoder().encode(changed)] as const;
  });
  return {
    xml: typeof xml === "string" && xml.includes("<size") ? bound(xml, where) : xml,
    files: notes.length > 0 ? Object.fromEntries(bounded) : files,
    notes,
  };
}

function isSized(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("<size");
}

/** The tag with the limit in place of what it asks for, on the same lines. */
function limited(tag: string): string {
  const memory = `memory="${MOST_MIB}M"`;
  let isFirst = true;
  return tag.replaceAll(SIZES, (attribute) => {
    const text = isFirst ? memory : "";
    isFirst = false;
    return text.padEnd(attribute.length);
  });
}

/** Bytes that MuJoCo reserves for a `<size>` element, without the small share of bodies and joints. */
function arenaBytes({ tag, kind, attributes }: MjcfTag): number {
  if (tag !== "size" || kind === "close") return 0;
  const { memory, njmax, nconmax, nstack } = attributes;
  if (memory !== undefined && memory !== "-1") return bytesIn(memory);
  const rows = Math.max(0, Number(njmax ?? 0) || 0);
  const contacts = Math.max(0, Number(nconmax ?? 0) || 0);
  const stack = Number(nstack ?? -1);
  // As in MuJoCo's compiler: 5 njmax^2 numbers of stack, njmax^2 numbers and integers, 600 bytes for each contact.
  return (stack >= 0 ? 8 * stack : 40 * rows ** 2) + 12 * rows ** 2 + 600 * contacts;
}

/** MuJoCo's units: `64M` and so on, up to exabytes. */
function bytesIn(text: string): number {
  const [, number = "0", unit = ""] = /^\s*(\d+)\s*([KMGTPE]?)\s*$/i.exec(text) ?? [];
  return Number(number) * 1024 ** ("KMGTPE".indexOf(unit.toUpperCase() || " ") + 1);
}
