import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { SortHeader } from "../../components/sort-header.js";
import type { Order } from "../../filter/order.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import type { EpisodeColumns } from "./episode-columns.js";
import { EpisodeLineView } from "./episode-line-view.js";
import { useWindow } from "./use-window.js";

/** Must match tables.css: spacers replace rows that are not rendered. */
const ROW_HEIGHT = 64;

interface EpisodeTableProps {
  readonly run: string;
  readonly rows: readonly EpisodeRow[];
  readonly columns: EpisodeColumns;
  readonly order: Order;
  readonly onSort: (sort: string) => void;
}

/** A virtualised table: only visible rows are rendered. Arrow keys move between rows, Enter opens. */
export function EpisodeTable({ run, rows, columns, order, onSort }: EpisodeTableProps) {
  const t = useT();
  const say = useSentence();
  const box = useRef<HTMLDivElement>(null);
  const { first, end } = useWindow(box, rows.length, ROW_HEIGHT);
  const { active, onKeyDown } = useArrows(box, rows.length);
  const sorting = { order, onSort };
  const head = (column: string, label: string, className?: string) => (
    <SortHeader column={column} label={label} className={className} {...sorting} />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the links inside
    <div ref={box} className="episodes card" onKeyDown={onKeyDown}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{t("run.episodes_caption")}</caption>
        <thead>
          <tr>
            <th scope="col" className="thumb-cell">
              <span className="visually-hidden">{t("run.thumbnail")}</span>
            </th>
            {head("outcome", t("run.outcome"))}
            {head("episode", t("run.episode"))}
            {head("end", t("run.end"), "wide")}
            {columns.metrics.map(({ metric, note, primary }) => (
              <SortHeader
                key={metric}
                column={metric}
                label={metric}
                title={say(note)}
                className={primary ? "number" : "number wide"}
                {...sorting}
              />
            ))}
            {head("steps", t("run.steps"), "number wide")}
            {head("latency", t("run.latency_short"), "number wide")}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} />
          {rows.slice(first, end).map((row, i) => (
            <EpisodeLineView
              key={row.id}
              run={run}
              row={row}
              columns={columns}
              index={first + i}
              reachable={first + i === active}
            />
          ))}
          <Spacer rows={rows.length - end} />
        </tbody>
      </table>
      {rows.length === 0 && <p className="muted nothing">{t("run.no_rows")}</p>}
    </div>
  );
}

function Spacer({ rows }: { readonly rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr className="spacer" style={{ height: rows * ROW_HEIGHT }}>
      <td />
    </tr>
  );
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** One link of the table is reachable with Tab, the others from it with the arrow keys. */
function useArrows(box: React.RefObject<HTMLDivElement | null>, count: number) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);
  // After every render: a distant row exists only after the table has scrolled to it.
  useEffect(() => {
    if (wanted.current === null) return;
    const link = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!link) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  });
  const move = (to: number) => {
    const element = box.current;
    if (!element) return;
    wanted.current = to;
    setActive(to);
    const top = to * ROW_HEIGHT;
    const room = element.clientHeight - 2 * ROW_HEIGHT;
    if (top < element.scrollTop) element.scrollTop = top;
    if (top > element.scrollTop + room) element.scrollTop = top - room;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = MOVES[event.key];
    const { target } = event;
    if (step === undefined || !(target instanceof HTMLElement)) return;
    const at = target.dataset.index;
    if (at === undefined) return;
    event.preventDefault();
    move(Math.max(0, Math.min(count - 1, Number(at) + step)));
  };
  return { active: Math.min(active, Math.max(0, count - 1)), onKeyDown };
}
