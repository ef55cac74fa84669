import { describe, expect, test } from "bun:test";
import { cutLines } from "../text/cut.ts";
import { createPieces, FENCED } from "../text/pieces.ts";
import { escapeMarks, isKeptInPart, markFences } from "./language-fences.ts";
import { MOST_FENCE_LINES, scanFences } from "./scan-fences.ts";

const most = (line: string) => line.repeat(MOST_FENCE_LINES);

describe("a text with fence signs in very many lines", () => {
  test("has all its fences found up to the limit", () => {
    const text = `${most("```\n")}words`;
    const fences = scanFences(text);
    expect(fences).toHaveLength(MOST_FENCE_LINES / 2);
    expect(fences.at(-1)).toMatchObject({ to: text.length - "\nwords".length, isClosed: true });
  });

  test.each([1, 2, 3, 10 * MOST_FENCE_LINES])("is one fence beyond the limit, with %d more", (more) => {
    const text = most("```\n") + "```\n".repeat(more);
    const fences = scanFences(text);
    expect(fences).toHaveLength(MOST_FENCE_LINES / 2 + 1);
    const from = most("```\n").length;
    expect(fences.at(-1)).toMatchObject({ from, to: text.length, isLanguage: true, isClosed: false });
  });

  test("is left unchanged from the start of the fence that is open at the limit", () => {
    const text = `words\n~~~json\n${most("```\n")}~~~\nwords`;
    expect(scanFences(text)).toMatchObject([{ from: 6, to: text.length, isLanguage: true }]);
  });

  test("is left unchanged from the start of a line, wherever in it the signs are", () => {
    const text = `${most("a ```\n")}words ~~~ words`;
    expect(scanFences(text)).toMatchObject([{ from: most("a ```\n").length, to: text.length }]);
    expect(isKeptInPart(text)).toBe(true);
  });

  test("is marked as fenced beyond the limit", () => {
    const text = `words\n${most("a ```\n")}words\nwords ~~~\nwords`;
    const page = cutLines(createPieces(), text);
    if (page === null) throw new Error("it has lines");
    markFences(page);
    const isFenced = Array.from(page.pieces.number.subarray(0, page.end), (number) => number === FENCED);
    expect(isFenced[0]).toBe(false);
    expect(isFenced.slice(-2)).toEqual([true, true]);
  });

  test("has no mark of ours that it brought along, however far behind", () => {
    const text = `${most("```\n")}~~~ts\n§same as a\n~~~\n§same as b`;
    expect(escapeMarks(text).slice(most("```\n").length)).toBe("~~~ts\n§same as a\n~~~\n§ same as b");
  });
});
