import { cleanText } from "../../core/text.js";

/** Longest text of a cell. */
const LONGEST_TEXT = 300;

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  // Babel makes it active in some languages.
  '"': "{\\char34}",
  // After the end of a row, a bracket or asterisk would be taken as its argument.
  "[": "{[}",
  "]": "{]}",
  "*": "{*}",
  // Keeps LaTeX from joining characters, as in -- and ``.
  "-": "-{}",
  "`": "`{}",
  "'": "'{}",
  "–": "\\textendash{}",
  "—": "\\textemdash{}",
  "…": "\\ldots{}",
  "±": "\\ensuremath{\\pm}",
  "°": "\\ensuremath{^\\circ}",
  "·": "\\ensuremath{\\cdot}",
  "×": "\\ensuremath{\\times}",
};

/** Names of the letters from U+03B1, as used in policies' names such as π0. */
const GREEK =
  "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi o pi rho varsigma sigma tau upsilon phi chi psi omega".split(
    " ",
  );

/** Combining accents by their LaTeX commands. */
const ACCENTS: Readonly<Record<string, string>> = {
  "\u0300": "`",
  "\u0301": "'",
  "\u0302": "^",
  "\u0303": "~",
  "\u0304": "=",
  "\u0306": "u",
  "\u0307": ".",
  "\u0308": '"',
  "\u030a": "r",
  "\u030b": "H",
  "\u030c": "v",
  "\u0327": "c",
};

/**
 * Escapes text for LaTeX, on one line. pdfLaTeX stops at a letter that its fonts lack, so such a letter is written
 * twice, `\unicodetext{中}{U+4E2D}`: the letter for XeLaTeX and LuaLaTeX, and its code for pdfLaTeX. The table defines
 * that command.
 */
export function tex(text: string): string {
  const line = cleanText(text.replace(/\s+/g, " "), LONGEST_TEXT);
  return Array.from(line.normalize("NFC"), escaped).join("");
}

function escaped(char: string): string {
  const special = SPECIAL[char];
  if (special !== undefined) return special;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x7f) return char;
  const greek = GREEK[code - 0x3b1];
  if (greek !== undefined) return greek === "o" ? "o" : `\\ensuremath{\\${greek}}`;
  const [letter = "", accent = "", ...more] = char.normalize("NFD");
  const command = ACCENTS[accent];
  if (/^[A-Za-z]$/.test(letter) && command !== undefined && more.length === 0) {
    return `\\${command}{${letter}}`;
  }
  return `\\unicodetext{${char}}{U+${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}
