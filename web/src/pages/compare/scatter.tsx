import { type KeyboardEvent, useState } from "react";
import type { MetricComparison } from "../../../../src/runs/compare/documents.js";
import { formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { extentOf } from "../../scale.js";
import type { ScatterPoint } from "./scatter-points.js";

const SIZE = 420;
const LEFT = 48;
const BOTTOM = 40;
const INSET = 16;

interface ScatterProps {
  readonly metric: string;
  readonly points: readonly ScatterPoint[];
  readonly direction: MetricComparison["direction"];
  readonly chosen: string | undefined;
  readonly hrefOf: (episode: string) => string;
}

/** A on the x axis, B on the y axis. Arrow keys move between points, starting with the largest difference. */
export function Scatter({ metric, points, direction, chosen, hrefOf }: ScatterProps) {
  const t = useT();
  const [active, setActive] = useState(0);
  const current = points[Math.min(active, points.length - 1)];
  const [low, high] = extentOf(points.flatMap(({ a, b }) => [a, b]));
  const at = (value: number) => (value - low) / (high - low);
  const x = (value: number) => LEFT + INSET + at(value) * (SIZE - LEFT - 2 * INSET);
  const y = (value: number) => SIZE - BOTTOM - INSET - at(value) * (SIZE - BOTTOM - 2 * INSET);
  const describe = ({ a, b, episodes }: ScatterPoint) => {
    const more = episodes.length > 1 ? ` ${t("compare.and_more", { n: episodes.length - 1 })}` : "";
    return `${episodes[0]?.key ?? ""}${more}: A ${formatNumber(a)}, B ${formatNumber(b)}`;
  };
  const onKeyDown = (event: KeyboardEvent<SVGElement>) => {
    const forward = event.key === "ArrowRight" || event.key === "ArrowDown";
    if (!forward && event.key !== "ArrowLeft" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const next = Math.max(0, Math.min(points.length - 1, active + (forward ? 1 : -1)));
    setActive(next);
    event.currentTarget.querySelector<SVGElement>(`[data-point="${next}"]`)?.focus();
  };
  if (points.length === 0) return <p className="muted">{t("compare.nothing")}</p>;
  return (
    <>
      <svg className="chart scatter" viewBox={`0 0 ${SIZE} ${SIZE}`} onKeyDown={onKeyDown}>
        <title>{`${t("compare.scatter")}: ${metric}`}</title>
        {[low, (low + high) / 2, high].map((value) => (
          <g key={value}>
            <line className="grid" x1={x(value)} x2={x(value)} y1={INSET} y2={SIZE - BOTTOM} />
            <line className="grid" x1={LEFT} x2={SIZE - INSET} y1={y(value)} y2={y(value)} />
            <text x={x(value)} y={SIZE - BOTTOM + 16} textAnchor="middle">
              {formatNumber(value)}
            </text>
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        <line
          className="axis"
          x1={x(low)}
          y1={y(low)}
          x2={x(high)}
          y2={y(high)}
          strokeDasharray="4 4"
        />
        <text className="axis-name" x={SIZE - INSET} y={SIZE - 4} textAnchor="end">
          A →
        </text>
        <text className="axis-name" x={LEFT - 6} y={INSET + 28} textAnchor="end">
          B ↑
        </text>
        {points.map((point, i) => {
          const { a, b, episodes } = point;
          const first = episodes[0];
          if (!first) return null;
          return (
            <a
              key={`${a} ${b}`}
              href={hrefOf(first.id)}
              data-point={i}
              tabIndex={i === Math.min(active, points.length - 1) ? 0 : -1}
              onFocus={() => setActive(i)}
              onMouseEnter={() => setActive(i)}
              aria-label={describe(point)}
            >
              <circle
                className={`point ${toneOf(point, direction)}${episodes.some(({ id }) => id === chosen) ? " chosen" : ""}`}
                cx={x(a)}
                cy={y(b)}
                r={Math.min(26, 4 + 1.6 * Math.sqrt(episodes.length - 1))}
              />
              {episodes.length > 9 && (
                <text className="count" x={x(a)} y={y(b) + 4} textAnchor="middle">
                  {episodes.length}
                </text>
              )}
            </a>
          );
        })}
      </svg>
      <p className="small" aria-live="polite">
        {current && describe(current)}
      </p>
    </>
  );
}

function toneOf({ a, b }: ScatterPoint, direction: MetricComparison["direction"]): string {
  if (a === b || direction === null || direction === "none") return "";
  return b > a === (direction === "higher") ? "up" : "down";
}
