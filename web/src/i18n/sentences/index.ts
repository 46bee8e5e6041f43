import { useCallback } from "react";
import { useLanguage } from "../index.js";
import { inChinese } from "./chinese.js";

/** Sentences of documents in the language of the page. */
export function useSentence(): (text: string) => string {
  const [language] = useLanguage();
  return useCallback((text) => (language === "zh" ? inChinese(text) : text), [language]);
}
