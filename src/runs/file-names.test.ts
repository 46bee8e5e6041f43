import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { safeFileName, slug } from "./file-names.js";

/** Any sequence of 16-bit units, so half surrogate pairs too, as JSON can carry them. */
const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
const halfPair = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
const keys = fc.oneof(
  anyText,
  fc.tuple(anyText, halfPair, anyText).map((parts) => parts.join("")),
  fc.string({ minLength: 150, maxLength: 400 }),
  fc.constantFrom("..", ".", "../../etc/passwd", "a/b", "a\\b", "a%2Fb", "CON", "~", "-rf", "%"),
);

describe("a safe file name", () => {
  it("differs where keys differ", () => {
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        fc.pre(a !== b);
        expect(safeFileName(a)).not.toBe(safeFileName(b));
      }),
    );
  });

  it("differs where long keys differ only behind the cut", () => {
    const start = "x".repeat(300);
    expect(safeFileName(`${start}1`)).not.toBe(safeFileName(`${start}2`));
  });

  it("of a long key is not the name of any short one", () => {
    const name = safeFileName("x".repeat(300));
    expect(safeFileName(name)).not.toBe(name);
    expect(safeFileName(name.replace("+", "-"))).not.toBe(name);
  });

  it("is one plain name, short enough for an ending", () => {
    fc.assert(
      fc.property(keys, (key) => {
        const name = safeFileName(key);
        expect(name).toMatch(/^[A-Za-z0-9_%+-][A-Za-z0-9_.%+-]*$/);
        expect(name.length).toBeLessThanOrEqual(180);
      }),
    );
  });

  it("stays readable where it can", () => {
    expect(safeFileName("vln/17DRP5sb8fy/42_0")).toBe("vln%2F17DRP5sb8fy%2F42_0");
  });

  it.each([
    "../../../outside",
    "..",
    "vln/ü-ñ-走廊/1",
    "a\0b",
    "long ".repeat(200),
    "half \ud83d pair",
  ])("can be written, and stays in its folder: %j", (key) => {
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
  it("is the name's words in lower case", () => {
    expect(slug("Unified Robot Challenge 2024!")).toBe("unified-robot-challenge-2024");
    expect(slug("统一机器人 挑战")).toBe("统一机器人-挑战");
  });

  it("of a name without words is still a name", () => {
    expect(slug("../..")).toBe("run");
    expect(slug("")).toBe("run");
  });

  it("lets two of them, a time stamp and an ending fit into a file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const cut = slug(text);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(108);
        expect(cut).not.toMatch(/[\p{Surrogate}/\\]|^-|-$/u);
      }),
    );
  });

  it("is not cut through a letter of two units", () => {
    for (const text of ["𝓮".repeat(60), `a${"𝓮".repeat(60)}`]) {
      expect(slug(text)).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
