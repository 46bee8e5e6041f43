import { appendFile } from "node:fs/promises";
import { checkOutput } from "../../config/output-path.js";
import { cannotWrite, writeAtomic } from "../directory/files.js";
import { RunDirectory } from "../directory/run-directory.js";
import type { RunPermissions } from "../recorded/recorded-benchmark.js";
import { reportedRun } from "../stress/reported-run.js";
import { missedTexts, type ThresholdVerdict } from "../thresholds.js";
import type { ReportKind } from "./kinds.js";
import { readReport } from "./read.js";

export interface ReportOptions {
  readonly to: ReportKind;
  /**
   * The file to write. Without it the caller prints the text, except that a GitHub summary goes to the file that
   * GITHUB_STEP_SUMMARY names. Null disables that too.
   */
  readonly out?: string | null | undefined;
  /** Thresholds to be included in the report. */
  readonly thresholds?: readonly ThresholdVerdict[] | undefined;
  readonly permissions?: Pick<RunPermissions, "plugins" | "scenes"> | undefined;
}

export interface WrittenReport {
  /** Null when nothing was written. */
  readonly file: string | null;
  readonly text: string;
}

/**
 * Writes a report of a run, or of a stress test and its baseline, and returns it.
 *
 * @example
 * await writeReport("runs/20260101T120000Z-vln", { to: "html", out: "report.html" });
 */
export async function writeReport(runDir: string, options: ReportOptions): Promise<WrittenReport> {
  const { to, out, thresholds = [] } = options;
  const { run, stress } = await reportedRun(runDir);
  const report = {
    ...(await readReport(await RunDirectory.open(run), options.permissions)),
    stress,
  };
  const text = await makers[to](report, thresholds);
  if (typeof out === "string") {
    await writeAtomic(out, text);
    return { file: out, text };
  }
  // GitHub shows the text that the steps of a job append to this file.
  const summary = to === "github" && out !== null ? process.env.GITHUB_STEP_SUMMARY : undefined;
  if (summary === undefined || summary === "") return { file: null, text };
  checkOutput(summary, "file");
  await appendFile(summary, text).catch((cause) => {
    throw cannotWrite(summary, cause);
  });
  return { file: summary, text };
}

type Maker = (
  report: Awaited<ReturnType<typeof readReport>>,
  thresholds: readonly ThresholdVerdict[],
) => Promise<string>;

/** Only the HTML report draws maps, so only it imports the navmesh modules. */
const makers: Readonly<Record<ReportKind, Maker>> = {
  html: async (report, all) => (await import("./page.js")).htmlPage(report, missedTexts(all)),
  junit: async (report, all) => (await import("./junit.js")).junitXml(report, all),
  github: async (report, all) =>
    (await import("./github.js")).githubSummary(report, missedTexts(all)),
};
