/** What is wrong, and at which character. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(
    message: string,
    readonly offset: number,
    /** Nothing is wrong but that the text ends too early. */
    readonly atEnd: boolean,
  ) {
    super(message);
  }
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** A number or a word, right or wrong. */
const TOKEN = /[-+.0-9A-Za-z]*/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** A backslash whose rest is behind the end of the text: a cut, not a mistake. */
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
/** Up to the next quote, backslash or control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not hold them, so they end the run
const PLAIN = /[^"\\\u0000-\u001f]*/y;

/** The words that JSON has, and the three that Python's writer adds. */
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Deeper than any dataset, shallower than the stack. */
const MAX_DEPTH = 1000;

/**
 * A JSON parser for what the engine's refuses: Python's bare `NaN` and `Infinity` and, with
 * `partial`, a text that was cut off, which then gives the values that were complete.
 */
export class JsonParser {
  readonly #text: string;
  readonly #partial: boolean;
  #at = 0;
  #depth = 0;
  /** The end of the text was met inside a value; only with `partial`. */
  #cut = false;

  constructor(text: string, options: { readonly partial?: boolean } = {}) {
    this.#text = text;
    this.#partial = options.partial ?? false;
  }

  /** With `partial`, what follows the first value is not looked at: it may be JSON's next line. */
  parse(): unknown {
    const value = this.#value();
    if (this.#partial) return value;
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the file");
    return value;
  }

  /** Undefined for a value that the end of the text has cut in two. */
  #value(): unknown {
    this.#match(SPACE);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #nested<T>(read: () => T): T {
    if (this.#depth === MAX_DEPTH) {
      throw new JsonSyntaxError(`nested deeper than ${MAX_DEPTH} levels`, this.#at, false);
    }
    this.#depth++;
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #array(): unknown[] {
    const out: unknown[] = [];
    this.#match(SPACE);
    if (this.#skip("]")) return out;
    for (;;) {
      const value = this.#value();
      if (value !== undefined) out.push(value);
      if (this.#cut || !this.#more("]")) return out;
    }
  }

  #object(): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    this.#match(SPACE);
    if (this.#skip("}")) return out;
    for (;;) {
      this.#match(SPACE);
      if (this.#ends()) return out;
      if (this.#text[this.#at] !== '"') throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      this.#match(SPACE);
      if (key === undefined || this.#ends()) return out;
      if (!this.#skip(":")) throw this.#unexpected('":"');
      const value = this.#value();
      if (value !== undefined) put(out, key, value);
      if (this.#cut || !this.#more("}")) return out;
    }
  }

  /** After an element: true at a comma, false at the closing bracket or a tolerated end. */
  #more(close: string): boolean {
    this.#match(SPACE);
    if (this.#ends() || this.#skip(close)) return false;
    if (this.#skip(",")) return true;
    throw this.#unexpected(`"," or "${close}"`);
  }

  #string(): string | undefined {
    const start = this.#at;
    let plain = true;
    this.#at++;
    for (;;) {
      this.#match(PLAIN);
      if (this.#skip('"')) break;
      if (this.#ends()) return undefined;
      plain = false;
      if (this.#match(ESCAPE) !== "") continue;
      if (!CUT_ESCAPE.test(this.#text.slice(this.#at, this.#at + 7))) {
        throw this.#unexpected("a valid character of a string");
      }
      this.#at = this.#text.length;
    }
    if (plain) return this.#text.slice(start + 1, this.#at - 1);
    return String(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #scalar(): unknown {
    const start = this.#at;
    const token = this.#match(TOKEN);
    const touchesEnd = this.#at === this.#text.length;
    // In a cut-off text the end of a number cannot be told from its middle.
    if (touchesEnd && this.#partial && this.#ends()) return undefined;
    if (WORDS.has(token)) return WORDS.get(token);
    if (NUMBER.test(token)) return Number(token);
    if (touchesEnd && isUnfinished(token)) this.#ends();
    this.#at = start;
    throw this.#unexpected("a value");
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #skip(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** Whether the text is over: tolerated with `partial`, else the error that says so. */
  #ends(): boolean {
    if (this.#at < this.#text.length) return false;
    if (!this.#partial) throw new JsonSyntaxError("unexpected end of the file", this.#at, true);
    this.#cut = true;
    return true;
  }

  #unexpected(expected: string): JsonSyntaxError {
    const char = this.#text[this.#at];
    if (char === undefined)
      return new JsonSyntaxError("unexpected end of the file", this.#at, true);
    const found = JSON.stringify(char);
    return new JsonSyntaxError(`unexpected ${found}, expected ${expected}`, this.#at, false);
  }
}

/** Whether something could follow that makes a number or a word of it. */
function isUnfinished(token: string): boolean {
  if (/^-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?)?$/.test(token)) return true;
  return [...WORDS.keys()].some((word) => word.startsWith(token));
}

/** As JSON.parse does it: `__proto__` is a key like any other. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else target[key] = value;
}
