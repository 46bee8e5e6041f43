import {
  type Alias,
  type Document,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
  type YAMLWarning,
} from "yaml";
import { ConfigError } from "../core/errors.js";
import { parserText, SYNTAX_TEXTS, snippet } from "./syntax.js";

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", "[": "]", "{": "}" };

/** Parses one YAML document; anything else than plain, valid YAML is a `yaml_syntax` error. */
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
        // Ignore %YAML directives: in 1.1, `no` is false and 1:30 is ninety.
        schema: "core",
        resolveKnownTags: false,
        merge: true,
        stringKeys: true,
        uniqueKeys: true,
      });
      // Ignore style warnings. An unknown tag is an error: it would be dropped and its value read as text.
      const isLoss = (warning: YAMLWarning) => warning.code === "TAG_RESOLVE_FAILED";
      const problem = this.document.errors[0] ?? this.document.warnings.find(isLoss);
      if (problem) throw this.#syntaxError(problem);
      this.#checkAliases();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw this.error(0, "the file is nested too deeply to read", { cause: error });
    }
  }

  /** `file:line:column`; both count from 1, columns in UTF-16 units as in editors. */
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
    const open = this.#openAt(error.pos[0]);
    if (open !== undefined) {
      const mark = this.text.charAt(open);
      return this.error(open, `the ${mark} that opens here is not closed where it should be`, {
        hint: `add the closing ${CLOSING[mark]}; in brackets, all lines are indented`,
      });
    }
    // Indentation errors point at the start of the line; move to its first word.
    let offset = error.pos[0];
    while (this.text[offset] === " ") offset++;
    const { problem, hint } = SYNTAX_TEXTS[error.code] ?? parserText(error.message);
    return this.error(offset, problem, { hint });
  }

  /**
   * The quote or bracket that is still open where parsing failed. The mistake is where it starts, while the parser
   * may notice it only at the end of the file.
   */
  #openAt(end: number): number | undefined {
    let found: number | undefined;
    visit(this.document, {
      Node: (_, { range }) => {
        if (!range || range[0] >= end || range[1] !== end) return;
        const closing = CLOSING[this.text.charAt(range[0])];
        if (closing !== undefined && this.text.charAt(end - 1) !== closing) found = range[0];
      },
    });
    return found;
  }

  /** Checks aliases here, because the library reports them only on conversion and without a position. */
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
          throw this.error(offset, `*${name} is inside the value it refers to`, {
            hint: "write the value out",
          });
        }
      },
    });
  }
}
