import { useT } from "../../i18n/index.js";

/** Rows per page: a browser takes seconds to lay out thousands. */
const PAGE_ROWS = 100;

export interface PageRange {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  /** Index of the first row, from 0. */
  readonly first: number;
  /** Index after the last row. */
  readonly end: number;
}

/** The page that the URL names, or the nearest one if it does not exist. */
export function pageRangeOf(asked: string | undefined, rows: number): PageRange {
  const pages = Math.max(1, Math.ceil(rows / PAGE_ROWS));
  const wanted = Math.trunc(Number(asked ?? 1));
  const number = Math.min(pages, Math.max(1, Number.isNaN(wanted) ? 1 : wanted));
  const first = (number - 1) * PAGE_ROWS;
  return { number, pages, first, end: Math.min(rows, first + PAGE_ROWS) };
}

interface RunPagesProps {
  readonly page: PageRange;
  readonly rows: number;
  readonly onPage: (number: number) => void;
}

/** Buttons for the previous and the next page; nothing if all rows fit on one. */
export function RunPages({ page, rows, onPage }: RunPagesProps) {
  const t = useT();
  const { number, pages, first, end } = page;
  if (pages === 1) return null;
  return (
    <nav className="run-pages" aria-label={t("runs.pages")}>
      <button type="button" disabled={number === 1} onClick={() => onPage(number - 1)}>
        {t("runs.previous_page")}
      </button>
      <span>{t("runs.page_rows", { first: first + 1, end, rows })}</span>
      <button type="button" disabled={number === pages} onClick={() => onPage(number + 1)}>
        {t("runs.next_page")}
      </button>
    </nav>
  );
}
