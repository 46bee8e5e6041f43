export const REPORT_KINDS = ["html", "junit", "github"] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];
