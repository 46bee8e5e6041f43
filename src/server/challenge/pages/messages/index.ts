import { MESSAGES } from "./table.js";

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Translates a message and fills in its values: `t("many_teams", { n: 3 })`. */
export type Translate = (
  key: keyof typeof MESSAGES,
  values?: Readonly<Record<string, string | number>>,
) => string;

export function translator(language: Language): Translate {
  return (key, values = {}) => {
    const [en, zh] = MESSAGES[key];
    const text = language === "zh" ? zh : en;
    return text.replace(/\{(\w+)\}/g, (whole, name) => `${values[name] ?? whole}`);
  };
}

/** Value of HTML's `lang`, on which fonts and speech depend. */
export function languageTag(language: Language): string {
  return language === "zh" ? "zh-CN" : "en";
}

/**
 * The supported language with the highest quality in the header Accept-Language, the first among equals (RFC 9110,
 * 12.5.4). English if it names none.
 */
export function acceptedLanguage(header: string | undefined): Language {
  let [best, highest]: [Language, number] = ["en", 0];
  for (const part of (header ?? "").slice(0, 200).split(",")) {
    const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
    const quality = parameters.find((one) => one.trim().startsWith("q="))?.split("=")[1];
    const weight = quality === undefined ? 1 : Number(quality) || 0;
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    if (language !== undefined && weight > highest) [best, highest] = [language, weight];
  }
  return best;
}
