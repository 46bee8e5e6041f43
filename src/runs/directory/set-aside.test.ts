import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { episodeLine, linesOf, temporaryFolder } from "../../../test/support/cli.js";
import { setAsideOf } from "../../../test/support/run-content.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { SetAside } from "./set-aside.js";

const asText = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

const trajectory = (id: string) => `trajectories/${id}.jsonl.gz`;

/** Episode 1 is valid; 2 and 3 are invalid, and 3 never began. */
const LINES: readonly EpisodeLine[] = [
  episodeLine({ episode_id: "1", trajectory: trajectory("1") }),
  episodeLine({ episode_id: "2", outcome: "invalid", fault: "agent", trajectory: trajectory("2") }),
  episodeLine({ episode_id: "3", outcome: "invalid", fault: "data", repeat: 1 }),
];

function makeRun(lines: readonly EpisodeLine[] = LINES): string {
  const run = temporaryFolder();
  mkdirSync(join(run, "trajectories"));
  for (const line of lines) if (line.trajectory) writeFileSync(join(run, line.trajectory), "steps");
  writeFileSync(join(run, "episodes.jsonl"), asText(lines));
  return run;
}

const isInvalid = ({ outcome }: EpisodeLine) => outcome === "invalid";

describe("lines that are set aside", () => {
  it("setting lines aside moves them to the set-aside file with the reason", async () => {
    const run = makeRun();
    expect(await new SetAside(run).take(isInvalid, "tried_again")).toBe(2);
    expect(await linesOf(run)).toEqual(LINES.slice(0, 1));
    expect(await setAsideOf(run)).toMatchObject([
      { episode_id: "2", fault: "agent", why: "tried_again" },
      { episode_id: "3", fault: "data", repeat: 1, why: "tried_again" },
    ]);
  });

  it("setting lines aside leaves the files unchanged when no line matches", async () => {
    const run = makeRun(LINES.slice(0, 1));
    expect(await new SetAside(run).take(isInvalid, "tried_again")).toBe(0);
    expect(readdirSync(run).sort()).toEqual(["episodes.jsonl", "trajectories"]);
  });

  it("setting lines aside leaves trajectory files in place before a retry, which overwrites them", async () => {
    const run = makeRun();
    await new SetAside(run).take(isInvalid, "tried_again");
    expect((await setAsideOf(run)).map((line) => line.trajectory)).toEqual([null, null]);
    expect(readdirSync(join(run, "trajectories"))).toEqual(["1.jsonl.gz"]);
  });

  it("lines set aside after an early stop keep their files", async () => {
    const run = makeRun();
    await new SetAside(run).take(isInvalid, "after_early_stop");
    const [line] = await setAsideOf(run);
    expect(line).toMatchObject({ trajectory: trajectory("2"), why: "after_early_stop" });
    expect(existsSync(join(run, trajectory("2")))).toBe(true);
  });

  it("setting lines aside never moves a file outside the run", async () => {
    const outside = join(temporaryFolder(), "precious");
    writeFileSync(outside, "");
    const line = { ...(LINES[1] as EpisodeLine), trajectory: `../../${outside}` };
    const run = temporaryFolder();
    writeFileSync(join(run, "episodes.jsonl"), asText([line]));
    await expect(new SetAside(run).take(isInvalid, "tried_again")).rejects.toMatchObject({
      code: "damaged_line",
    });
    expect(existsSync(outside)).toBe(true);
  });

  it("a crash before their removal from episodes.jsonl does not duplicate lines", async () => {
    const run = makeRun();
    const crashed = LINES.slice(1, 2).map((line) => ({ ...line, why: "tried_again" }));
    // The process died while the second line was being written.
    writeFileSync(join(run, "set_aside.jsonl"), `${asText(crashed)}{"episode_key": "vln/ha`);
    await new SetAside(run).take(isInvalid, "tried_again");
    expect((await setAsideOf(run)).map(({ episode_id }) => episode_id)).toEqual(["2", "3"]);
    expect(await linesOf(run)).toEqual(LINES.slice(0, 1));
    for (const line of readFileSync(join(run, "set_aside.jsonl"), "utf8").trim().split("\n")) {
      JSON.parse(line);
    }
  });

  it("lines that are set aside are distinguished by attempt", async () => {
    const run = makeRun();
    const aside = new SetAside(run);
    await aside.take(isInvalid, "tried_again");
    appendFileSync(
      join(run, "episodes.jsonl"),
      asText(LINES.slice(1).map((line) => ({ ...line, attempt: 2 }))),
    );
    await aside.take(isInvalid, "tried_again");
    expect((await setAsideOf(run)).map(({ attempt }) => attempt)).toEqual([1, 1, 2, 2]);
  });

  it("lines can be set aside while the run continues", async () => {
    const run = makeRun([]);
    const aside = new SetAside(run);
    expect(await setAsideOf(run)).toEqual([]);
    for (const line of LINES) await aside.add(line, "tried_again");
    expect(await setAsideOf(run)).toMatchObject(LINES);
  });

  it("lines that are set aside concurrently are not interleaved", async () => {
    const run = makeRun([]);
    const aside = new SetAside(run);
    const many = Array.from({ length: 50 }, (_, i) =>
      episodeLine({ episode_id: String(i), explanation: "x".repeat(20_000) }),
    );
    await Promise.all(many.map((line) => aside.add(line, "tried_again")));
    expect(await setAsideOf(run)).toMatchObject(many);
  });

  it("setting lines aside drops a truncated line from both files", async () => {
    const run = makeRun();
    appendFileSync(join(run, "episodes.jsonl"), '{"episode_key": "vln/ha');
    await new SetAside(run).take(isInvalid, "tried_again");
    expect(readFileSync(join(run, "episodes.jsonl"), "utf8")).toBe(asText(LINES.slice(0, 1)));
  });
});
