import { useEffect, useRef } from "react";
import { useT } from "../../i18n/index.js";
import { type Navigate, parseLocation } from "../../route.js";

const TABS = ["metrics", "tasks", "ends", "episodes", "config"] as const;

/** Links to the sections of the page. The section is in the URL, and opening such a URL scrolls to it. */
export function SectionLinks({
  tab,
  navigate,
}: {
  readonly tab: string | undefined;
  readonly navigate: Navigate;
}) {
  const t = useT();
  const first = useRef(tab);
  useEffect(() => {
    if (first.current) show(first.current);
    // Only links scroll to a section. When the page itself changes the query it dispatches an untrusted event, which
    // must not scroll.
    const onLink = (event: HashChangeEvent) => {
      const { query } = parseLocation(window.location.hash);
      if (event.isTrusted && query.tab) show(query.tab);
    };
    window.addEventListener("hashchange", onLink);
    return () => window.removeEventListener("hashchange", onLink);
  }, []);
  return (
    <nav className="tabs section-links" aria-label={t("run.sections")}>
      {TABS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={tab === name}
          onClick={() => {
            navigate({ tab: name }, "replace");
            show(name);
          }}
        >
          {t(`run.section.${name}`)}
        </button>
      ))}
    </nav>
  );
}

function show(id: string): void {
  document.getElementById(id)?.scrollIntoView();
}
