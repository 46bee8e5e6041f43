/** A token of a filter, separated by spaces outside quotes. */
export interface Token {
  /** Without quotes and without the minus. */
  readonly text: string;
  readonly negated: boolean;
  /** It begins with a quote, so it is always a word. */
  readonly quoted: boolean;
  /** It has an unclosed quote. */
  readonly open: boolean;
  /** Its offset in the filter. */
  readonly start: number;
}

export function tokensOf(filter: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < filter.length) {
    if (/\s/.test(filter.charAt(at))) {
      at++;
      continue;
    }
    const start = at;
    const negated = filter.charAt(at) === "-" && /\S/.test(filter.charAt(at + 1));
    if (negated) at++;
    const quoted = filter.charAt(at) === '"';
    let text = "";
    let open = false;
    for (; at < filter.length; at++) {
      const char = filter.charAt(at);
      if (char === '"') open = !open;
      else if (!open && /\s/.test(char)) break;
      else text += char;
    }
    tokens.push({ text, negated, quoted, open, start });
  }
  return tokens;
}
