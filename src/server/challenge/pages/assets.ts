import { createHash } from "node:crypto";
import { STYLE } from "./style.js";

/**
 * Script of the pages: stores the theme, and reloads the tables when the server reports a change. Text fields keep
 * their input and unfolded details stay open, because only the tables are replaced.
 */
const SCRIPT = `"use strict";
const root = document.documentElement;
const button = document.querySelector("[data-theme-switch]");
if (button) {
  const dark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const show = () => button.setAttribute("aria-pressed", String(dark()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    document.cookie = "robot_eval_theme=" + root.dataset.theme + "; path=/; max-age=31536000; samesite=lax";
    show();
  });
}
const main = document.querySelector("main");
const { phase, submissions } = main.dataset;
if (phase !== undefined || submissions !== undefined) {
  let reading = false;
  let again = false;
  const read = async () => {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const part of document.querySelectorAll("[data-live]")) {
          const fresh = page.getElementById(part.id);
          if (!fresh) continue;
          for (const { id } of part.querySelectorAll("details[open]")) {
            const same = page.getElementById(id);
            if (same) same.open = true;
          }
          part.replaceWith(document.adoptNode(fresh));
        }
      }
    } catch {
      // The next change tries again.
    }
    reading = false;
    if (again) {
      again = false;
      setTimeout(read, 1000);
    }
  };
  const source = new EventSource("/api/live");
  // What changed between the page's own request and this connection, or while a connection was lost, is not announced.
  source.addEventListener("open", read);
  source.addEventListener("message", ({ data }) => {
    const event = JSON.parse(data);
    if (event.type === "leaderboard" ? event.phase === phase : submissions !== undefined) read();
  });
}
`;

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** The name contains a content hash, so that browsers may cache it for ever. */
function asset(extension: string, type: string, body: string): Asset {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return { path: `/assets/challenge-${hash}.${extension}`, type, body };
}

const style = asset("css", "text/css; charset=utf-8", STYLE);
const script = asset("js", "text/javascript; charset=utf-8", SCRIPT);

const icon = asset(
  "svg",
  "image/svg+xml",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d55b8"/><path d="M8 10h16M8 16h11M8 22h6" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`,
);

export const STYLE_PATH = style.path;
export const SCRIPT_PATH = script.path;
export const ICON_PATH = icon.path;
export const ASSETS: readonly Asset[] = [style, script, icon];
