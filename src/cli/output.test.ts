import { afterEach, describe, expect, it, vi } from "vitest";
import { number } from "../runs/report/format.js";
import { paint, printable, printData, printJson, say, table } from "./output.js";

const terminal = { isTTY: true } as NodeJS.WriteStream;
const file = { isTTY: false } as NodeJS.WriteStream;

describe("terminal colour", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("terminal colour is used for a stream that is a terminal", () => {
    vi.stubEnv("NO_COLOR", "");
    expect(printable(paint("red", "text", terminal))).toBe("\u001b[31mtext\u001b[39m");
    expect(paint("red", "text", file)).toBe("text");
  });

  it("terminal colour is not used if NO_COLOR is set", () => {
    vi.stubEnv("NO_COLOR", "1");
    expect(paint("red", "text", terminal)).toBe("text");
  });
});

describe("untrusted text", () => {
  const TITLE = "\u001b]0;owned\u0007";
  const printed = (print: () => void) => {
    let text = "";
    const spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        text += String(chunk);
        return true;
      }),
    );
    print();
    for (const spy of spies) spy.mockRestore();
    return text;
  };

  it("untrusted text cannot control a terminal through any print function", () => {
    for (const print of [printData, say]) {
      expect(printed(() => print(`run ${TITLE}`))).toBe("run \\x1b]0;owned\\x07\n");
      expect(printed(() => print("a\u009b2Jb\rc\u202e"))).toBe("a\\x9b2Jb\\x0dc\\u202e\n");
    }
    const json = printed(() => printJson({ name: `${TITLE}\u009b\u007f` }));
    expect(json.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(JSON.parse(json)).toEqual({ name: `${TITLE}\u009b\u007f` });
  });

  it("untrusted text cannot add colours or hide text, while our own colours stay", () => {
    const name = "\u001b[8mhidden\u001b[0m";
    const text = printed(() => printData(`${paint("red", "error", terminal)}: ${name}`));
    expect(text).toBe("\u001b[31merror\u001b[39m: \\x1b[8mhidden\\x1b[0m\n");
  });

  it("untrusted text cannot add a line to a title or a table", () => {
    expect(printable(paint("bold", "name\nverified: all is well", terminal))).toBe(
      "\u001b[1mname\\nverified: all is well\u001b[22m",
    );
    const rows = [["one\nverified", `two${TITLE}`]];
    expect(table(["a", "b"], rows).split("\n")).toEqual([
      "a              b",
      "one\\nverified  two\\x1b]0;owned\\x07",
    ]);
  });
});

describe("table", () => {
  it("a table aligns coloured cells", () => {
    const rows = [
      [paint("red", "bad", terminal), "1"],
      ["fine", "2"],
    ];
    const [, first, second] = printable(table(["state", "n"], rows)).split("\n");
    expect(first).toBe("\u001b[31mbad\u001b[39m    1");
    expect(second).toBe("fine   2");
  });

  it("a table aligns names to the left and numbers to the right", () => {
    const rows = [
      ["success", "0.250", "4"],
      ["spl", "–", "12"],
    ];
    expect(table(["metric", "mean", "n"], rows).split("\n")).toEqual([
      "metric    mean   n",
      "success  0.250   4",
      "spl          –  12",
    ]);
  });

  it("a table aligns characters that are two columns wide", () => {
    const [header, wide, narrow] = table(
      ["name", "n"],
      [
        ["走廊", "1"],
        ["hall", "2"],
      ],
    ).split("\n");
    expect([header, wide, narrow]).toEqual(["name  n", "走廊  1", "hall  2"]);
  });

  it("a table is only the header without rows", () => {
    expect(table(["a", "b"], [])).toBe("a  b");
  });
});

it.each([
  [null, "–"],
  [undefined, "–"],
  [0, "0.000"],
  [1, "1.000"],
  [0.14222712, "0.142"],
  [-2.5, "-2.500"],
  [907, "907"],
  [12345.678, "12346"],
])("the number %s reads %s", (value, text) => {
  expect(number(value)).toBe(text);
});
