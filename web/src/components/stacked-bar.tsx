export interface Segment {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly color: string;
}

/** Shares of a total as adjacent segments. */
export function StackedBar({ label, segments }: { label: string; segments: readonly Segment[] }) {
  const words = segments.map((segment) => `${segment.label} ${segment.count}`).join(", ");
  return (
    <div className="stacked" role="img" aria-label={`${label}: ${words}`}>
      {segments.map(({ key, label: name, count, color }) => (
        <span
          key={key}
          title={`${name}: ${count}`}
          style={{ flexGrow: count, flexBasis: 0, background: color }}
        />
      ))}
    </div>
  );
}
