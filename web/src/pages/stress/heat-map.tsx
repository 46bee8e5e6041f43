import { TableScroll } from "../../components/table-scroll.js";
import { useT } from "../../i18n/index.js";
import {
  breakPointText,
  cellColor,
  percent,
  type StressAxis,
  type StressLevel,
  signed,
  valueText,
} from "./axis-text.js";

interface HeatMapProps {
  readonly axes: readonly StressAxis[];
  /** Number of tests in the correction. */
  readonly tests: number;
  /** `<axis> <level>` */
  readonly selected: string | null;
  readonly onSelect: (axis: string, level: number) => void;
}

/** Success by axis and level. Numbers are in the cells, so the colour only repeats them. */
export function HeatMap({ axes, tests, selected, onSelect }: HeatMapProps) {
  const t = useT();
  const levels = [...new Set(axes.flatMap((axis) => axis.levels.map(({ level }) => level)))].sort(
    (a, b) => a - b,
  );
  return (
    <section className="card" aria-labelledby="heat-map-title">
      <h2 id="heat-map-title">{t("stress.map")}</h2>
      <p className="muted small">{t("stress.map_note", { tests })}</p>
      <TableScroll>
        <table className="table heat-map">
          <caption className="visually-hidden">{t("stress.map")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("stress.axis")}</th>
              {levels.map((level) => (
                <th key={level} scope="col">
                  {t("stress.level_n", { level })}
                </th>
              ))}
              <th scope="col">
                <abbr title={t("stress.break_note")}>{t("stress.break_point")}</abbr>
              </th>
            </tr>
          </thead>
          <tbody>
            {axes.map((axis) => (
              <tr key={axis.axis}>
                <th scope="row">
                  {axis.axis}
                  <span className="muted small axis-description">{axis.description}</span>
                </th>
                {levels.map((number) => {
                  const level = axis.levels.find((one) => one.level === number);
                  return level ? (
                    <Cell
                      key={number}
                      axis={axis}
                      level={level}
                      isSelected={selected === `${axis.axis} ${number}`}
                      onSelect={() => onSelect(axis.axis, number)}
                    />
                  ) : (
                    <td key={number} />
                  );
                })}
                <td className="break-point">
                  {breakPointText(axis) ?? (
                    <span className="muted">
                      {t(
                        axis.break_point.state === "not_reached"
                          ? "stress.break.not_reached"
                          : "stress.break.unknown",
                      )}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

interface CellProps {
  readonly axis: StressAxis;
  readonly level: StressLevel;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function Cell({ axis, level, isSelected, onSelect }: CellProps) {
  const t = useT();
  const { value, success, difference, significant, n } = level;
  const where = `${axis.parameter} ${valueText(axis, value)}`;
  return (
    <td className="heat-cell" style={{ background: cellColor(difference) }}>
      <button type="button" aria-pressed={isSelected} title={where} onClick={onSelect}>
        <span className="visually-hidden">
          {axis.axis}, {where}:{" "}
        </span>
        {n === 0 ? (
          <span className="muted">{t("stress.waiting")}</span>
        ) : (
          <>
            <strong>{percent(success)}</strong>
            <span className="small">
              {signed(difference)}
              {significant && "*"}
            </span>
          </>
        )}
        <span className="muted small">{valueText(axis, value)}</span>
      </button>
    </td>
  );
}
