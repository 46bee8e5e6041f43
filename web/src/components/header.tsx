import { useEffect } from "react";
import { episodeName } from "../episode-name.js";
import { useLanguage, useT } from "../i18n/index.js";
import { hrefOf, type Route } from "../route.js";
import { useTheme } from "../theme.js";

/** Breadcrumbs, and the choice of language and theme. */
export function Header({ route }: { readonly route: Route }) {
  const t = useT();
  const [language, chooseLanguage] = useLanguage();
  const [theme, chooseTheme] = useTheme();
  const crumbs = useCrumbs(route);
  const title = crumbs.map(({ text }) => text).join(" · ");
  useEffect(() => {
    document.title = title === "" ? "robot-eval" : `${title} – robot-eval`;
  }, [title]);
  return (
    <header className="app-header">
      <a className="brand" href={hrefOf({ page: "runs" })}>
        robot-eval
      </a>
      <nav aria-label={t("app.breadcrumbs")} className="crumbs">
        <ol>
          {crumbs.map(({ text, href }, i) => (
            <li key={href}>
              <a href={href} aria-current={i === crumbs.length - 1 ? "page" : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="app-choices">
        <button
          type="button"
          className="quiet"
          onClick={() => chooseLanguage(language === "zh" ? "en" : "zh")}
        >
          {/* Also in Latin letters, because the font may have no Chinese ones. */}
          {language === "zh" ? (
            "English"
          ) : (
            <>
              Chinese <span lang="zh-CN">中文</span>
            </>
          )}
        </button>
        <button
          type="button"
          className="quiet"
          aria-pressed={theme === "dark"}
          onClick={() => chooseTheme(theme === "dark" ? "light" : "dark")}
        >
          {t("app.dark")}
        </button>
      </div>
    </header>
  );
}

function useCrumbs(route: Route): readonly { text: string; href: string }[] {
  const t = useT();
  const episodeText = (id: string) => {
    const { key, repeat } = episodeName(id);
    return repeat > 0 ? `${key} (${t("run.repeat_n", { n: repeat })})` : key;
  };
  const runs = { text: t("runs.title"), href: hrefOf({ page: "runs" }) };
  switch (route.page) {
    case "runs":
    case "unknown":
      return [runs];
    case "stress":
      return [runs, { text: t("stress.title"), href: hrefOf(route) }];
    case "run":
      return [runs, { text: route.run, href: hrefOf(route) }];
    case "episode":
      return [
        runs,
        { text: route.run, href: hrefOf({ page: "run", run: route.run }) },
        { text: episodeText(route.episode), href: hrefOf(route) },
      ];
    case "compare":
      return [runs, { text: t("compare.title"), href: hrefOf(route) }];
  }
}
