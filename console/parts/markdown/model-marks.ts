import type { MarkdownIt } from "markdown-it";

const BACKSLASH = 0x5c;
const LESS_THAN = 0x3c;
const BREAK = /<br ?\/?>/iy;
/** Brackets around formulas. */
const MATH = "()[]";

/** Syntax that models use and a Markdown parser misreads. */
export function readModelMarks(parser: MarkdownIt): void {
  // The only way to break a line within a table cell.
  parser.inline.ruler.before("html_inline", "line_break", (state, isSilent) => {
    if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false;
    BREAK.lastIndex = state.pos;
    const found = BREAK.exec(state.src);
    if (found === null) return false;
    if (!isSilent) state.push("hardbreak", "br", 0);
    state.pos += found[0].length;
    return true;
  });
  // Keeps the backslashes: without them a formula would read like a sentence in brackets.
  parser.inline.ruler.before("escape", "math", (state, isSilent) => {
    const { src, pos } = state;
    const bracket = src.charAt(pos + 1);
    if (src.charCodeAt(pos) !== BACKSLASH || bracket === "" || !MATH.includes(bracket)) return false;
    if (!isSilent) state.pending += src.slice(pos, pos + 2);
    state.pos += 2;
    return true;
  });
}
