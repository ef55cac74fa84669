/**
 * Prepares the end of an answer that is still being written to look as it will: open syntax is closed, and ambiguous
 * syntax is hidden. Only for the moment; the complete answer never passes here.
 */
export function finishTail(tail: string): string {
  const lineAt = tail.lastIndexOf("\n") + 1;
  const line = tail.slice(lineAt);
  const shown = MARKS_ALONE.test(line) ? "" : line;
  const lines = tail.slice(0, lineAt);
  return isInFence(lines + shown) ? lines + shown : tableBegun(lines + finishLine(shown));
}

/** A line of syntax alone: a bullet, half a fence, the line below a table's header, `**` without text yet. */
const MARKS_ALONE = /^\s*(?:[-*+#|`~=_:>][-*+#|`~=_:>\s]*)?(?:\d+[.)]?\s*)?$/;
const FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})/;

function isInFence(tail: string): boolean {
  let open = "";
  for (const line of tail.split("\n")) {
    const marks = FENCE.exec(line)?.[1];
    if (!marks) continue;
    if (open === "") open = marks;
    else if (marks.startsWith(open) && line.trimEnd().endsWith(marks)) open = "";
  }
  return open !== "";
}

const LINE_START = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+|#+\s+)*/;
/** Matched from the last opening bracket: tried at each of many, it would scan all that follows again and again. */
const UNFINISHED_LINK = /^\[([^\]]*)(?:\]\([^)\s]*)?$/;

function finishLine(line: string): string {
  const start = line.startsWith("|") ? line.lastIndexOf("|") + 1 : (LINE_START.exec(line)?.[0].length ?? 0);
  const words = line.slice(start);
  const { openCode } = openMarks(words);
  return line.slice(0, start) + closeMarks(openCode ? words : withoutLink(words));
}

/** Replaces an unfinished link by its text so far. */
function withoutLink(words: string): string {
  const at = words.lastIndexOf("[");
  const said = at < 0 ? undefined : UNFINISHED_LINK.exec(words.slice(at))?.[1];
  return said === undefined ? words : words.slice(0, words[at - 1] === "!" ? at - 1 : at) + said;
}

function closeMarks(words: string): string {
  const { open, openCode, isIdleAt } = openMarks(words);
  const shown = words.slice(0, isIdleAt).trimEnd();
  const closers = open.toReversed().join("");
  return `${shown}${openCode}${closers}${closers + openCode === "" ? words.slice(shown.length, isIdleAt) : ""}`;
}

type OpenMarks = {
  readonly open: string[];
  /** The open backticks of inline code; nothing else counts inside of it. */
  readonly openCode: string;
  /** Where marks at the very end begin that close nothing and have nothing to open yet. */
  readonly isIdleAt: number;
};

function openMarks(words: string): OpenMarks {
  const open: string[] = [];
  let openCode = "";
  for (const { 0: mark, index } of words.matchAll(/\\.|`+|\*\*|__|~~|[*_]/g)) {
    const end = index + mark.length;
    if (mark.startsWith("\\")) continue;
    if (mark.startsWith("`")) {
      if (openCode === "" && end === words.length) return { open, openCode, isIdleAt: index };
      if (openCode === "") openCode = mark;
      else if (openCode === mark) openCode = "";
      else if (end === words.length) return { open, openCode, isIdleAt: index };
      continue;
    }
    if (openCode !== "") continue;
    const [before = " ", after = " "] = [words[index - 1], words[end]];
    const at = open.lastIndexOf(mark);
    if (at >= 0 && /\S/.test(before)) open.splice(at);
    else if (end === words.length) return { open, openCode, isIdleAt: index };
    else if (/\S/.test(after) && !/[\p{L}\p{N}]/u.test(before)) open.push(mark);
  }
  return { open, openCode, isIdleAt: words.length };
}

/** A first line of cells is shown as a table's header before the delimiter line below has come. */
function tableBegun(tail: string): string {
  const paragraph = tail.trimEnd();
  const head = paragraph.slice(paragraph.lastIndexOf("\n\n") + 1).trim();
  if (tail.endsWith("\n\n") || !/^\| .*[^|\s]/.test(head) || head.includes("\n")) return tail;
  const whole = head.endsWith("|") ? head : `${head}|`;
  const columns = whole.replaceAll(/\\./g, "").split("|").length - 2;
  return `${paragraph}${head.endsWith("|") ? "" : "|"}\n|${"---|".repeat(columns)}`;
}
