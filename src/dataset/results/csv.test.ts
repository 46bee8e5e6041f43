import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { CsvReader, type CsvRow } from "./csv.js";

/** Parses text in chunks of the given size. */
function read(text: string, piece = text.length || 1): CsvRow[] {
  const reader = new CsvReader("t.csv");
  const rows: CsvRow[] = [];
  for (let at = 0; at < text.length; at += piece)
    rows.push(...reader.push(text.slice(at, at + piece)));
  return [...rows, ...reader.end()];
}

const texts = (text: string) => read(text).map(({ cells }) => cells.map((cell) => cell.text));

function mistake(text: string): DataError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof DataError) return error;
  }
  throw new Error("no DataError");
}

describe("CsvReader", () => {
  it("CsvReader ends rows with LF or CRLF; the last may end with neither", () => {
    expect(texts("a,b\n1,2\n")).toEqual(texts("a,b\r\n1,2"));
    expect(texts("a,b\n1,2")).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  it("CsvReader keeps commas, line breaks and doubled quotes inside quotes", () => {
    expect(texts('a,"b,c","d\r\ne","say ""yes"""\n')).toEqual([
      ["a", "b,c", "d\r\ne", 'say "yes"'],
    ]);
  });

  it("CsvReader accepts empty cells, quoted or not, and skips blank lines", () => {
    expect(texts('a,,""\n\n\r\n,b,\n')).toEqual([
      ["a", "", ""],
      ["", "b", ""],
    ]);
  });

  it("CsvReader reports the position of each cell, also after line breaks in quotes", () => {
    const [, second] = read('a,b\n"x\ny",z\nlast,1');
    expect(second?.cells).toEqual([
      { text: "x\ny", line: 2, column: 1 },
      { text: "z", line: 3, column: 4 },
    ]);
  });

  it.each([
    ["an unclosed quote", 'a,b\n1,"2', "t.csv:2:3", "not closed"],
    ["a quote in a cell without quotes", 'a,b\n1,2"3', "t.csv:2:4", "inside an unquoted cell"],
    ["text after a closing quote", 'a,"b"c', "t.csv:1:6", 'got "c"'],
    ["a lone carriage return", "a,b\r1,2", "t.csv:1:4", "carriage return"],
    ["a lone carriage return at the end", "a,b\r", "t.csv:1:4", "carriage return"],
  ])("CsvReader rejects %s", (_, text, where, words) => {
    expect(mistake(text)).toMatchObject({
      code: "bad_csv",
      where,
      message: expect.stringContaining(words),
    });
  });

  it("CsvReader round-trips any table, in chunks of any size", () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab,"\n\r é🙂'.split("")) });
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row), fc.integer({ min: 1, max: 5 }), (rows, piece) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((cells) => cells.map(quote).join(",")).join("\r\n");
        const found = read(text, piece).map(({ cells }) => cells.map((one) => one.text));
        expect(found).toEqual(rows);
      }),
    );
  });
});
