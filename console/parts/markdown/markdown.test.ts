import { describe, expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Markdown } from "./markdown.tsx";

const QUICK_MS = 4_000;

/** The rendered HTML without the `dir` attributes, which every block has. */
function shown(text: string, isWriting = false): string {
  const html = renderToStaticMarkup(createElement(Markdown, { text, isWriting }));
  return html.replace(/^<div class="markdown">(.*)<\/div>$/s, "$1").replaceAll(/ dir="(?:auto|ltr)"/g, "");
}

function attributesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map((match) => match[1] ?? "");
}

describe("Markdown of a model", () => {
  test("keeps line breaks in cells, and formulas with their backslashes", () => {
    expect(shown("| a |\n|---|\n| fast<br>cheap<BR />b |")).toContain("<td>fast<br/>cheap<br/>b</td>");
    expect(shown("\\( a^2 \\) and \\[ b \\] \\* <b>")).toBe("<p>\\( a^2 \\) and \\[ b \\] * &lt;b&gt;</p>");
  });

  test("formats emphasis, code, line breaks, quotes and rules", () => {
    expect(shown("a **b** *c* ~~d~~ `e*`")).toBe(
      '<p>a <strong>b</strong> <em>c</em> <s>d</s> <code translate="no">e*</code></p>',
    );
    expect(shown("an old silent pond\na frog")).toBe("<p>an old silent pond<br/>a frog</p>");
    expect(shown("> a\n>\n> b")).toBe("<blockquote><p>a</p><p>b</p></blockquote>");
    expect(shown("a\n\n---\n\nb")).toBe("<p>a</p><hr/><p>b</p>");
  });

  test("is not translated while it grows", () => {
    expect(shown("a", true)).toStartWith('<div class="markdown" translate="no">');
    expect(shown("a")).toBe("<p>a</p>");
  });

  test("keeps nested lists, and the start number of a list", () => {
    expect(shown("3. a\n   - b\n   - c\n4. d")).toBe(
      '<ol start="3"><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol>',
    );
    expect(shown("- a\n\n- b")).toBe("<ul><li><p>a</p></li><li><p>b</p></li></ul>");
  });

  test("aligns the columns of a table", () => {
    expect(shown("| a | b |\n|:-:|--:|\n| 1 |")).toBe(
      '<figure class="table-frame" aria-label="Table" tabindex="0"><table><thead><tr><th class="to-center">a</th><th class="to-end">b</th></tr></thead><tbody><tr><td class="to-center">1</td><td class="to-end"></td></tr></tbody></table></figure>',
    );
  });

  test("shows the language of code, beside a button that copies it", () => {
    const html = shown("```ts title=x\nconst a = `<b>`;\n\n```");
    expect(html).toContain("<figcaption>ts</figcaption>");
    expect(html).toContain('<code translate="no">const a = `&lt;b&gt;`;\n</code>');
    expect(html).toContain("Copy the code");
  });

  test("skips no heading level, whichever it begins with", () => {
    expect(shown("### a\n# b\n#### c\n###### d").match(/<h\d[^>]*/g)).toEqual([
      '<h2 class="size-3"',
      '<h2 class="size-1"',
      "<h3",
      "<h4",
    ]);
  });

  test("has the text direction of each block, and code always left to right", () => {
    const html = renderToStaticMarkup(
      createElement(Markdown, { text: "שלום\n\n- سلام\n\n  a\n\n> b\n\n```\nc\n```" }),
    );
    expect(html).toContain('<p dir="auto">שלום</p>');
    expect(html).toContain('<ul><li dir="auto"><p>سلام</p><p>a</p></li></ul>');
    expect(html).toContain('<blockquote dir="auto"><p>b</p></blockquote>');
    expect(html).toContain('<figure class="code fence" dir="ltr">');
  });
});

describe("hostile Markdown", () => {
  test("never becomes markup", () => {
    const html = shown('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> a <b>b</b> &lt;i&gt; "');
    expect(html).not.toMatch(/<(?:script|img|b|i)\b/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("&lt;i&gt;");
  });

  test("links only to the web and to mail, in a new tab without opener and referrer", () => {
    const html = shown(
      "[a](https://a.example) <mailto:b@b.example> http://c.example, [d][1]\n\n[1]: HTTPS://d.example",
    );
    expect(attributesOf(html, "href")).toEqual([
      "https://a.example",
      "mailto:b@b.example",
      "http://c.example",
      "HTTPS://d.example",
    ]);
    expect(attributesOf(html, "rel")).toEqual(Array(4).fill("noopener noreferrer"));
    expect(attributesOf(html, "target")).toEqual(Array(4).fill("_blank"));
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#x0A;script:alert(1)",
    "&#x6A;avascript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:x",
    "/console/api/session",
    "//a.example",
    "#x",
    "ftp://a.example",
    "https",
  ])("gets no link to %p", (address) => {
    for (const text of [`[words](${address})`, `![words](${address})`, `[words][1]\n\n[1]: ${address}`]) {
      expect(shown(text)).not.toContain("<a");
    }
    expect(shown(`<${address}>`)).not.toContain("<a");
    expect(shown(`see ${address} there`)).not.toContain("<a");
  });

  test("loads no image: it becomes a link with its text, and plain text inside a link", () => {
    expect(shown("![a *b*](https://a.example/p.png)")).toMatch(
      /^<p><a href="https:\/\/a\.example\/p\.png"[^>]*>a <em>b<\/em><\/a><\/p>$/,
    );
    expect(shown("![](https://a.example/p.png)")).toContain(">https://a.example/p.png</a>");
    expect(shown("[![badge](https://a.example/p.svg)](https://b.example)")).toMatch(
      /^<p><a href="https:\/\/b\.example"[^>]*>badge<\/a><\/p>$/,
    );
  });

  test.each([
    ["quotes", ">".repeat(5_000)],
    ["quotes with blanks", "> ".repeat(5_000)],
    ["lists on one line", "- ".repeat(5_000)],
    ["lists below each other", Array.from({ length: 600 }, (_, at) => `${"  ".repeat(at)}- x`).join("\n")],
    ["both", "> 1. ".repeat(2_500)],
    ["stars", `${"*".repeat(20_000)}a${"*".repeat(20_000)}`],
    ["strong in emphasis", `${"**a *b ".repeat(4_000)}${"*** ".repeat(4_000)}`],
    ["brackets", "[".repeat(20_000)],
    ["pictures in pictures", `${"![".repeat(2_000)}x${"](https://a.example)".repeat(2_000)}`],
    ["empty brackets", "[!".repeat(20_000)],
    ["links that never end", "[a](".repeat(20_000)],
    ["ticks", Array.from({ length: 500 }, (_, at) => "`".repeat(at)).join(" ")],
    ["deep quotes after each other", `${"> ".repeat(45)}a\n\n`.repeat(1_000)],
  ])("is rendered quickly, whatever is nested: %s", (_, text) => {
    const begun = performance.now();
    shown(`${text}deepest`, true);
    expect(shown(`${text}deepest`)).toContain("deepest");
    expect(performance.now() - begun).toBeLessThan(QUICK_MS);
  });

  test("keeps all formatting in a paragraph of any length", () => {
    const sentence = "It is **bold** and `some code`, see [the words](https://a.example/b) there.";
    for (const [between, shift] of [" ", "\n"].flatMap((sign) =>
      [0, 17, 34, 51, 68].map((at) => [sign, at] as const),
    )) {
      const html = shown("x".repeat(shift) + Array(150).fill(sentence).join(between));
      const whole = /<strong>bold<\/strong> and <code[^>]*>some code<\/code>, see <a [^>]*>the words<\/a>/g;
      expect(html.match(whole)).toHaveLength(150);
      expect(html.match(/<(?:p|br\/)>/g)).toHaveLength(between === "\n" ? 150 : 1);
    }
    expect(shown(`![chart](data:image/png;base64,${"A".repeat(11_000)})`).length).toBeLessThan(100);
    expect(shown(`**${"a ".repeat(5_000)}b**`)).toStartWith("<p><strong>a ");
    const word = "a".repeat(50_000);
    expect(shown(word)).toBe(`<p>${word}</p>`);
  });

  test("may contain half a character", () => {
    expect(shown("a \ud800 **\udc00** [x](https://a.example/\ud800) `\ud800`")).toContain("<strong>");
    expect(shown("\ud83d", true)).toContain("\ud83d");
  });
});
