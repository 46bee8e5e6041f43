import { useT } from "../../i18n/index.js";
import type { Navigate } from "../../route.js";
import { scrollToTab, useScrollToTab } from "../../scroll-to-tab.js";

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
  useScrollToTab(tab);
  return (
    <nav className="tabs section-links" aria-label={t("run.sections")}>
      {TABS.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={tab === name}
          onClick={() => {
            navigate({ tab: name }, "replace");
            scrollToTab(name);
          }}
        >
          {t(`run.section.${name}`)}
        </button>
      ))}
    </nav>
  );
}
