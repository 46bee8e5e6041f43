import { createHash } from "node:crypto";
import { SCRIPT } from "./script.js";
import { STYLE } from "./style.js";

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
