import { useEffect, useId, useRef, useState } from "react";
import type { FilterError } from "../filter/parse.js";
import type { Suggestion } from "../filter/suggest.js";
import { useT } from "../i18n/index.js";

export interface FilterBoxProps {
  readonly label: string;
  readonly example: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly errors: readonly FilterError[];
  readonly suggest: (value: string) => readonly Suggestion[];
}

/** A filter input with its errors and suggestions. The key `/` focuses it. */
export function FilterBox({ label, example, value, onChange, errors, suggest }: FilterBoxProps) {
  const t = useT();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(false);
  useSlash(input);
  useLeaving(box, active, () => setActive(false));
  const take = (text: string) => {
    onChange(text);
    input.current?.focus();
  };
  return (
    <search ref={box} className="filter" onFocus={() => setActive(true)}>
      <div className="filter-row">
        <label htmlFor={id}>{label}</label>
        <input
          ref={input}
          id={id}
          type="search"
          value={value}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? `${id}-error` : undefined}
          aria-keyshortcuts="/"
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={({ key }) => {
            if (key === "Escape") onChange("");
          }}
        />
      </div>
      {errors.length > 0 && (
        <p id={`${id}-error`} className="filter-error" role="status">
          {errors.map(({ code, token, field, nearest }) => (
            <span key={token}>
              {t(`filter.${code}`, { token, field })}{" "}
              {nearest && t("filter.nearest", { name: nearest })}{" "}
            </span>
          ))}
        </p>
      )}
      {active && (
        <div className="chips">
          {suggest(value).map(({ label: text, filter }) => (
            <button key={text} type="button" onClick={() => take(filter)}>
              {text}
            </button>
          ))}
        </div>
      )}
    </search>
  );
}

/**
 * Calls `onLeave` after a click or key outside, not on blur: blur fires on press, and the pressed element would move
 * away before the release.
 */
function useLeaving(
  box: React.RefObject<HTMLElement | null>,
  active: boolean,
  onLeave: () => void,
): void {
  useEffect(() => {
    if (!active) return;
    const look = () => {
      if (!box.current?.contains(document.activeElement)) onLeave();
    };
    document.addEventListener("click", look);
    document.addEventListener("keyup", look);
    return () => {
      document.removeEventListener("click", look);
      document.removeEventListener("keyup", look);
    };
  });
}

function useSlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const typing = target instanceof HTMLElement && target.matches("input, textarea, select");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [input]);
}
