import { expect, test } from "bun:test";
import fc from "fast-check";
import { html, renderHtml } from "./html.ts";

test("no value can leave the text or the attribute that it was put into", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."<>\"'&;/=a` \n") }), (value) => {
      const page = renderHtml(html`<a title="${value}" class='${value}'>${value}</a>`);
      const [, title, className, text] = /^<a title="([^"]*)" class='([^']*)'>([^<]*)<\/a>$/.exec(page) ?? [];
      expect([title, className, text].map((part) => decodeEntities(part ?? "lost"))).toEqual([
        value,
        value,
        value,
      ]);
    }),
  );
});

function decodeEntities(text: string): string {
  const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return text.replace(/&[^;]+;/g, (entity) => entities[entity as keyof typeof entities]);
}

test("markup inside markup stays as it is, lists are joined, and nothing leaves nothing", () => {
  const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
  expect(renderHtml(html`<ul>${items}</ul>${null}${false}${0}`)).toBe(
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
  );
});

test("an object that only looks like markup is not taken for it", () => {
  const forged = JSON.parse('{"markup":"<script>","Symbol(markup)":"<script>"}');
  expect(() => renderHtml(html`${forged}`)).toThrow();
});
