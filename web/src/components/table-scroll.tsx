import type { ReactNode } from "react";

/** Lets a table that is wider than the screen scroll sideways. */
export function TableScroll({ children }: { readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it, for which it needs the focus.
    <div className="table-scroll" tabIndex={0}>
      {children}
    </div>
  );
}
