import type { MarkdownIt } from "markdown-it";

const BACKSLASH = 0x5c;
const LESS_THAN = 0x3c;
const BREAK = /<br ?\/?>/iy;
/** Around what models write as mathematics. */
const MATH = "()[]";

/** What models write and a parser of Markdown takes for something else. */
export function readModelMarks(parser: MarkdownIt): void {
  // A cell of a table cannot have a line of its own in any other way.
  parser.inline.ruler.before("html_inline", "line_break", (state, isSilent) => {
    if (state.src.charCodeAt(state.pos) !== LESS_THAN) return false;
    BREAK.lastIndex = state.pos;
    const found = BREAK.exec(state.src);
    if (found === null) return false;
    if (!isSilent) state.push("hardbreak", "br", 0);
    state.pos += found[0].length;
    return true;
  });
  // A formula without its backslashes is a sentence in brackets.
  parser.inline.ruler.before("escape", "math", (state, isSilent) => {
    const { src, pos } = state;
    const bracket = src.charAt(pos + 1);
    if (src.charCodeAt(pos) !== BACKSLASH || bracket === "" || !MATH.includes(bracket)) return false;
    if (!isSilent) state.pending += src.slice(pos, pos + 2);
    state.pos += 2;
    return true;
  });
}
