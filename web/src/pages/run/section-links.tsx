import { useEffect, useRef } from "react";
import { useT } from "../../i18n/index.js";
import { type Navigate, parsePlace } from "../../route.js";

const TABS = ["metrics", "tasks", "ends", "episodes", "config"] as const;

/** Ways to the parts of a long page. The part stands in the address, and an address with one goes there. */
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
    // Links bring the reader to a part; a change of the query by the page itself, which is told by an event of the
    // page's own making, leaves the reader where he is.
    const onLink = (event: HashChangeEvent) => {
      const { query } = parsePlace(window.location.hash);
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
