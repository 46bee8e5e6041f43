import { DataError, show } from "../../core/errors.js";

/** A word, or a list in parentheses, with its offset in the text. */
export type Expression = Word | List;

export interface Word {
  readonly kind: "word";
  readonly text: string;
  readonly offset: number;
}

export interface List {
  readonly kind: "list";
  readonly items: readonly Expression[];
  readonly offset: number;
}

/** Real task files nest six levels deep; deeper nesting indicates a damaged or hostile file. */
const MAX_DEPTH = 64;

/** Text of parentheses and words; `;` begins a comment to the end of the line. */
export class SourceText {
  constructor(
    readonly text: string,
    readonly file: string,
  ) {}

  /** Parses the single list that makes up the text. */
  parse(): List {
    const open: { items: Expression[]; offset: number }[] = [];
    let whole: List | undefined;
    for (const { 0: token, index: offset } of this.text.matchAll(/;[^\n]*|[()]|[^\s();]+/g)) {
      if (token.startsWith(";")) continue;
      if (whole) throw this.error(offset, `${show(token)} follows the closing parenthesis`);
      if (token === "(") {
        if (open.length === MAX_DEPTH) throw this.error(offset, `nested deeper than ${MAX_DEPTH}`);
        open.push({ items: [], offset });
        continue;
      }
      const current = open.at(-1);
      if (!current) throw this.error(offset, `expected "(", got ${show(token)}`);
      if (token !== ")") {
        current.items.push({ kind: "word", text: token, offset });
        continue;
      }
      open.pop();
      const list: List = { kind: "list", ...current };
      const outer = open.at(-1);
      if (outer) outer.items.push(list);
      else whole = list;
    }
    const unclosed = open.at(-1);
    if (unclosed) {
      throw this.error(
        unclosed.offset,
        `${open.length} parentheses are not closed, the last one here`,
        "the file is cut off: copy or download it again",
      );
    }
    if (!whole)
      throw this.error(0, "expected a list in parentheses, got only white space and comments");
    return whole;
  }

  error(at: number | Expression, problem: string, hint?: string): DataError {
    const offset = typeof at === "number" ? at : at.offset;
    const before = this.text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    return new DataError("bad_bddl", problem, {
      where: `${this.file}:${line}:${column}`,
      hint,
    });
  }
}
