import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { breakable, html, trusted } from "./html.js";

describe("html templates", () => {
  it("an html template escapes values in text and attributes", () => {
    const evil = `<script>alert("1")</script>`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      `<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>`,
    );
  });

  it("an html template inserts Html values and lists of them unescaped, and omits null, undefined and false", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li>0</ul>",
    );
    expect(html`${trusted("<svg/>")}`.text).toBe("<svg/>");
  });

  it("an html template never emits text that could begin a tag or end an attribute", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
        expect(breakable(text).text.replaceAll("<wbr>", "")).not.toMatch(/[<>"']/);
      }),
    );
  });

  it("breakable() allows breaks after slashes and underscores, but not at the end or inside an entity", () => {
    expect(breakable("vln/house_04/a&b/").text).toBe("vln/<wbr>house_<wbr>04/<wbr>a&amp;b/");
  });
});
