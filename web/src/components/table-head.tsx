export type Column = readonly [label: string, className?: string, hidden?: "hidden"];

/** The column headers of a table; a hidden label is for screen readers only. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map(([label, className, hidden]) => (
          <th key={label} scope="col" className={className}>
            {hidden ? <span className="visually-hidden">{label}</span> : label}
          </th>
        ))}
      </tr>
    </thead>
  );
}
