import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { isPortableName } from "../../core/file-name.js";
import { safeFileName, slug } from "./file-names.js";

/** Any sequence of 16-bit units, including unpaired surrogates, which JSON allows. */
const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
const halfPair = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
const keys = fc.oneof(
  anyText,
  fc.tuple(anyText, halfPair, anyText).map((parts) => parts.join("")),
  fc.string({ minLength: 150, maxLength: 400 }),
  fc
    .array(fc.constantFrom("a", "A", "b", "_", "-", ".", "/", "é", "e\u0301", "走"), {
      maxLength: 9,
    })
    .map((parts) => parts.join("")),
  fc.constantFrom("..", ".", "../../etc/passwd", "a/b", "a\\b", "a%2Fb", "CON", "~", "-rf", "%"),
  fc.constantFrom("con", "nul.txt", "com1.x", "LPT¹").map((device) => `${device}/hall/1`),
);

/** Equal for names that a file system treats as equal if it ignores case and Unicode composition. */
function folded(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase();
}

describe("safeFileName", () => {
  it("safeFileName names an episode by its task, scene and id", () => {
    expect(safeFileName("vln/apartment/101/6")).toBe("vln_apartment-101_6");
    expect(safeFileName("pick_place/tabletop/0")).toBe("pick_place_tabletop_0");
  });

  it("safeFileName doubles a separator that is part of a name, so that the name stays unique", () => {
    expect(safeFileName("vln/apartment-101/6")).toBe("vln_apartment--101_6");
    expect(safeFileName("vln/hall/42_0")).toBe("vln_hall_42__0");
  });

  it.each([
    ["vln/17DRP5sb8fy/42", /^vln_17DRP5sb8fy_42\+[0-9a-f]{10}$/],
    ["vln/走廊/1", /^vln_走廊_1\+[0-9a-f]{10}$/],
    ["vln/a b: c?/1", /^vln_a-b-c_1\+[0-9a-f]{10}$/],
    ["aux.b/hall/1", /^_aux\.b_hall_1\+[0-9a-f]{10}$/],
    ["../../../..", /^episode\+[0-9a-f]{10}$/],
  ])(
    "safeFileName appends a hash to the name of %j, because the name alone is ambiguous",
    (key, name) => {
      expect(safeFileName(key)).toMatch(name);
    },
  );

  it("safeFileName gives distinct names to all short keys of separators and letters", () => {
    let all = [""];
    const names = new Set<string>();
    for (let length = 1; length <= 7; length++) {
      all = all.flatMap((key) => ["a", "_", "-", "/"].map((char) => key + char));
      for (const key of all) names.add(folded(safeFileName(`t/${key}`)));
    }
    expect(names.size).toBe((4 ** 8 - 4) / 3);
  });

  it("safeFileName gives distinct names on file systems that ignore case and Unicode composition", () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        fc.pre(a !== b);
        expect(folded(safeFileName(a))).not.toBe(folded(safeFileName(b)));
      }),
    );
  });

  it.each([
    ["vln/Hall/1", "vln/hall/1"],
    ["vln/é/1", "vln/e\u0301/1"],
    [`${"x".repeat(300)}1`, `${"x".repeat(300)}2`],
    ["half \ud83d pair", "half \ud83e pair"],
  ])("safeFileName gives %j and %j distinct names", (a, b) => {
    expect(folded(safeFileName(a))).not.toBe(folded(safeFileName(b)));
  });

  it("safeFileName gives names that every system accepts with an extension, even percent-encoded", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const name = safeFileName(key);
        expect(isPortableName(name)).toBe(true);
        expect(name).not.toMatch(/^[.-]|[%~]/);
        expect(encodeURIComponent(name).length).toBeLessThanOrEqual(180);
      }),
    );
  });

  it.each([
    "../../../outside",
    "..",
    "vln/ü-ñ-走廊/1",
    "a\0b",
    "long ".repeat(200),
    "half \ud83d pair",
  ])("safeFileName gives %j a name that is writable and stays in its folder", (key) => {
    const root = temporaryFolder();
    const folder = join(root, "inside");
    mkdirSync(folder);
    const name = `${safeFileName(key)}.jsonl.gz`;
    writeFileSync(join(folder, name), "content");
    expect(readdirSync(folder)).toEqual([name]);
    expect(readdirSync(root)).toEqual(["inside"]);
    expect(readFileSync(join(folder, name), "utf8")).toBe("content");
  });
});

describe("a slug", () => {
  it("a slug consists of the words of the name in lower case", () => {
    expect(slug("Unified Robot Challenge 2024!")).toBe("unified-robot-challenge-2024");
    expect(slug("统一机器人 挑战")).toBe("统一机器人-挑战");
  });

  it("a slug of a name without words is not empty", () => {
    expect(slug("../../..")).toBe("run");
    expect(slug("")).toBe("run");
  });

  it("a slug is short enough for a file name of two slugs, a time stamp and an extension", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const cut = slug(text);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(108);
        expect(cut).not.toMatch(/[\p{Surrogate}/\\]|^-|-$/u);
      }),
    );
  });

  it("a slug is not truncated inside a surrogate pair", () => {
    for (const text of ["𝓮".repeat(60), `a${"𝓮".repeat(60)}`]) {
      expect(slug(text)).not.toMatch(/\p{Surrogate}/u);
    }
  });
});

it("a run id made from the time, benchmark and agent is a valid file name on every system", () => {
  const names = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(names, names, (benchmark, agent) => {
      const id = `20260101T120000Z-${slug(benchmark)}-${slug(agent)}`;
      expect(isPortableName(id)).toBe(true);
      expect(Buffer.byteLength(id)).toBeLessThanOrEqual(255);
    }),
  );
});
