import type { ErrorCode } from "yaml";

/** Explains YAML syntax errors to people who do not know YAML's grammar. Other codes keep the parser's message. */
export const SYNTAX_TEXTS: Readonly<Partial<Record<ErrorCode, SyntaxText>>> = {
  TAB_AS_INDENT: {
    problem: "a tab is used for indentation",
    hint: "YAML indents with spaces only: replace the tab",
  },
  BAD_INDENT: {
    problem: "the indentation fits neither the lines above nor their parent",
    hint: "keys of one mapping start in the same column",
  },
  DUPLICATE_KEY: {
    problem: "this mapping has the same key twice",
    hint: "remove or rename one of them",
  },
  MULTIPLE_DOCS: {
    problem: "the file holds more than one YAML document",
    hint: "a benchmark is one document: remove the `---` line, or split the file",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    problem: "a second `key: value` begins on the same line",
    hint: 'put text that contains ": " in quotes, or move the inner key to a line of its own',
  },
  MULTILINE_IMPLICIT_KEY: {
    problem: "there is no `key: value` on this line",
    hint: "a key is followed by a colon and a space; items in brackets have commas between them",
  },
  BAD_SCALAR_START: {
    problem: "a value cannot begin with this character",
    hint: "put the value in quotes",
  },
  BAD_DQ_ESCAPE: {
    problem: "the backslash does not begin an escape that YAML defines",
    hint: "use single quotes, in which a backslash has no special meaning",
  },
  NON_STRING_KEY: {
    problem: "a key must be plain text",
    hint: "a value that begins with { or [ belongs after the colon, or in quotes",
  },
  TAG_RESOLVE_FAILED: {
    problem: "YAML tags (words that begin with !) are not supported",
    hint: "remove the tag, or put the value in quotes if it is text",
  },
  RESOURCE_EXHAUSTION: { problem: "the file is nested too deeply to read" },
  KEY_OVER_1024_CHARS: { problem: "the key is longer than 1024 characters" },
};

interface SyntaxText {
  readonly problem: string;
  readonly hint?: string;
}

/** The parser's message in our style, for codes that are not listed. */
export function parserText(message: string): SyntaxText {
  // One code covers every missing character; people mostly forget the colon.
  if (message.includes("map keys need to be followed")) {
    return {
      problem: "there is no `key: value` on this line",
      hint: "a key is followed by a colon and a space",
    };
  }
  return { problem: message.charAt(0).toLowerCase() + message.slice(1) };
}

/** The line of an error with a caret below the position. */
export function snippet(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, "");
  const column = Math.min(offset - start, line.length);
  // Cut long lines around the position, so that line and caret fit a terminal.
  const from = Math.max(0, column - 50);
  const shown = line.slice(from, from + 76);
  return `  | ${shown}\n  | ${blank(shown.slice(0, column - from))}^`;
}

/** Blanks as wide on a terminal as `text`: tabs stay, and CJK characters take two columns. */
function blank(text: string): string {
  return text.replace(/[^\t]/gu, (c) => (WIDE.test(c) ? "\u3000" : " "));
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;
