import { type Html, html, type Part } from "../../../runs/report/html.js";
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from "./assets.js";
import type { PageContext } from "./context.js";
import { LANGUAGES, languageTag } from "./messages/index.js";

/** Also in Latin letters, because the reader's font may have no Chinese ones. */
const NAMES = { en: "English", zh: "Chinese 中文" } as const;

/** A whole page. It works without its script, which only applies live updates and stores the theme. */
export function layout(
  context: PageContext,
  title: string,
  body: Html,
  /** Changes that reload the page's content. */
  follows?: { readonly phase?: string; readonly submissions?: true },
): string {
  const { t, language, theme, challenge, team } = context;
  return html`<!doctype html>
<html lang="${languageTag(language)}"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${challenge}</title>
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#content">${t("skip")}</a>
<header class="top">
<a class="brand" href="/">${challenge}</a>
<div class="choices">
<nav class="languages" aria-label="${t("language")}">${LANGUAGES.map((one) => switchTo(context, one))}</nav>
<button type="button" class="theme" data-theme-switch aria-pressed="${theme === "dark" ? "true" : "false"}" hidden>${t("dark")}</button>
<a class="own" href="/team">${team === undefined ? t("sign_in") : t("my_team")}</a>
</div>
</header>
<main id="content" tabindex="-1"${follows?.phase !== undefined && html` data-phase="${follows.phase}"`}${follows?.submissions && html` data-submissions`}>
${body}
</main>
</body>
</html>
`.text;
}

function switchTo({ language, path }: PageContext, to: keyof typeof NAMES): Html {
  const current = to === language ? html` aria-current="true"` : null;
  return html`<a href="${path}?lang=${to}" hreflang="${languageTag(to)}" lang="${languageTag(to)}"${current}>${NAMES[to]}</a>`;
}

/** Tabs of the phases and of the two pages that each has. */
export function phaseTabs(context: PageContext, current: string, page: "table" | "about"): Html {
  const { t, phases } = context;
  const tab = (name: string): Part => {
    const here = name === current && html` aria-current="page"`;
    return html`<li><a href="${phaseAddress(name, page)}"${here}>${name}</a></li>`;
  };
  const other = page === "table" ? "about" : "table";
  return html`<nav class="tabs" aria-label="${t("phases")}"><ul>${phases.map(({ name }) => tab(name))}</ul>
<a class="other" href="${phaseAddress(current, other)}">${other === "about" ? t("about") : t("leaderboard")}</a></nav>
`;
}

export function phaseAddress(name: string, page: "table" | "about" = "table"): string {
  return `/phases/${encodeURIComponent(name)}${page === "about" ? "/about" : ""}`;
}
