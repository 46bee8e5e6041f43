import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseJson } from "./json.js";
import { type JsonPart, JsonScanner } from "./json-scanner.js";
import { streamJson, streamJsonLines } from "./json-stream.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-json-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Layout {
  readonly lists?: readonly string[];
  readonly maps?: readonly string[];
}

/** Scans text that arrives in chunks, split at the given offsets. */
function scan(
  text: string,
  { lists = [], maps = [] }: Layout = {},
  cuts: readonly number[] = [],
): JsonPart[] {
  const bytes = Buffer.from(text);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  places.sort((a, b) => a - b);
  const scanner = new JsonScanner("f.json", new Set(lists), new Set(maps));
  const parts: JsonPart[] = [];
  places.slice(1).forEach((end, i) => {
    parts.push(...scanner.push(bytes.subarray(places[i], end)));
  });
  scanner.end();
  return parts;
}

/** Reassembles the document from its parts. */
function assemble(parts: readonly JsonPart[], layout: Layout): unknown {
  if (parts.every((part) => part.kind === "item" && part.key === null)) {
    return parts.map((part) => part.value);
  }
  const document: Record<string, unknown> = {};
  for (const key of layout.lists ?? []) document[key] = [];
  for (const key of layout.maps ?? []) document[key] = {};
  for (const part of parts) {
    if (part.kind === "member") document[part.key] = part.value;
    else if (part.kind === "item") (document[part.key ?? ""] as unknown[]).push(part.value);
    else (document[part.key] as Record<string, unknown>)[part.name] = part.value;
  }
  return document;
}

const LAYOUT = { lists: ["episodes"], maps: ["goals"] };

describe("JSON streaming", () => {
  it("JSON streaming emits list items, map entries and whole other members", () => {
    const text = `{"version": [1, 2], "goals": {"a": {"x": 1}, "b": 2}, "episodes": [{"id": "1"}, 3]}`;
    expect(scan(text, LAYOUT)).toEqual([
      { kind: "member", key: "version", value: [1, 2] },
      { kind: "entry", key: "goals", name: "a", value: { x: 1 } },
      { kind: "entry", key: "goals", name: "b", value: 2 },
      { kind: "item", key: "episodes", index: 0, value: { id: "1" }, text: '{"id": "1"}' },
      { kind: "item", key: "episodes", index: 1, value: 3, text: "3" },
    ]);
  });

  it("JSON streaming reassembles any document, wherever its bytes are split", () => {
    const names = fc.string({ unit: "binary" }).filter((name) => name !== "__proto__");
    const document = fc.record({
      episodes: fc.array(fc.jsonValue()),
      goals: fc.dictionary(names, fc.jsonValue()),
      other: fc.jsonValue(),
    });
    fc.assert(
      fc.property(
        document,
        fc.array(fc.nat()),
        fc.constantFrom(0, 1, "\t"),
        (value, cuts, indent) => {
          // JSON.stringify writes -0 as 0.
          const text = JSON.stringify(value, null, indent);
          expect(assemble(scan(text, LAYOUT, cuts), LAYOUT)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("JSON streaming emits a list of any values item by item", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat()), (list, cuts) => {
        const text = JSON.stringify(list);
        expect(assemble(scan(text, {}, cuts), {})).toEqual(JSON.parse(text));
      }),
    );
  });

  it("JSON streaming never accepts a truncated document as complete", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (episodes, cut) => {
        const text = JSON.stringify({ episodes });
        const bytes = Buffer.from(text);
        const part = bytes.subarray(0, cut % bytes.length);
        const scanner = new JsonScanner("f.json", new Set(["episodes"]), new Set());
        expect(() => {
          Array.from(scanner.push(part));
          scanner.end();
        }).toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it("JSON streaming accepts and rejects the same documents as the whole-document parser", () => {
    const mutation = fc.record({ at: fc.nat(), byte: fc.constantFrom(...`{}[]",:\\ 1aN\n`) });
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        mutation,
        (episodes, { at, byte }) => {
          const good = JSON.stringify({ episodes });
          const place = at % good.length;
          const text = good.slice(0, place) + byte + good.slice(place + 1);
          let whole: unknown;
          try {
            whole = parseJson(text, "f.json");
          } catch {
            expect(() => scan(text, LAYOUT)).toThrow(/not valid JSON|neither/);
            return;
          }
          if (typeof whole !== "object" || whole === null) return;
          // For repeated keys, or lists that become scalars, the two differ only in form.
          const again = scan(text, {});
          expect(again.every((part) => part.kind !== "entry")).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("JSON streaming reads NaN and Infinity as Python writes them", () => {
    expect(scan(`[NaN, -Infinity, {"a": Infinity}]`).map((part) => part.value)).toEqual([
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      { a: Number.POSITIVE_INFINITY },
    ]);
  });

  it.each([
    [`{"episodes": [1, 2`, "f.json:1:19"],
    [`{"episodes": [1,, 2]}`, "f.json:1:17"],
    [`{"episodes": [1, 2,]}`, "f.json:1:20"],
    [`{"episodes": [1]\n "b": 1}`, "f.json:2:2"],
    [`{"episodes": [{"a": 1,\n "b": tru}]}`, "f.json:2:7"],
    [`[1]\n\n [2]`, "f.json:3:2"],
    [`{"episodes" [1]}`, "f.json:1:13"],
    [`{1: 2}`, "f.json:1:2"],
  ])("JSON streaming reports the position of the error in %j", (text, where) => {
    expect(() => scan(text, LAYOUT)).toThrow(expect.objectContaining({ where }));
  });

  it.each(["7", `"text"`, "null", ""])(
    "JSON streaming rejects %j, which is neither a list nor an object",
    (text) => {
      expect(() => scan(text)).toThrow();
    },
  );

  it("JSON streaming reads files with or without gzip and byte order mark", async () => {
    const text = `\ufeff{"episodes": [1, 2], "n": "\u00e9\u4e2d"}`;
    for (const [name, bytes] of [
      ["plain.json", Buffer.from(text)],
      ["packed.json.gz", gzipSync(text)],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      const parts: JsonPart[] = [];
      for await (const part of streamJson(path, LAYOUT)) parts.push(part);
      expect(assemble(parts, { lists: ["episodes"] })).toEqual({ episodes: [1, 2], n: "é中" });
    }
  });

  it("JSON streaming throws at the end of a truncated gzip, after the valid items", async () => {
    const items = Array.from({ length: 50_000 }, (_, i) => ({ id: String(i), x: Math.sin(i) }));
    const path = join(folder, "cut.json.gz");
    writeFileSync(path, gzipSync(JSON.stringify(items)).subarray(0, -100));
    const iterate = async () => {
      for await (const part of streamJson(path)) expect(part.kind).toBe("item");
    };
    await expect(iterate()).rejects.toMatchObject({ code: "truncated_gzip", where: path });
  });
});

describe("JSON Lines streaming", () => {
  const lines = async (text: string) => {
    const path = join(folder, "lines.jsonl");
    writeFileSync(path, text);
    const out: unknown[] = [];
    for await (const line of streamJsonLines(path)) out.push(line);
    return out;
  };

  it("JSON Lines streaming yields values with line numbers and skips blank lines", async () => {
    expect(await lines('{"a": 1}\r\n\n  \n{"a": NaN}')).toEqual([
      { value: { a: 1 }, line: 1, text: '{"a": 1}\r' },
      { value: { a: Number.NaN }, line: 4, text: '{"a": NaN}' },
    ]);
  });

  it("JSON Lines streaming names the line of a syntax error", async () => {
    await expect(lines('{"a": 1}\n{"a": }\n')).rejects.toMatchObject({
      where: expect.stringMatching(/lines\.jsonl:2:7$/),
    });
  });
});
