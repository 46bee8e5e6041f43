import { useEffect, useRef } from "react";
import { parseLocation } from "./route.js";

/** Scrolls to the section with the id `tab` of the URL, on opening and when a link changes it. */
export function useScrollToTab(tab: string | undefined): void {
  const first = useRef(tab);
  useEffect(() => {
    if (first.current) scrollToTab(first.current);
    // Only links scroll to a section. When the page itself changes the query it dispatches an untrusted event, which
    // must not scroll.
    const onLink = (event: HashChangeEvent) => {
      const { query } = parseLocation(window.location.hash);
      if (event.isTrusted && query.tab) scrollToTab(query.tab);
    };
    window.addEventListener("hashchange", onLink);
    return () => window.removeEventListener("hashchange", onLink);
  }, []);
}

export function scrollToTab(id: string): void {
  document.getElementById(id)?.scrollIntoView();
}
