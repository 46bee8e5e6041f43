import type { ReactNode } from "react";

interface FactsProps {
  readonly className: string;
  /** Entries whose value is null are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** A list of names and values. */
export function Facts({ className, facts }: FactsProps) {
  return (
    <dl className={className}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
