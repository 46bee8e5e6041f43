import { spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import type { EpisodeLine, RunInfo } from "../../src/core/interfaces/result.js";
import {
  EPISODES,
  episodeDict,
  evaluate,
  makeWorld,
  robotEvalHere,
  temporaryFolder,
} from "../support/cli.js";

const EVIL = `<script>alert("x")</script> & <img src=x onerror=alert(1)>`;

const world = makeWorld([
  ...EPISODES,
  { ...episodeDict("9", "a", "d"), instruction: { text: EVIL } },
]);
const { run_dir: walked } = await evaluate(world, { agent: "forward" });
const RUN = walked ?? "";

/** A changed copy of the run. */
function copied(change: (folder: string) => void): string {
  const folder = join(temporaryFolder(), "run");
  cpSync(RUN, folder, { recursive: true });
  change(folder);
  return folder;
}

function editJson<T>(path: string, change: (document: T) => object): void {
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")))));
}

function editLines(folder: string, change: (line: EpisodeLine) => EpisodeLine): void {
  const path = join(folder, "episodes.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const changed = lines.map((line) => JSON.stringify(change(JSON.parse(line))));
  writeFileSync(path, `${changed.join("\n")}\n`);
}

async function page(run: string, ...args: readonly string[]) {
  const out = join(temporaryFolder(), "report.html");
  const result = await robotEvalHere(["report", run, "--out", out, ...args]);
  return { ...result, html: result.code === 2 ? "" : readFileSync(out, "utf8") };
}

describe("robot-eval report", () => {
  it.each(["-", "/dev/stdout"])(
    "robot-eval report prints the page to stdout for --out %s",
    async (out) => {
      const { html } = await page(RUN);
      const result = await robotEvalHere(["report", RUN, "--out", out]);
      expect(result).toMatchObject({ code: 0, stdout: html });
    },
  );

  it.skipIf(process.platform === "win32")(
    "robot-eval report checks thresholds and writes nothing for --out /dev/null",
    async () => {
      const args = ["report", RUN, "--out", "/dev/null", "--threshold", "success=2"];
      expect(await robotEvalHere(args)).toMatchObject({ code: 4, stdout: "" });
      expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    },
  );

  it("robot-eval report writes one page with headline, tables, maps and the commands to reproduce the run", async () => {
    const { code, html, stdout, stderr } = await page(RUN);
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/written: .*report\.html \(\d+ KiB\)/);
    expect(html).toContain("<h1>small world</h1>");
    expect(html).toMatch(/95 % interval <b>\[0\.\d{3}, 0\.\d{3}\]<\/b>/);
    expect(html).toContain("n 7 · 0 invalid");
    expect(html).toContain("Success by scene, worst first");
    expect(html).toContain("How episodes ended");
    expect(html).toContain('<figure class="map"><svg');
    expect(html).toContain("robot-eval run ");
    expect(html).toMatch(/robot-eval replay \S+ vln\/hall\/1/);
    const [line] = readFileSync(join(RUN, "episodes.jsonl"), "utf8").split("\n");
    expect(html).toContain(JSON.parse(line ?? "").initial_state_hash);
    expect(html).toContain("save_trajectories: true");
  });

  it("robot-eval report loads no external resources and runs only its own script", async () => {
    const { html } = await page(RUN);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/(?:src|href|srcset)="(?!#|data:)/);
    expect(html).not.toMatch(/url\(|@import|<link|<iframe/);
    expect(html).toMatch(/Content-Security-Policy" content="default-src &apos;none&apos;/);
  });

  it("robot-eval report escapes text from the data", async () => {
    const run = copied((folder) => {
      editLines(folder, (line) => ({ ...line, explanation: EVIL, end_reason: EVIL }));
      editJson<RunInfo>(join(folder, "run.json"), (info) => ({
        ...info,
        config: { ...info.config, note: EVIL },
        warnings: [EVIL],
      }));
    });
    const { code, html } = await page(run);
    expect(code).toBe(0);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
    expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &lt;img");
    const summary = await robotEvalHere(["report", run, "--to", "github"]);
    expect(summary.stdout).not.toMatch(/<script|<img/);
  });

  it("robot-eval report gives the same bytes for the same run", async () => {
    expect((await page(RUN)).html).toBe((await page(RUN)).html);
  });

  it("robot-eval report embeds the video of an episode unless it is too large", async () => {
    const video = await sharp({
      create: { width: 8, height: 8, channels: 3, background: "red" },
    })
      .webp()
      .toBuffer();
    const run = copied((folder) => {
      mkdirSync(join(folder, "videos"));
      writeFileSync(join(folder, "videos/small.webp"), video);
      writeFileSync(join(folder, "videos/large.webp"), new Uint8Array(2 * 1024 * 1024));
      editLines(folder, (line) => ({
        ...line,
        video: line.scene_id === "hall" ? "videos/small.webp" : "videos/large.webp",
      }));
    });
    const { html } = await page(run);
    expect(html).toContain(`src="data:image/webp;base64,${video.toString("base64")}"`);
    expect(html).toContain("<code>videos/large.webp</code>");
    expect(html.length).toBeLessThan(1024 * 1024);
  });

  it("robot-eval report shows why an episode could not be drawn", async () => {
    const run = copied((folder) => {
      rmSync(join(folder, "trajectories"), { recursive: true });
    });
    const { code, html } = await page(run);
    expect(code).toBe(0);
    expect(html).toContain("Not drawn: the trajectory is missing or cannot be read");
  });
});

describe("robot-eval report --to junit", () => {
  it("robot-eval report --to junit writes valid XML with one suite per task and one case per episode", async () => {
    const run = copied((folder) => {
      editLines(folder, (line) => ({
        ...line,
        explanation: `${EVIL} \u0000\ud800 "]]>`,
        ...(line.episode_id === "2" && {
          outcome: "invalid" as const,
          fault: "platform" as const,
          error: { code: "worker_crashed", message: EVIL },
        }),
      }));
    });
    const { code, stdout } = await robotEvalHere(["report", run, "--to", "junit"]);
    expect(code).toBe(0);
    const parsed = parseXml(stdout);
    expect(parsed).toMatchObject({
      tag: "testsuites",
      tests: "7",
      suites: [{ name: "vln", tests: "7", errors: "2" }],
    });
    expect(parsed.cases).toHaveLength(7);
    expect(parsed.cases).toContainEqual({
      name: "vln/hall/2",
      verdict: "error",
      message: EVIL,
    });
    expect(parsed.cases.find(({ name }) => name === "vln/hall/1")).toEqual({
      name: "vln/hall/1",
      verdict: "failure",
      message: `${EVIL} \ufffd\ufffd "]]>`,
    });
    expect(parsed.properties).toContain("navigation_error");
  });

  it("robot-eval report --to junit writes a failed case for a missed threshold", async () => {
    const args = ["--to", "junit", "--threshold", "success=0.99"];
    const { code, stdout, stderr } = await robotEvalHere(["report", RUN, ...args]);
    expect(code).toBe(4);
    expect(stderr).toContain("threshold missed: success is");
    const { suites, cases } = parseXml(stdout);
    expect(suites[0]).toMatchObject({ name: "thresholds", failures: "1" });
    expect(cases[0]).toMatchObject({ name: "success", verdict: "failure" });
  });
});

describe("robot-eval report --to github", () => {
  it("robot-eval report --to github prints Markdown with the interval and the failures", async () => {
    const { code, stdout } = await withSummaryFile("", () =>
      robotEvalHere(["report", RUN, "--to", "github"]),
    );
    expect(code).toBe(0);
    expect(stdout).toContain("## small world");
    expect(stdout).toMatch(
      /\| vln \| success \| \*\*0\.\d{3}\*\* \| \[0\.\d+, 0\.\d+\] \| 7 \| 0 \|/,
    );
    expect(stdout).toContain("| vln/hall/1 | ");
  });

  it("robot-eval report --to github appends to the existing job summary", async () => {
    const file = join(temporaryFolder(), "summary.md");
    writeFileSync(file, "before\n");
    const { code, stdout } = await withSummaryFile(file, () =>
      robotEvalHere(["report", RUN, "--to", "github", "--threshold", "navigation_error=0"]),
    );
    expect(code).toBe(4);
    expect(stdout).toBe("");
    const written = readFileSync(file, "utf8");
    expect(written).toMatch(/^before\n## small world/);
    expect(written).toContain("> [!WARNING]\n> Threshold missed: navigation_error is");
  });
});

describe("robot-eval report with flags", () => {
  it("robot-eval report exits with 0 if all thresholds are met, and with 4 and a note in the page if one is missed", async () => {
    expect((await page(RUN, "--threshold", "success=0")).code).toBe(0);
    const { code, html } = await page(RUN, "--threshold", "success=1");
    expect(code).toBe(4);
    expect(html).toMatch(/class="notice warning">Threshold missed: success is 0\.\d+, needs/);
  });

  it("robot-eval report prints one JSON document with --json", async () => {
    const { code, stdout } = await page(RUN, "--json", "--threshold", "success=1");
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      run_dir: RUN,
      to: "html",
      file: expect.stringContaining("report.html"),
      bytes: expect.any(Number),
      missed: [expect.stringContaining("success is")],
    });
  });

  it.each([
    ["a threshold of an unknown metric", ["--threshold", "succes=1"], /did you mean "success"/],
    ["an HTML page without a file", ["--to", "html"], /an HTML report needs an output file/],
    ["an unknown format", ["--to", "pdf"], /Allowed choices are html, junit, github/],
  ])("robot-eval report rejects %s", async (_, args, message) => {
    const out = args.includes("--to") ? [] : ["--out", join(temporaryFolder(), "r.html")];
    const { code, stderr } = await robotEvalHere(["report", RUN, ...out, ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it("robot-eval report reports an error if the page cannot be written", async () => {
    const out = join(temporaryFolder(), "no", "folder.html");
    const { code, stderr } = await robotEvalHere(["report", RUN, "--out", out]);
    expect(code).toBe(2);
    expect(stderr).toContain("cannot be written");
  });
});

describe("a report of another kind of run", () => {
  it("the report of an unfinished run uses the episodes so far", async () => {
    const run = copied((folder) => {
      rmSync(join(folder, "summary.json"));
      editJson<RunInfo>(join(folder, "run.json"), (info) => ({ ...info, status: "running" }));
      const path = join(folder, "episodes.jsonl");
      const [first, second, third = ""] = readFileSync(path, "utf8").split("\n");
      writeFileSync(path, `${first}\n${second}\n${third.slice(0, 40)}`);
    });
    const { code, html } = await page(run);
    expect(code).toBe(0);
    expect(html).toContain("This run was not finished when the report was written.");
    expect(html).toContain("n 2 · 0 invalid");
  });

  it("the report of an unfinished run fails if its plugin is missing", async () => {
    const run = copied((folder) => {
      rmSync(join(folder, "summary.json"));
      editJson<RunInfo>(join(folder, "run.json"), (info) => ({
        ...info,
        status: "running",
        config: { ...info.config, plugins: ["./gone.js"] },
      }));
    });
    const { code, stderr } = await page(run);
    expect(code).toBe(2);
    expect(stderr).toContain("the run has no summary yet, and its metrics cannot be looked up");
    expect(stderr).toContain("gone.js");
  });

  it("the report of a cancelled run has a notice", async () => {
    const run = copied((folder) => {
      editJson(join(folder, "summary.json"), (summary: object) => ({
        ...summary,
        status: "cancelled",
      }));
    });
    expect((await page(run)).html).toContain("This run was cancelled before its end.");
  });

  it("the report of imported results has no maps", async () => {
    const out = temporaryFolder();
    const csv = world.write("mine.csv", "id,ok,scene\n1,yes,hall\n2,no,hall\n3,no,yard\n4,,yard\n");
    const columns = ["--columns", "episode_id=id,success=ok,scene_id=scene"];
    await robotEvalHere(["score", csv, ...columns, "--out", out]);
    const run = join(out, readdirSync(out)[0] ?? "");
    const { code, html } = await page(run);
    expect(code).toBe(0);
    expect(html).toContain("n 3 · 1 invalid");
    expect(html).toContain("robot-eval score ");
    expect(html).toContain("none recorded");
    expect(html).toContain('id="faults"');
  });

  it("the report of a rescored run has maps", async () => {
    const out = temporaryFolder();
    await robotEvalHere(["score", RUN, "--metrics", "spl", "--out", out]);
    const { code, html } = await page(join(out, readdirSync(out)[0] ?? ""));
    expect(code).toBe(0);
    expect(html).toContain('<figure class="map">');
    expect(html).toContain("scored, without running episodes");
  });
});

describe("a report of a damaged run", () => {
  const damaged: readonly [string, (folder: string) => void, RegExp][] = [
    ["no folder", (folder) => rmSync(folder, { recursive: true }), /no such run directory/],
    ["no run.json", (folder) => rmSync(join(folder, "run.json")), /run\.json is missing/],
    [
      "no summary.json",
      (folder) => rmSync(join(folder, "summary.json")),
      /summary\.json is missing/,
    ],
    [
      "a truncated summary",
      (folder) => writeFileSync(join(folder, "summary.json"), '{"format": "rob'),
      /summary\.json: not valid JSON/,
    ],
    [
      "a summary of another version",
      (folder) =>
        editJson(join(folder, "summary.json"), () => ({ format: "robot-eval-summary/9" })),
      /summary\.json: format is "robot-eval-summary\/9"/,
    ],
    [
      "a summary without its tasks",
      (folder) =>
        editJson(join(folder, "summary.json"), (summary: object) => ({ ...summary, per_task: 7 })),
      /summary\.json: per_task: expected a mapping, got 7/,
    ],
    [
      "a run.json without its configuration",
      (folder) => editJson(join(folder, "run.json"), (info: object) => ({ ...info, config: null })),
      /run\.json: config: expected a mapping/,
    ],
    [
      "a line that is not an episode",
      (folder) => writeFileSync(join(folder, "episodes.jsonl"), "[]\n"),
      /episodes\.jsonl:1: not the result of an episode/,
    ],
    ["no lines", (folder) => rmSync(join(folder, "episodes.jsonl")), /episodes\.jsonl/],
  ];

  it.each(damaged)(
    "a report of a damaged run fails with an error that names the file: %s",
    async (_, damage, message) => {
      const { code, stderr } = await page(copied(damage));
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
    },
  );
});

async function withSummaryFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  vi.stubEnv("GITHUB_STEP_SUMMARY", file);
  try {
    return await work();
  } finally {
    vi.unstubAllEnvs();
  }
}

interface Parsed {
  readonly tag: string;
  readonly suites: readonly Readonly<Record<string, string>>[];
  readonly cases: readonly { readonly name: string; verdict: string | null; message?: string }[];
  readonly properties: readonly string[];
}

/** Parses the XML with Python's parser. */
function parseXml(xml: string): Parsed {
  const program = `
import json, sys
import xml.etree.ElementTree as ET
root = ET.fromstring(sys.stdin.buffer.read())
def case(element):
    verdict = next((child for child in element if child.tag != "properties"), None)
    told = {} if verdict is None else {"message": verdict.get("message")}
    return {"name": element.get("name"), "verdict": None if verdict is None else verdict.tag, **told}
print(json.dumps({
    "tag": root.tag, **root.attrib,
    "suites": [suite.attrib for suite in root],
    "cases": [case(element) for element in root.iter("testcase")],
    "properties": [element.get("name") for element in root.iter("property")],
}))`;
  const { stdout, stderr } = spawnSync("python3", ["-c", program], {
    input: xml,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`not well-formed: ${stderr}`);
  return JSON.parse(stdout);
}
