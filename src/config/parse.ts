import {
  type Alias,
  type Document,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
} from "yaml";
import { ConfigError } from "../core/errors.js";
import { otherwise, SYNTAX_TEXTS, snippet } from "./syntax.js";

/** Parses one YAML document; anything that is not plain, sound YAML is a `yaml_syntax` error. */
export class YamlParser {
  readonly document: Document.Parsed;
  readonly #lines = new LineCounter();

  constructor(
    readonly text: string,
    readonly file: string,
  ) {
    try {
      this.document = parseDocument(text, {
        lineCounter: this.#lines,
        prettyErrors: false,
        // 1.2 whatever a %YAML directive says: in 1.1 `no` is false and 1:30 is ninety.
        schema: "core",
        resolveKnownTags: false,
        merge: true,
        stringKeys: true,
        uniqueKeys: true,
      });
      const problem = this.document.errors[0] ?? this.document.warnings[0];
      if (problem) throw this.#syntaxError(problem);
      this.#checkAliases();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.error(0, "the file is nested too deeply to read", { cause: error });
    }
  }

  /** `file:line:column`; both count from 1, columns in UTF-16 units as editors do. */
  at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  }

  error(
    offset: number,
    problem: string,
    details: { hint?: string | undefined; cause?: unknown },
  ): ConfigError {
    const message = `${problem}\n${snippet(this.text, offset)}`;
    return new ConfigError("yaml_syntax", message, { where: this.at(offset), ...details });
  }

  #syntaxError(error: Pick<YAMLParseError, "code" | "message" | "pos">): ConfigError {
    const opening = error.code === "MISSING_CHAR" ? this.#openQuote(error.pos[0]) : undefined;
    if (opening !== undefined) {
      return this.error(opening, "the quote that opens here is never closed", {
        hint: "add the closing quote",
      });
    }
    // Indentation errors point at the start of the line; the reader looks for its first word.
    let offset = error.pos[0];
    while (this.text[offset] === " ") offset++;
    const { problem, hint } = SYNTAX_TEXTS[error.code] ?? otherwise(error.message);
    return this.error(offset, problem, { hint });
  }

  /** An open quote is noticed where the text ends; the mistake is where it began. */
  #openQuote(end: number): number | undefined {
    let found: number | undefined;
    visit(this.document, {
      Scalar: (_, node) => {
        const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
        if (quoted && node.range && node.range[0] < end && node.range[1] >= end) {
          found = node.range[0];
        }
      },
    });
    return found;
  }

  /** The library finds these only while converting, and then without a place. */
  #checkAliases(): void {
    visit(this.document, {
      Alias: (_, alias: Alias) => {
        const offset = alias.range?.[0] ?? 0;
        const name = alias.source;
        const target = alias.resolve(this.document);
        if (!target) {
          throw this.error(offset, `*${name} refers to an anchor that does not exist above`, {
            hint: `put text that begins with * in quotes, or define &${name} first`,
          });
        }
        const [start, end] = target.range ?? [0, 0];
        if (start <= offset && offset < end) {
          throw this.error(offset, `*${name} stands inside the value it refers to`, {
            hint: "write the value out",
          });
        }
      },
    });
  }
}
