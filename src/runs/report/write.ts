import { appendFile } from "node:fs/promises";
import { cannotWrite, writeAtomic } from "../files.js";
import { RunDirectory } from "../run-directory.js";
import { readReport } from "./read.js";

export const REPORT_KINDS = ["html", "junit", "github"] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

export interface ReportOptions {
  readonly to: ReportKind;
  /** The file to write. Without one the text is for the caller to print. */
  readonly out?: string | undefined;
  /** Thresholds that the run missed, in words: the report says so. */
  readonly missed?: readonly string[] | undefined;
}

export interface WrittenReport {
  /** Null when nothing was written. */
  readonly file: string | null;
  readonly text: string;
}

/** Writes a report of a run, and gives it. */
export async function writeReport(runDir: string, options: ReportOptions): Promise<WrittenReport> {
  const { to, out, missed = [] } = options;
  const report = await readReport(await RunDirectory.open(runDir));
  const text = await makers[to](report, missed);
  if (out !== undefined) {
    await writeAtomic(out, text);
    return { file: out, text };
  }
  // GitHub shows what steps of a job append to this file.
  const summary = to === "github" ? process.env.GITHUB_STEP_SUMMARY : undefined;
  if (summary === undefined || summary === "") return { file: null, text };
  await appendFile(summary, text).catch((cause) => {
    throw cannotWrite(summary, cause);
  });
  return { file: summary, text };
}

type Maker = (
  report: Awaited<ReturnType<typeof readReport>>,
  missed: readonly string[],
) => Promise<string>;

/** Drawing needs the navmesh and all that hangs on it; the other kinds do without. */
const makers: Readonly<Record<ReportKind, Maker>> = {
  html: async (report, missed) => (await import("./page.js")).htmlPage(report, missed),
  junit: async (report, missed) => (await import("./junit.js")).junitXml(report, missed),
  github: async (report, missed) => (await import("./github.js")).githubSummary(report, missed),
};
