import { describe, expect, test } from "bun:test";
import { cutLines } from "../text/cut.ts";
import { createPieces, FENCED } from "../text/pieces.ts";
import { changeOutside, isKeptInPart, markFences } from "./language-fences.ts";
import { MOST_FENCE_LINES, scanFences } from "./scan-fences.ts";

const most = (line: string) => line.repeat(MOST_FENCE_LINES);

describe("a text with fence signs in very many lines", () => {
  test("has all its fences found up to the limit", () => {
    const text = `${most("```\n")}words`;
    const fences = scanFences(text, "tool");
    expect(fences).toHaveLength(MOST_FENCE_LINES / 2);
    expect(fences.at(-1)).toMatchObject({ to: text.length - "\nwords".length, isClosed: true });
  });

  test.each([1, 2, 3, 10 * MOST_FENCE_LINES])("is one fence beyond the limit, with %d more", (more) => {
    const text = most("```\n") + "```\n".repeat(more);
    const fences = scanFences(text, "tool");
    expect(fences).toHaveLength(MOST_FENCE_LINES / 2 + 1);
    const from = most("```\n").length;
    expect(fences.at(-1)).toMatchObject({ from, to: text.length, isLanguage: true, isClosed: false });
  });

  test("is left unchanged from the start of the fence that is open at the limit", () => {
    const text = `words\n~~~json\n${most("```\n")}~~~\nwords`;
    expect(scanFences(text, "tool")).toMatchObject([{ from: 6, to: text.length, isLanguage: true }]);
  });

  test("is left unchanged from the start of a line, wherever in it the signs are", () => {
    const text = `${most("a ```\n")}words ~~~ words`;
    expect(scanFences(text, "tool")).toMatchObject([{ from: most("a ```\n").length, to: text.length }]);
    expect(isKeptInPart(text, "tool")).toBe(true);
  });

  test("is marked as fenced beyond the limit, like quoted fences before it, but not the lines between", () => {
    const quoted = '"```ts\\nab\\n```"';
    const text = `words\n${quoted}\n${most("a ```\n")}words\nwords ~~~\nwords\n${quoted}`;
    const page = cutLines(createPieces(), text);
    if (page === null) throw new Error("it has lines");
    markFences(page, "tool");
    const isFenced = Array.from(page.pieces.number.subarray(0, page.end), (number) => number === FENCED);
    expect(isFenced.slice(0, 3)).toEqual([false, true, false]);
    const rest = isFenced.indexOf(true, 2);
    expect(text.split("\n")[rest]).toBe("a ```");
    expect(isFenced.slice(rest)).toEqual(isFenced.slice(rest).fill(true));
  });

  test("has no mark of ours that it brought along, however far behind", () => {
    const changed = changeOutside(`${most("```\n")}~~~ts\nab\n~~~\nab`, "tool", (part) =>
      part.replaceAll("ab", "x"),
    );
    expect(changed.slice(most("```\n").length)).toBe("~~~ts\nab\n~~~\nx");
  });
});
