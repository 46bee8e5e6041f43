import { type RefObject, useCallback, useEffect, useState } from "react";

/** Rows above and below those in sight, so that scrolling shows no gaps. */
const SPARE = 8;

export interface RowWindow {
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** Which of many rows of the same height are in sight of a scrolling element, and a few around them. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, end: 40 });
  const measure = useCallback(() => {
    const element = box.current;
    if (!element) return;
    // By tens: most scroll events then change nothing, and nothing is drawn.
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight / 10) * 10 - SPARE);
    const rows = Math.ceil(element.clientHeight / rowHeight) + 10 + 2 * SPARE;
    setSeen((old) =>
      old.first === first && old.end === first + rows ? old : { first, end: first + rows },
    );
  }, [box, rowHeight]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [box, measure]);
  // Fewer rows than were scrolled past: the last ones.
  const end = Math.min(count, seen.end);
  return { first: Math.max(0, Math.min(seen.first, end - (seen.end - seen.first))), end };
}
