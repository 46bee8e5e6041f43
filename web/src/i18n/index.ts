import { useCallback, useEffect } from "react";
import { preference } from "../preferences.js";
import { EPISODE_MESSAGES } from "./episode-messages.js";
import { MESSAGES } from "./messages.js";
import { STRESS_MESSAGES } from "./stress-messages.js";

export type Language = "en" | "zh";

const messages = { ...MESSAGES, ...EPISODE_MESSAGES, ...STRESS_MESSAGES };

export type MessageKey = keyof typeof messages;

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
      const [en, zh] = messages[key];
      const text: string = language === "zh" ? zh : en;
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
