import { describe, expect, test } from "bun:test";
import { fastestMs } from "../../../test/fastest.ts";
import { type Grown, growMarkdown } from "./grow.ts";
import type { MarkdownNode } from "./nodes.ts";
import { finishTail } from "./unfinished.ts";

const ANSWER = `### Title

Here **it** is:
- one \`a*b\`
- two
  1. three

  still two

| a | b |
|---|---|
| 1 | 2 |
***bold*** after
#hashtag

\`\`\`py
x = 2 ** 3

# no heading
\`\`\`
> quote
> more
---

    indented

# End
See [this][1] and [that](https://a.example/b_c).

[1]: https://b.example
`;

function grownBy(text: string, step: number): Grown {
  let grown: Grown | null = null;
  for (let length = 0; length < text.length; length += step) {
    grown = growMarkdown(grown, text.slice(0, length), true);
  }
  return growMarkdown(grown, text, false);
}

/** Text and markup as a reader sees them at that moment. */
function seen(nodes: readonly MarkdownNode[]): string {
  return nodes
    .map((node) => {
      if ("children" in node) return `${node.kind}(${seen(node.children)})`;
      return "text" in node ? node.text : node.kind;
    })
    .join("");
}

function writing(text: string): string {
  return seen(growMarkdown(null, text, true).nodes);
}

describe("Markdown that grows", () => {
  test.each([1, 2, 3, 7, 50])("ends as if it had come in one piece, %d characters at a time", (step) => {
    for (const text of [ANSWER, ANSWER.replaceAll("\n", "\r\n"), ANSWER.slice(0, -30)]) {
      expect(grownBy(text, step).nodes).toEqual(growMarkdown(null, text, false).nodes);
    }
  });

  test("keeps its nodes: only the end is parsed again", () => {
    const whole = "A paragraph of **words**.\n\n- one\n- two\n\n".repeat(2_500);
    const before = growMarkdown(null, whole, true);
    const after = growMarkdown(before, `${whole}And`, true);
    expect(after.tailAt).toBeGreaterThan(whole.length - 60);
    const same = after.nodes.filter((node, at) => node === before.nodes[at]).length;
    expect(same).toBeGreaterThanOrEqual(before.nodes.length - 2);
  });

  test("in one long line is parsed again only after it grew by an eighth", () => {
    const line = "a b c ".repeat(10_000);
    let grown = growMarkdown(null, line.slice(0, 20_000), true);
    let readings = 0;
    for (let length = 20_000; length <= line.length; length += 100) {
      const next = growMarkdown(grown, line.slice(0, length), true);
      if (next.nodes !== grown.nodes) readings++;
      grown = next;
    }
    expect(readings).toBeLessThan(20);
    expect(growMarkdown(grown, line, false).nodes).toEqual(growMarkdown(null, line, false).nodes);
  });

  test("starts from scratch if the text is another one", () => {
    const before = growMarkdown(null, "a\n\nb\n\nc", true);
    expect(growMarkdown(before, "x", true)).toEqual(growMarkdown(null, "x", true));
  });
});

describe("the end of unfinished Markdown", () => {
  test.each([
    ["a **bo", "paragraph(a strong(bo))"],
    ["a **bold ", "paragraph(a strong(bold))"],
    ["a **bold*", "paragraph(a strong(bold))"],
    ["a **", "paragraph(a)"],
    ["a `co*d", "paragraph(a co*d)"],
    ["a `", "paragraph(a)"],
    ["~~no", "paragraph(strike(no))"],
    ["***both", "paragraph(emphasis(strong(both)))"],
    ["2*3 and 2 * 3, a_b", "paragraph(2*3 and 2 * 3, a_b)"],
    ["see [the wor", "paragraph(see the wor)"],
    ["see [the words](https://a.exam", "paragraph(see the words)"],
    ["see ![a picture", "paragraph(see a picture)"],
    ["see [1] and [2](", "paragraph(see [1] and 2)"],
    ["- a\n- **b", "list(item(a)item(strong(b)))"],
    ["* it", "list(item(it))"],
    ["## **He", "heading(strong(He))"],
  ])("has its marks closed: %j", (text, expected) => {
    expect(writing(text)).toBe(expected);
  });

  test.each(["a\n-", "a\n- ", "a\n##", "a\n>", "a\n``", "a\n1", "a\n1.", "a\n**", "a\n---"])(
    "is hidden while its marks are ambiguous: %j",
    (text) => {
      expect(writing(text)).toBe("paragraph(a)");
    },
  );

  test("is a table from its first cell on", () => {
    const table = "| ab | c |\n| --- | :-: |\n| 1 | **2** |";
    for (let length = 4; length <= table.length; length++) {
      expect(writing(table.slice(0, length))).toStartWith("table(head(row(cell(a");
    }
  });

  test("is code from its fence on, and nothing is added to it", () => {
    const code = "```py\nx = **y [a](b\n\n| a | b |\n|";
    for (let length = 4; length <= code.length; length++) {
      expect(code.slice(6)).toStartWith(writing(code.slice(0, length)));
    }
    expect(writing("```\na\n``")).toBe("a");
  });
});

test.each([
  "[",
  "![",
  "[a](",
  "[]",
  "](",
  "*a ",
  " *a",
  "_a",
  "`a",
  "- ",
  "1. ",
  "#",
  "> ",
  "|",
  "~~",
  "a~~",
])("an unfinished long line of %j takes less than 100 ms", (unit) => {
  for (const tail of ["", " x", "] x"]) {
    const line = unit.repeat(40_000 / unit.length) + tail;
    expect(fastestMs(() => finishTail(line))).toBeLessThan(100);
  }
});
