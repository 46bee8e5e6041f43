import { DataError } from "../../core/errors.js";
import { badEncoding } from "./bytes.js";
import { parseJson } from "./json.js";
import {
  entryTooLarge,
  MAX_JSON_CONTAINERS,
  MAX_JSON_ENTRY,
  tooManyContainers,
} from "./json-limits.js";

export type JsonPart =
  /** An item of the list under `key`, or of the document itself if `key` is null. */
  | {
      readonly kind: "item";
      readonly key: string | null;
      readonly index: number;
      readonly value: unknown;
      /** The value as the file writes it. */
      readonly text: string;
    }
  /** An entry of the object under `key`. */
  | { readonly kind: "entry"; readonly key: string; readonly name: string; readonly value: unknown }
  /** Any other member of the document. */
  | { readonly kind: "member"; readonly key: string; readonly value: unknown };

type Expecting =
  | "value"
  | "value-or-end"
  | "key"
  | "key-or-end"
  | "colon"
  | "comma-or-end"
  | "nothing";

/** A container whose parts are emitted one by one: the document, or a list or object directly in it. */
interface Container {
  readonly close: number;
  /** Null for the document itself. */
  readonly key: string | null;
  /** The name of the entry whose value follows. */
  name: string;
  index: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON, NEWLINE] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Bytes with a meaning outside strings; all others are skipped. */
const SPECIAL = new Uint8Array(256);
for (const byte of [QUOTE, NEWLINE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT])
  SPECIAL[byte] = 1;
const SPACE = new Uint8Array(256);
for (const byte of [0x20, 0x09, 0x0d, NEWLINE]) SPACE[byte] = 1;

/** Shared, because creating a decoder costs more than decoding most parts. */
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits JSON text that arrives in chunks into its parts. The scanner only finds where each part begins and
 * ends; `parseJson` parses it, which also handles Python's bare `NaN` and reports exact positions.
 */
export class JsonScanner {
  /** The keys whose lists and maps have begun; null for a document that is itself a list. */
  readonly opened = new Set<string | null>();
  readonly #stack: Container[] = [];
  #expecting: Expecting = "value";
  /** True while the parts of the document's outermost list or object are emitted. */
  #started = false;

  /** The current value: its bytes from earlier chunks, and the nesting depth within it. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #containers = 0;
  #inValue = false;
  #isKey = false;
  #isScalar = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  #line = 1;
  /** Offsets in the file of the current line and of the current chunk. */
  #lineStart = 0;
  #offset = 0;
  #valueLine = 1;
  #valueColumn = 1;

  constructor(
    readonly file: string,
    readonly lists: ReadonlySet<string>,
    readonly maps: ReadonlySet<string>,
  ) {}

  *push(whole: Buffer): Generator<JsonPart> {
    const bom = this.#offset === 0 && whole.subarray(0, 3).equals(BOM) ? 3 : 0;
    const chunk = whole.subarray(bom);
    this.#offset += bom;
    let at = 0;
    let start = 0;
    while (at < chunk.length) {
      if (!this.#inValue) {
        at = this.#structure(chunk, at);
        start = at;
        continue;
      }
      const end = this.#within(chunk, at);
      if (end === -1) break;
      const part = this.#finish(this.#take(chunk, start, end));
      at = end;
      if (part) yield part;
    }
    if (this.#inValue) this.#keep(chunk.subarray(start));
    this.#offset += chunk.length;
  }

  /** Signals the end of the input. */
  end(): void {
    if (this.#inValue && this.#isScalar && !this.#started)
      this.#finish(this.#take(Buffer.alloc(0), 0, 0));
    if (this.#inValue) {
      // Parsing the incomplete part gives the most precise error. If it parses, only its container is
      // unclosed.
      const text = Buffer.concat(this.#kept);
      if (!this.#isScalar)
        parseJson(this.#decode(text), this.file, this.#valueLine, this.#valueColumn);
    }
    if (this.#expecting === "nothing" && !this.#inValue) return;
    throw this.#syntaxError(
      "the file ends too early",
      this.#offset,
      "the file is cut off: copy or download it again",
    );
  }

  /** Handles one byte between values and returns the position of the next byte to handle. */
  #structure(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && SPACE[chunk[at] as number]) {
      if (chunk[at] === NEWLINE) this.#newline(at);
      at++;
    }
    if (at === chunk.length) return at;
    const byte = chunk[at] as number;
    const container = this.#stack.at(-1);
    switch (this.#expecting) {
      case "nothing":
        throw this.#syntaxError(
          "unexpected content after the end of the document",
          this.#offset + at,
        );
      case "colon":
        if (byte !== COLON) throw this.#unexpected(byte, at, "a colon");
        this.#expecting = "value";
        return at + 1;
      case "comma-or-end":
        if (container && byte === container.close) return this.#close(at);
        if (byte !== COMMA)
          throw this.#unexpected(byte, at, "a comma or the end of the list or object");
        this.#expecting = container?.close === CLOSE_OBJECT ? "key" : "value";
        return at + 1;
      case "key":
      case "key-or-end":
        if (this.#expecting === "key-or-end" && byte === CLOSE_OBJECT) return this.#close(at);
        if (byte !== QUOTE) throw this.#unexpected(byte, at, "a key in quotes");
        return this.#begin(byte, at, true);
      case "value-or-end":
        if (container && byte === container.close) return this.#close(at);
        return this.#value(byte, at);
      case "value":
        return this.#value(byte, at);
    }
  }

  /** Begins a value: either a container to split, or one to collect whole. */
  #value(byte: number, at: number): number {
    const inDocument = this.#stack.length === 1 && this.#stack[0]?.close === CLOSE_OBJECT;
    const key = this.#stack[0]?.name ?? "";
    if (byte === OPEN_LIST && (!this.#started || (inDocument && this.lists.has(key)))) {
      return this.#open(CLOSE_LIST, at);
    }
    if (byte === OPEN_OBJECT && (!this.#started || (inDocument && this.maps.has(key)))) {
      return this.#open(CLOSE_OBJECT, at);
    }
    return this.#begin(byte, at, false);
  }

  #open(close: number, at: number): number {
    const key = this.#started ? (this.#stack[0]?.name ?? "") : null;
    if (key !== null || close === CLOSE_LIST) this.opened.add(key);
    this.#stack.push({ close, key, name: "", index: 0 });
    this.#started = true;
    this.#expecting = close === CLOSE_LIST ? "value-or-end" : "key-or-end";
    return at + 1;
  }

  #close(at: number): number {
    this.#stack.pop();
    this.#expecting = this.#stack.length === 0 ? "nothing" : "comma-or-end";
    return at + 1;
  }

  #begin(byte: number, at: number, isKey: boolean): number {
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      throw this.#unexpected(byte, at, "a value");
    }
    this.#inValue = true;
    this.#isKey = isKey;
    this.#isScalar = byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_OBJECT;
    this.#depth = 0;
    this.#containers = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#valueLine = this.#line;
    this.#valueColumn = this.#offset + at - this.#lineStart + 1;
    return at;
  }

  /**
   * Returns the end of the current value, or -1 if it is not in this chunk. Every byte of a dataset passes
   * through here, so the state is held in local variables.
   */
  #within(chunk: Buffer, from: number): number {
    if (this.#isScalar) return endOfScalar(chunk, from);
    const { length } = chunk;
    let depth = this.#depth;
    let opened = 0;
    let inString = this.#inString;
    let at = this.#escaped ? from + 1 : from;
    let end = -1;
    while (at < length) {
      const byte = chunk[at++] as number;
      if (inString) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) {
            end = at;
            break;
          }
        }
      } else if (SPECIAL[byte]) {
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
          depth++;
          opened++;
        } else if (byte === NEWLINE) this.#newline(at - 1);
        else if (--depth === 0) {
          end = at;
          break;
        }
      }
    }
    this.#depth = depth;
    this.#containers += opened;
    this.#inString = inString;
    // The chunk ended in a backslash, so the escaped byte is the first of the next chunk.
    this.#escaped = at > length;
    return end;
  }

  /** @throws if the value is too large to parse, before it takes up memory */
  #keep(bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    const where = `${this.file}:${this.#valueLine}:${this.#valueColumn}`;
    if (this.#keptBytes > MAX_JSON_ENTRY) throw entryTooLarge(where, this.#keptBytes);
    if (this.#containers > MAX_JSON_CONTAINERS) throw tooManyContainers(where);
  }

  #take(chunk: Buffer, start: number, end: number): Buffer {
    const last = chunk.subarray(start, end);
    if (this.#kept.length === 0) return last;
    const whole = Buffer.concat([...this.#kept, last]);
    this.#kept = [];
    this.#keptBytes = 0;
    return whole;
  }

  #finish(bytes: Buffer): JsonPart | undefined {
    this.#inValue = false;
    const text = this.#decode(bytes);
    const value = parseJson(text, this.file, this.#valueLine, this.#valueColumn);
    const container = this.#stack.at(-1);
    if (!container) {
      this.#started = true;
      this.#expecting = "nothing";
      throw this.#syntaxError("the document is neither a list nor an object", 0);
    }
    if (this.#isKey) {
      container.name = String(value);
      this.#expecting = "colon";
      return undefined;
    }
    this.#expecting = "comma-or-end";
    const { key, name } = container;
    if (container.close === CLOSE_LIST)
      return { kind: "item", key, index: container.index++, value, text };
    return key === null
      ? { kind: "member", key: name, value }
      : { kind: "entry", key, name, value };
  }

  #decode(bytes: Buffer): string {
    try {
      return DECODER.decode(bytes);
    } catch (cause) {
      throw badEncoding(`${this.file}:${this.#valueLine}`, cause);
    }
  }

  #newline(at: number): void {
    this.#line++;
    this.#lineStart = this.#offset + at + 1;
  }

  #unexpected(byte: number, at: number, wanted: string): DataError {
    return this.#syntaxError(
      `expected ${wanted}, found "${String.fromCharCode(byte)}"`,
      this.#offset + at,
    );
  }

  #syntaxError(problem: string, offset: number, hint?: string): DataError {
    const column = Math.max(1, offset - this.#lineStart + 1);
    return new DataError("bad_json", `not valid JSON: ${problem}`, {
      where: `${this.file}:${this.#line}:${column}`,
      hint,
    });
  }
}

function endOfScalar(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] as number;
    if (SPACE[byte] || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) return at;
  }
  return -1;
}
