import { useCallback, useEffect } from "react";
import { preference } from "../preferences.js";
import { en } from "./en.js";
import { episodeEn } from "./episode-en.js";
import { episodeZh } from "./episode-zh.js";
import { zh } from "./zh.js";

export type Language = "en" | "zh";

const messages = {
  en: { ...en, ...episodeEn },
  zh: { ...zh, ...episodeZh },
} as const;

export type MessageKey = keyof (typeof messages)["en"];

/** `t("runs.shown", { n: 3 })`: `{n}` in the message is filled in. */
export type Translate = (
  key: MessageKey,
  values?: Readonly<Record<string, string | number>>,
) => string;

const chosen = preference<Language>("lang", ["en", "zh"]);

/** The selected language, or else the browser's if it is supported. */
export function useLanguage(): readonly [Language, (language: Language) => void] {
  return [chosen.use() ?? browserLanguage(), chosen.choose];
}

export function useT(): Translate {
  const [language] = useLanguage();
  return useCallback<Translate>(
    (key, values) => {
      const text: string = messages[language][key];
      return values
        ? text.replace(/\{(\w+)\}/g, (whole, name) => `${values[name] ?? whole}`)
        : text;
    },
    [language],
  );
}

export function useLanguageOnDocument(): void {
  const [language] = useLanguage();
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  }, [language]);
}

function browserLanguage(): Language {
  for (const tag of navigator.languages) {
    if (/^zh\b/i.test(tag)) return "zh";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}
