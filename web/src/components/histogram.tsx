import type { Bin } from "../bins.js";
import { useT } from "../i18n/index.js";

const WIDTH = 520;
const HEIGHT = 200;
const LEFT = 40;
const BOTTOM = 22;
const TOP = 8;

/** Bars of counts; each links to the rows that it counts. */
export function Histogram({
  label,
  bins,
  hrefOf,
}: {
  readonly label: string;
  readonly bins: readonly Bin[];
  readonly hrefOf: (bin: Bin, last: boolean) => string;
}) {
  const t = useT();
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const step = (WIDTH - LEFT - 4) / Math.max(1, bins.length);
  const height = HEIGHT - TOP - BOTTOM;
  const y = (count: number) => TOP + height * (1 - count / highest);
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return <p className="muted">{t("metric.none")}</p>;
  const middle = bins[Math.floor(bins.length / 2)];
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{label}</title>
      {[highest, Math.round(highest / 2)].map((count) => (
        <g key={count}>
          <line className="grid" x1={LEFT} x2={WIDTH} y1={y(count)} y2={y(count)} />
          <text x={LEFT - 6} y={y(count) + 4} textAnchor="end">
            {count}
          </text>
        </g>
      ))}
      {bins.map((bin, i) =>
        bin.count === 0 ? null : (
          <a
            key={bin.from}
            href={hrefOf(bin, i === bins.length - 1)}
            aria-label={t("chart.bin", { n: bin.count, from: bin.from, to: bin.to })}
          >
            <title>{t("chart.bin", { n: bin.count, from: bin.from, to: bin.to })}</title>
            <rect
              className="bin"
              x={LEFT + i * step + 1}
              width={Math.max(1, step - 2)}
              y={Math.min(y(bin.count), HEIGHT - BOTTOM - 2)}
              height={Math.max(2, HEIGHT - BOTTOM - y(bin.count))}
            />
          </a>
        ),
      )}
      <line className="axis" x1={LEFT} x2={WIDTH} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      <text x={LEFT} y={HEIGHT - 5}>
        {first.from}
      </text>
      {middle && bins.length > 3 && (
        <text x={LEFT + Math.floor(bins.length / 2) * step} y={HEIGHT - 5} textAnchor="middle">
          {middle.from}
        </text>
      )}
      <text x={WIDTH - 2} y={HEIGHT - 5} textAnchor="end">
        {last.to}
      </text>
    </svg>
  );
}
