import { useT } from "../../i18n/index.js";

/** Rows of the table at once: thousands of them take a browser seconds to lay out. */
const PAGE_ROWS = 100;

export interface RunPage {
  /** From 1. */
  readonly number: number;
  readonly pages: number;
  /** Of all rows, from 0. */
  readonly first: number;
  /** One past the last. */
  readonly end: number;
}

/** The page that an address asks for; the nearest there is where it asks for none of them. */
export function runPageOf(asked: string | undefined, rows: number): RunPage {
  const pages = Math.max(1, Math.ceil(rows / PAGE_ROWS));
  const wanted = Math.trunc(Number(asked ?? 1));
  const number = Math.min(pages, Math.max(1, Number.isNaN(wanted) ? 1 : wanted));
  const first = (number - 1) * PAGE_ROWS;
  return { number, pages, first, end: Math.min(rows, first + PAGE_ROWS) };
}

interface RunPagesProps {
  readonly page: RunPage;
  readonly rows: number;
  readonly onPage: (number: number) => void;
}

/** Leafs through the table; nothing where all rows are on one page. */
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
