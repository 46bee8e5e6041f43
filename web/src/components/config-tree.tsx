/** A document as a collapsible outline, similar to YAML. */
export function ConfigTree({ value }: { readonly value: unknown }) {
  return (
    <div className="config-tree">
      <Entries value={value} depth={0} />
    </div>
  );
}

function Entries({ value, depth }: { value: unknown; depth: number }) {
  return entriesOf(value).map(([key, item]) =>
    isBranch(item) ? (
      <details key={key} open={depth < 1}>
        <summary>
          <span className="config-key">{key}</span>
        </summary>
        <Entries value={item} depth={depth + 1} />
      </details>
    ) : (
      <div key={key} className="config-leaf">
        <span className="config-key">{key}:</span> <span>{leafText(item)}</span>
      </div>
    ),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, i) => [`- ${i}`, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
}

/** Lists of plain values are shown on one line. */
function isBranch(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" && item !== null);
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function leafText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
