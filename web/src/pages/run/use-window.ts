import { type RefObject, useCallback, useEffect, useState } from "react";

/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8;

export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The visible rows of a scrolling element with rows of equal height, plus the overscan. */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, end: 40 });
  const measure = useCallback(() => {
    const element = box.current;
    if (!element) return;
    // Rounded to tens, so that most scroll events cause no render.
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight / 10) * 10 - OVERSCAN);
    const rows = Math.ceil(element.clientHeight / rowHeight) + 10 + 2 * OVERSCAN;
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
  // If the table has become shorter than the scroll position, show the last rows.
  const end = Math.min(count, seen.end);
  return { first: Math.max(0, Math.min(seen.first, end - (seen.end - seen.first))), end };
}
