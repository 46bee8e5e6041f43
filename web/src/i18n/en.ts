/** The text of the page. Other languages have the same keys; `{name}` is filled in. */
export const en = {
  "app.skip": "Skip to content",
  "app.loading": "Loading…",
  "app.breadcrumbs": "You are here",
  "app.dark": "Dark",
  "app.unknown": "There is no such page.",
  "problem.title": "This cannot be shown",
  "problem.missing": "Not found",
  "problem.where": "where",
  "problem.code": "code",
  "problem.back": "To all runs",
  "runs.title": "Runs",
  "run.title": "Run",
  "compare.title": "Compare",
} as const;
