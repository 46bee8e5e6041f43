import { describe, expect, it } from "vitest";
import { snippet } from "./syntax.js";

describe("a snippet", () => {
  it("a snippet shows the line of the position with a caret under it", () => {
    expect(snippet("one\ntwo: x\nthree", 9)).toBe("  | two: x\n  |      ^");
  });

  it("a snippet keeps tabs and gives wide characters two columns, so that the caret is below the position", () => {
    expect(snippet("\t操作: x", 5)).toBe("  | \t操作: x\n  | \t\u3000\u3000  ^");
  });

  it("a snippet cuts a long line around the position", () => {
    const [line = "", caret = ""] = snippet(`${"a".repeat(500)}!${"b".repeat(500)}`, 500).split(
      "\n",
    );
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line.charAt(caret.length - 1)).toBe("!");
  });

  it("a snippet shows a caret at the very end of a text", () => {
    expect(snippet("", 0)).toBe("  | \n  | ^");
    expect(snippet("ab", 2)).toBe("  | ab\n  |   ^");
  });
});
