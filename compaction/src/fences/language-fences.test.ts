import { describe, expect, test } from "bun:test";
import { scanFences } from "./scan-fences.ts";

/** Letters outside of language fences become x. */
function masked(text: string, inLists = true): string {
  const mask = (part: string) => part.replaceAll(/[a-z]/g, "x");
  let written = "";
  let copied = 0;
  for (const { from, to, isLanguage } of scanFences(text, inLists)) {
    if (!isLanguage) continue;
    written += mask(text.slice(copied, from)) + text.slice(from, to);
    copied = to;
  }
  return written + mask(text.slice(copied));
}

describe("fences in a programming language", () => {
  test.each([
    ["stay, while everything around them changes", "ab\n```ts\nab\n```\nab", "xx\n```ts\nab\n```\nxx"],
    ["extend to the end if they are not closed", "ab\n```ts\nab", "xx\n```ts\nab"],
    ["end only at their own sign", "```ts\n~~~\nab\n```\nab", "```ts\n~~~\nab\n```\nxx"],
    ["may have more signs", "````py\nab\n````\nab", "````py\nab\n````\nxx"],
    ["do not end at fewer signs", "````py\nab\n```\nab\n````\nab", "````py\nab\n```\nab\n````\nxx"],
    ["may end at more signs", "~~~py\nab\n~~~~~\nab", "~~~py\nab\n~~~~~\nxx"],
    ["do not end at signs with a tag", "```py\nab\n```ts\nab\n```\nab", "```py\nab\n```ts\nab\n```\nxx"],
    [
      "do not end at indented signs, which are their code",
      "```py\nab\n    ```\nab\n```\nab",
      "```py\nab\n    ```\nab\n```\nxx",
    ],
    ["may be in colour", "```ts\x1b[m\nab\n```\x1b[m\nab", "```ts\x1b[m\nab\n```\x1b[m\nxx"],
    ["are not inline code", "```ab``` ab\nab", "```xx``` xx\nxx"],
    ["are not those with the tag of an output", "```text\nab\n```\nab", "```xxxx\nxx\n```\nxx"],
    ["may be data", "```json\nab\n```\nab", "```json\nab\n```\nxx"],
    [
      "are not those without a tag, nor anything inside these",
      "```\nab\n```ts\nab\n```\nab",
      "```\nxx\n```xx\nxx\n```\nxx",
    ],
    ["may be quoted", "> ```ts\n> ab\n> ```\n> ab", "> ```ts\n> ab\n> ```\n> xx"],
    ["may be quoted twice", ">> ~~~ts\n>> ab\n> > ~~~\nab", ">> ~~~ts\n>> ab\n> > ~~~\nxx"],
    ["do not end at quoted signs", "```ts\n> ```\nab\n```\nab", "```ts\n> ```\nab\n```\nxx"],
    [
      "end with the quotation around them",
      "> ```\n> ab\n```ts\nab\n```\nab",
      "> ```\n> xx\n```ts\nab\n```\nxx",
    ],
    ["must begin a line", "ab ```ts\nab\n", "xx ```xx\nxx\n"],
  ])("%s", (_, text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test.each([true, false])("may be indented by three spaces, in lists or not: %p", (voice) => {
    expect(masked("   ```ts\nab\n  ```\nab", voice)).toBe("   ```ts\nab\n  ```\nxx");
  });

  test("may be indented further in lists, but not by a tool", () => {
    expect(masked("     ```ts\nab\n     ```\nab", true)).toBe("     ```ts\nab\n     ```\nxx");
    expect(masked("\t```ts\nab\n\t```\nab", true)).toBe("\t```ts\nab\n\t```\nxx");
    expect(masked("    ```ts\nab\n    ```\nab", false)).toBe("    ```xx\nxx\n    ```\nxx");
  });
});
