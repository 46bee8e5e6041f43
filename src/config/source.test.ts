import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ConfigError, errorMessage } from "../core/errors.js";
import { YamlSource } from "./source.js";

function failure(text: string): ConfigError {
  try {
    new YamlSource(text, "b.yaml").toMapping();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("YAML syntax error", () => {
  it.each([
    ["a tab", "a:\n\tb: 1\n", "b.yaml:2:1", "tab is used for indentation", "spaces only"],
    ["bad indentation", "a:\n  b: 1\n c: 2\n", "b.yaml:3:2", "indentation", "same column"],
    ["a duplicate key", "a: 1\nb: 2\na: 3\n", "b.yaml:3:1", "twice", "remove or rename one"],
    ["two documents", "a: 1\n---\nb: 2\n", "b.yaml:2:1", "more than one YAML document", "---"],
    ["an open quote", 'a: 1\nb: "x\nc: 2\n', "b.yaml:2:4", 'the " that opens here', 'closing "'],
    ["a forgotten space", "a: 1\nb:2\nc: 3\n", "b.yaml:2:1", "no `key: value`", "a space"],
    ["a last line without a colon", "a: 1\nb\n", "b.yaml:2:1", "no `key: value`", "a space"],
    ["an open bracket", "x:\n  a: [1, {b: 2]\n  c: 1\n", "b.yaml:2:10", "the { that", "closing }"],
    ["an open list", "a: [1, 2\nb: 3\n", "b.yaml:1:4", "the [ that opens", "closing ]"],
    ["a second colon", "a: b: c\n", "b.yaml:1:4", "second `key: value`", "quotes"],
    ["a reserved character", "a: @x\n", "b.yaml:1:4", "cannot begin with", "quotes"],
    ["a backslash", 'a: "C:\\data"\n', "b.yaml:1:7", "escape", "single quotes"],
    ["a glob", "a: *.json\n", "b.yaml:1:4", "anchor that does not exist", "quotes"],
    ["a value in itself", "a: &a [1, *a]\n", "b.yaml:1:11", "inside the value", "write"],
    ["a tag", "a: !!python/object x\n", "b.yaml:1:4", "tags", "remove"],
    ["a mapping as a key", "{a: b}: 2\n", "b.yaml:1:1", "key must be plain text", "quotes"],
  ])(
    "the YAML parser locates and explains the syntax error %s",
    (_, text, where, problem, hint) => {
      const error = failure(text);
      expect(error).toMatchObject({ code: "yaml_syntax", where });
      expect(error.message).toContain(problem);
      expect(error.hint).toContain(hint);
    },
  );

  it("a YAML syntax error shows its line with a caret at the position, for any line ends", () => {
    expect(errorMessage(failure("a: 1\r\nb: @x\r\n")).split("\n")).toEqual([
      "b.yaml:2:4: a value cannot begin with this character",
      "  | b: @x",
      "  |    ^",
      "  hint: put the value in quotes",
    ]);
  });

  it("a YAML syntax error without a text of ours has the parser message", () => {
    expect(failure("a: 'it's'\n").message).toMatch(/^unexpected scalar/);
  });
});

describe("file that is not a mapping", () => {
  it.each([
    ["", "the file is empty", "b.yaml"],
    ["# only a comment\n", "the file is empty", "b.yaml"],
    ["\n- a\n- b\n", "got a list", "b.yaml:2:1"],
    ["null\n", "got null", "b.yaml:1:1"],
    ["a:1\nb:2\n", 'got "a:1 b:2"', "b.yaml:1:1"],
  ])("the YAML parser rejects a file that is not a mapping: %j", (text, problem, where) => {
    const error = failure(text);
    expect(error).toMatchObject({ code: "bad_config", where });
    expect(error.message).toContain(problem);
  });
});

describe("file built to exhaust the parser", () => {
  it("the YAML parser rejects aliases that refer to aliases", () => {
    const levels = [..."bcdefghij"].map((name, i) => {
      const below = "abcdefghij"[i];
      return `${name}: &${name} [${Array(9).fill(`*${below}`).join(", ")}]\n`;
    });
    expect(failure(`a: &a [x, x, x]\n${levels.join("")}`).message).toContain("aliases");
  });

  it.each([20_000, 3_000, 1_000])(
    "the YAML parser reads or rejects a file with %i levels of nesting",
    (depth) => {
      const text = `a: ${"[".repeat(depth)}${"]".repeat(depth)}`;
      try {
        new YamlSource(text, "b.yaml").toMapping();
      } catch (error) {
        expect(error).toMatchObject({ code: "yaml_syntax" });
      }
    },
  );
});

describe("YAML parsing", () => {
  const plain = (text: string) => new YamlSource(text, "b.yaml").toPlain();

  it("the YAML parser parses YAML 1.2 even if a directive asks for 1.1", () => {
    expect(plain("%YAML 1.1\n---\na: no\nb: 1:30\n")).toEqual({ a: "no", b: "1:30" });
  });

  it("the YAML parser accepts a closing bracket below its key", () => {
    expect(plain("a:\n  b: [\n    1,\n  ]\n  c: 2\n")).toEqual({ a: { b: [1], c: 2 } });
  });

  it("the YAML parser reads keys as text", () => {
    expect(plain("1: a\ntrue: b\n")).toEqual({ 1: "a", true: "b" });
  });

  it("the YAML parser copies what aliases and merge keys repeat", () => {
    const value = plain("base: &b {x: {y: 1}}\none: *b\ntwo: {<<: *b, z: 2}\n");
    expect(value).toEqual({
      base: { x: { y: 1 } },
      one: { x: { y: 1 } },
      two: { x: { y: 1 }, z: 2 },
    });
    const { base, one } = value as { base: { x: object }; one: { x: object } };
    expect(one.x).not.toBe(base.x);
  });
});

describe("locate", () => {
  const source = new YamlSource(
    "base: &b\n  x: 1\nlist:\n  - p: 1\n    q: 2\n  - [5, 6]\nempty:\none: *b\ntwo:\n  <<: *b\n  z: 2\n",
    "b.yaml",
  );

  it.each([
    [["base", "x"], "2:6"],
    [["base"], "1:1"],
    [["list", 0, "q"], "5:8"],
    [["list", 0], "4:5"],
    [["list", 1, 1], "6:9"],
    [["empty"], "7:1"],
    [["one"], "8:6"],
    [["one", "x"], "2:6"],
    [["two", "x"], "2:6"],
    [["two", "z"], "11:6"],
  ])("locate finds %j at %s", (path, place) => {
    expect(source.locate(path)).toBe(`b.yaml:${place}`);
  });

  it.each([
    [["base", "nothing"], "1:1"],
    [["base", "nothing", "below", 3], "1:1"],
    [["list", 7], "3:1"],
    [["list", 0, "r"], "4:5"],
    [["base", "x", "deeper"], "2:3"],
    [["absent"], "1:1"],
    [[], "1:1"],
  ])("locate finds %j, which does not exist, at its nearest parent: %s", (path, place) => {
    expect(source.locate(path)).toBe(`b.yaml:${place}`);
    if (path.length > 0) expect(source.has(path)).toBe(false);
  });

  it("locate points at the text of any number in any document", () => {
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.integer({ min: 1, max: 99_999 }),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z操作]{1,4}$/), tie("node"), { maxKeys: 3 }),
      ),
    }));
    const documents = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), node, { minKeys: 1 });
    fc.assert(
      fc.property(documents, fc.constantFrom("\n", "\r\n"), (document, lineEnd) => {
        const text = stringify(document, { aliasDuplicateObjects: false }).replaceAll(
          "\n",
          lineEnd,
        );
        const read = new YamlSource(text, "b.yaml");
        for (const [path, value] of numbers(document, [])) {
          const [, line = 0, column = 0] = read.locate(path).split(":").map(Number);
          const rest = text.split("\n")[line - 1]?.slice(column - 1) ?? "";
          expect(Number.parseInt(rest, 10)).toBe(value);
        }
      }),
    );
  });
});

function numbers(value: unknown, path: (string | number)[]): [(string | number)[], number][] {
  if (typeof value === "number") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item, i) => numbers(item, [...path, i]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => numbers(item, [...path, key]));
}
