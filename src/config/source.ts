import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { ConfigError, show } from "../core/errors.js";
import { isRecord } from "../core/record.js";
import { YamlParser } from "./parse.js";

/** Keys and list indices from the top of a document. */
export type ConfigPath = readonly (string | number)[];

const MERGE_KEY = "<<";
/** Real files repeat an anchor a few times; "billion laughs" files expand exponentially. */
const MOST_ALIASES = 100;
const SECTIONS_HINT = "a benchmark has the sections benchmark, <x>_task and dataset";

/** A value of the document, with its key if it is in a mapping. */
interface YamlEntry {
  readonly key?: Node;
  readonly value: Node | null | undefined;
}

/** A YAML text with the position of each value. */
export class YamlSource {
  readonly #parser: YamlParser;

  /** @throws ConfigError `yaml_syntax` */
  constructor(
    text: string,
    readonly file: string,
  ) {
    // A byte order mark is not content and would shift the columns of the first line.
    this.#parser = new YamlParser(text.replace(/^\uFEFF/, ""), file);
  }

  /** The content as plain data. Each alias gets its own copy, so that edits stay local. */
  toPlain(): unknown {
    try {
      return plainCopy(this.#parser.document.toJS({ maxAliasCount: MOST_ALIASES }));
    } catch (error) {
      const tooDeep = error instanceof RangeError;
      const problem = tooDeep
        ? "the file is nested too deeply to read"
        : `the aliases (*name) expand to more than ${MOST_ALIASES} copies`;
      const hint = tooDeep ? undefined : "write the values out";
      throw this.#parser.error(0, problem, { hint, cause: error });
    }
  }

  /** The content of a file that must be a mapping of sections. */
  toMapping(): Readonly<Record<string, unknown>> {
    const plain = this.toPlain();
    if (isRecord(plain)) return plain;
    const { contents } = this.#parser.document;
    if (isEmpty(contents)) {
      throw new ConfigError("bad_config", "the file is empty", {
        where: this.file,
        hint: SECTIONS_HINT,
      });
    }
    const what = Array.isArray(plain) ? "a list" : show(plain, 40);
    throw new ConfigError("bad_config", `expected a mapping of sections, got ${what}`, {
      where: this.locate([]),
      hint:
        typeof plain === "string"
          ? "a key is followed by a colon and a space: `name: value`"
          : `${SECTIONS_HINT}; is this a dataset?`,
    });
  }

  /** `file:line:column` of a value; for a block, of its key, because the block starts on the next line. */
  locate(path: ConfigPath, at: "key" | "value" = "value"): string {
    return this.#parser.at(this.offset(path, at));
  }

  /** Like `locate`, as an offset in the text. A missing value gives its nearest parent. */
  offset(path: ConfigPath, at: "key" | "value" = "value"): number {
    const { entry, complete } = this.#walk(path);
    const { key, value } = entry;
    const pointsAtKey = at === "key" || !complete || isBlock(value) || isEmpty(value);
    return (pointsAtKey && key ? key : value)?.range?.[0] ?? 0;
  }

  has(path: ConfigPath): boolean {
    return this.#walk(path).complete;
  }

  /** Follows `path` as far as the file has it. */
  #walk(path: ConfigPath): { readonly entry: YamlEntry; readonly complete: boolean } {
    let entry: YamlEntry = { value: this.#parser.document.contents };
    for (const step of path) {
      const next = this.#child(this.#resolve(entry.value), step);
      if (!next) return { entry, complete: false };
      entry = next;
    }
    return { entry, complete: true };
  }

  #child(node: Node | null | undefined, step: string | number): YamlEntry | undefined {
    if (isSeq<Node>(node)) {
      const value = node.items[Number(step)];
      return value && { value };
    }
    if (!isMap<Node, Node | null>(node)) return undefined;
    const pair = find(node, String(step));
    if (pair) return { key: pair.key, value: pair.value };
    const merged = this.#resolve(find(node, MERGE_KEY)?.value);
    for (const source of isSeq<Node>(merged) ? merged.items : [merged]) {
      const found = this.#child(this.#resolve(source), step);
      if (found) return found;
    }
    return undefined;
  }

  #resolve(node: Node | null | undefined): Node | null | undefined {
    return isAlias(node) ? node.resolve(this.#parser.document) : node;
  }
}

function find(map: YAMLMap<Node, Node | null>, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function isBlock(node: Node | null | undefined): boolean {
  return isCollection(node) && node.flow !== true;
}

/** True if nothing is written: `key:` alone, or a file of comments. */
function isEmpty(node: Node | null | undefined): boolean {
  return !node || (isScalar(node) && node.value === null && !node.source);
}

function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy);
  if (!isRecord(value)) return value;
  // `fromEntries` defines keys instead of assigning them, so `__proto__` is an ordinary key.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainCopy(item)]));
}
