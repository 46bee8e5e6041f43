import { lazy, Suspense, useEffect } from "react";
import { ErrorBoundary } from "./components/error-boundary.js";
import { Header } from "./components/header.js";
import { Loading } from "./components/loading.js";
import { ProblemBox } from "./components/problem-box.js";
import { useLanguageOnDocument, useT } from "./i18n/index.js";
import { hrefOf, type PageProps, type Route, usePageLocation } from "./route.js";
import { useThemeOnDocument } from "./theme.js";

// Each page is a separate chunk; the episode page includes three.js.
const RunsPage = lazy(async () => ({
  default: (await import("./pages/runs/runs-page.js")).RunsPage,
}));
const RunPage = lazy(async () => ({ default: (await import("./pages/run/run-page.js")).RunPage }));
const EpisodePage = lazy(async () => ({
  default: (await import("./pages/episode/episode-page.js")).EpisodePage,
}));
const StressPage = lazy(async () => ({
  default: (await import("./pages/stress/stress-page.js")).StressPage,
}));
const ComparePage = lazy(async () => ({
  default: (await import("./pages/compare/compare-page.js")).ComparePage,
}));

export function App() {
  const t = useT();
  const [{ route, query }, navigate] = usePageLocation();
  useThemeOnDocument();
  useLanguageOnDocument();
  // Only a change of the route scrolls to the top and resets the error boundary, not a change of the query.
  const href = hrefOf(route);
  useEffect(() => {
    if (href) window.scrollTo(0, 0);
  }, [href]);
  return (
    <>
      <button type="button" className="skip-link" onClick={focusMain}>
        {t("app.skip")}
      </button>
      <Header route={route} />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={href}>
          <Suspense fallback={<Loading />}>
            <PageOf route={route} query={query} navigate={navigate} />
          </Suspense>
        </ErrorBoundary>
      </main>
    </>
  );
}

function PageOf({ route, ...props }: PageProps & { readonly route: Route }) {
  const t = useT();
  switch (route.page) {
    case "runs":
      return <RunsPage {...props} />;
    case "run":
      return <RunPage key={route.run} run={route.run} {...props} />;
    case "episode":
      return <EpisodePage run={route.run} episode={route.episode} {...props} />;
    case "stress":
      return <StressPage {...props} />;
    case "compare":
      return <ComparePage a={route.a} b={route.b} {...props} />;
    case "unknown":
      return (
        <ProblemBox
          problem={{
            code: "unknown_page",
            message: t("app.unknown"),
            where: route.path,
            hint: null,
          }}
        />
      );
  }
}

/** A link would overwrite the URL's hash, which holds the page's state. */
function focusMain(): void {
  document.getElementById("main")?.focus();
}
