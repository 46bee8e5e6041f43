import { html } from "../../../runs/report/html.js";
import type { PageContext } from "./context.js";
import { layout } from "./layout.js";

/** The form in which a team enters its token. */
export function signInPage(context: PageContext, wrong: boolean): string {
  const { t } = context;
  const body = html`<section class="card sign-in"><h1>${t("sign_in")}</h1>
${wrong && html`<p class="wrong" role="alert">${t("wrong_token")}</p>`}
<form method="post" action="/sign-in">
<label for="token">${t("token")}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required maxlength="200" spellcheck="false" aria-describedby="token-hint">
<p class="note" id="token-hint">${t("token_hint")}</p>
<button type="submit" class="primary">${t("sign_in")}</button>
</form></section>`;
  return layout(context, t("sign_in"), body);
}

/** An error as a page. */
export function problemPage(context: PageContext, text: string): string {
  const { t } = context;
  const body = html`<section class="card problem"><h1>${t("problem")}</h1><p>${text}</p><p><a href="/">${t("back")}</a></p></section>`;
  return layout(context, t("problem"), body);
}
