import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { parseJson, parseJsonPrefix } from "./json.js";
import { JsonParser, JsonSyntaxError } from "./json-parser.js";

function failure(text: string): DataError {
  try {
    parseJson(text, "file.json");
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe("parseJson", () => {
  it("parseJson reads NaN and infinities as Python writes them", () => {
    const text = '{"a": NaN, "b": [Infinity, -Infinity], "c": "NaN, Infinity", "d\\n": -1.5e3}';
    expect(parseJson(text, "f")).toEqual({
      a: Number.NaN,
      b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      c: "NaN, Infinity",
      "d\n": -1500,
    });
  });

  it("parseJson names file, line and column of a syntax error and quotes it", () => {
    const error = failure('{\n  "a": 1,\n  "b": oops\n}');
    expect(error.code).toBe("bad_json");
    expect(error.where).toBe("file.json:3:8");
    expect(error.message).toContain('"b": oops');
  });

  it.each([
    ["[1, 2", "file.json:1:6"],
    ['{"a": "unfinished', "file.json:1:18"],
    ['{"a": -', "file.json:1:8"],
    ['["\\u00', "file.json:1:7"],
    ["[Na", "file.json:1:4"],
    ["", "file.json:1:1"],
  ])("parseJson reports %s as cut off", (text, where) => {
    const error = failure(text);
    expect(error.message).toContain("unexpected end of the file");
    expect(error.where).toBe(where);
    expect(error.hint).toContain("cut off");
  });

  it.each([
    "[1,]",
    "{'a': 1}",
    "[01]",
    "[+1]",
    "[1.]",
    "nan",
    "[NaNa]",
    '["\\x"]',
    "[1] 2",
    '["\t"]',
  ])("parseJson rejects %s", (text) => {
    expect(failure(text).code).toBe("bad_json");
  });

  it("parseJson rejects nesting that would exhaust the stack", () => {
    expect(failure(`${"[".repeat(100_000)}NaN`).message).toContain("nested deeper");
  });

  it("__proto__ in a document cannot change the prototype of an object", () => {
    const value = parseJson('{"__proto__": {"admin": true}, "n": NaN}', "f");
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(Object(value))).toEqual(["__proto__", "n"]);
  });
});

describe("JsonParser", () => {
  it("JsonParser agrees with JSON.parse on all JSON", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(new JsonParser(text).parse()).toEqual(JSON.parse(text));
      }),
    );
  });

  it("JsonParser accepts nothing beyond JSON except three literals", () => {
    const piece = fc.constantFrom(
      ...'[]{}:,"\\-+.0123eEtrun \n'.split(""),
      "true",
      "null",
      '"a"',
      '"a":',
      "\\u00e9",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join("");
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => new JsonParser(text).parse()).toThrow(JsonSyntaxError);
          return;
        }
        expect(new JsonParser(text).parse()).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("truncated JSON", () => {
  const document = fc.oneof(
    fc.array(fc.jsonValue(), { minLength: 1 }),
    fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
  );
  const cut = fc
    .tuple(document, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([value, share]) => {
      const text = JSON.stringify(value);
      return text.slice(0, Math.floor(share * (text.length - 1)));
    });

  it("truncated JSON is never parsed as a complete document", () => {
    fc.assert(
      fc.property(cut, (text) => {
        expect(failure(text).code).toBe("bad_json");
      }),
    );
  });

  it("truncated JSON has a prefix of complete values that always parses", () => {
    fc.assert(
      fc.property(cut, (text) => {
        new JsonParser(text, { partial: true }).parse();
      }),
    );
    expect(parseJsonPrefix('[{"a": 1, "b": [2, 3')).toEqual([{ a: 1, b: [2] }]);
    expect(parseJsonPrefix('{"a": "x", "b": 1.')).toEqual({ a: "x" });
    expect(parseJsonPrefix('{"a": tr')).toEqual({});
  });

  it("text that is not JSON has no prefix", () => {
    expect(parseJsonPrefix("PAR1....")).toBeUndefined();
  });

  it("the prefix of JSON Lines is the first line", () => {
    expect(parseJsonPrefix('{"a": 1}\n{"a": 2}\n')).toEqual({ a: 1 });
  });
});
