/** A syntax error and its character offset. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(
    message: string,
    readonly offset: number,
    /** True if the only error is that the text ends too early. */
    readonly atEnd: boolean,
  ) {
    super(message);
  }
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** A number or literal, valid or not. */
const TOKEN = /[-+.0-9A-Za-z]*/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** An escape sequence cut off by the end of the text. */
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
/** Matches up to the next quote, backslash or control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not contain them, so they end the match
const PLAIN = /[^"\\\u0000-\u001f]*/y;

/** JSON's literals, and the three that Python's `json` module adds. */
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** Deeper than any dataset, and well within the call stack. */
const MAX_DEPTH = 1000;

/**
 * Parses what `JSON.parse` rejects: Python's bare `NaN` and `Infinity` and, with `partial`, truncated text,
 * for which it returns the values that are complete.
 */
export class JsonParser {
  readonly #partial: boolean;
  #at = 0;
  #depth = 0;
  /** Set when the text ends inside a value; only with `partial`. */
  #cut = false;

  constructor(
    private readonly text: string,
    options: { readonly partial?: boolean } = {},
  ) {
    this.#partial = options.partial ?? false;
  }

  /** With `partial`, ignores what follows the first value: it may be the next line of a JSON Lines file. */
  parse(): unknown {
    const value = this.#value();
    if (this.#partial) return value;
    this.#match(SPACE);
    if (this.#at < this.text.length) throw this.#unexpected("the end of the file");
    return value;
  }

  /** Returns undefined for a value cut off by the end of the text. */
  #value(): unknown {
    this.#match(SPACE);
    switch (this.text[this.#at]) {
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
      if (this.text[this.#at] !== '"') throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      this.#match(SPACE);
      if (key === undefined || this.#ends()) return out;
      if (!this.#skip(":")) throw this.#unexpected('":"');
      const value = this.#value();
      if (value !== undefined) put(out, key, value);
      if (this.#cut || !this.#more("}")) return out;
    }
  }

  /** Called after an element. Returns true at a comma, false at the closing bracket or a tolerated end. */
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
      if (!CUT_ESCAPE.test(this.text.slice(this.#at, this.#at + 7))) {
        throw this.#unexpected("a valid character of a string");
      }
      this.#at = this.text.length;
    }
    if (plain) return this.text.slice(start + 1, this.#at - 1);
    return String(JSON.parse(this.text.slice(start, this.#at)));
  }

  #scalar(): unknown {
    const start = this.#at;
    const token = this.#match(TOKEN);
    const touchesEnd = this.#at === this.text.length;
    // In truncated text a number at the end may lack digits, so it is dropped.
    if (touchesEnd && this.#partial && this.#ends()) return undefined;
    if (LITERALS.has(token)) return LITERALS.get(token);
    if (NUMBER.test(token)) return Number(token);
    if (touchesEnd && isUnfinished(token)) this.#ends();
    this.#at = start;
    throw this.#unexpected("a value");
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #skip(char: string): boolean {
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  /** Returns true at the end of the text with `partial`; throws there otherwise. */
  #ends(): boolean {
    if (this.#at < this.text.length) return false;
    if (!this.#partial) throw new JsonSyntaxError("unexpected end of the file", this.#at, true);
    this.#cut = true;
    return true;
  }

  #unexpected(expected: string): JsonSyntaxError {
    const char = this.text[this.#at];
    if (char === undefined)
      return new JsonSyntaxError("unexpected end of the file", this.#at, true);
    const found = JSON.stringify(char);
    return new JsonSyntaxError(`unexpected ${found}, expected ${expected}`, this.#at, false);
  }
}

/** True if more characters could complete this token to a number or literal. */
function isUnfinished(token: string): boolean {
  if (/^-?(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?)?$/.test(token)) return true;
  return [...LITERALS.keys()].some((word) => word.startsWith(token));
}

/** Sets a property as JSON.parse does: `__proto__` is an ordinary key. */
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
