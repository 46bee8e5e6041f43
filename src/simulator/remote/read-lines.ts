import type { Readable } from "node:stream";

/** In UTF-16 units. Longer lines are returned in parts, so that an endless line takes bounded memory. */
const LONGEST_LINE = 64 * 2 ** 10;

/** Calls `onLine` for each line of a text stream, and for the text after the last line feed. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("error", () => {});
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line.replace(/\r$/, ""));
    if (rest.length <= LONGEST_LINE) return;
    onLine(rest);
    rest = "";
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}
