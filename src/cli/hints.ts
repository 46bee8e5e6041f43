const HINT = /^\s*hint: /;

/** Splits texts from their lines of hints, each of which is kept once. */
export function withoutHints(texts: readonly string[]): {
  readonly texts: readonly string[];
  readonly hints: readonly string[];
} {
  const hints = new Set<string>();
  const plain = texts.map((text) =>
    text
      .split("\n")
      .filter((line) => {
        if (!HINT.test(line)) return true;
        hints.add(line.trim());
        return false;
      })
      .join("\n"),
  );
  return { texts: plain, hints: [...hints] };
}
