import type { MarkdownIt } from "markdown-it";
import createParser, { type Token } from "markdown-it";

/** Longest piece, in characters, of a paragraph that is parsed in pieces. */
const MOST_AT_ONCE = 4_000;
/**
 * Each bracket may be searched to the end for its match, so the cost of a paragraph full of brackets is quadratic. A
 * paragraph that costs more than this is parsed in pieces: 16 kB with 250 links and citations is just below.
 */
const MOST_LOOKED_AT = 4_000_000;

/** Syntax that begins in one piece and ends in the next stays as written. */
function readInPieces(parser: MarkdownIt): void {
  parser.core.ruler.before("inline", "pieces", (state) => {
    if (!state.tokens.some(isExpensive)) return;
    state.tokens = state.tokens.flatMap((token) => {
      if (!isExpensive(token)) return [token];
      return piecesOf(token.content).map((content) => {
        const piece = new state.Token(token.type, token.tag, token.nesting);
        return Object.assign(piece, { map: token.map, level: token.level, children: [], content });
      });
    });
  });
}

function isExpensive({ type, content }: Token): boolean {
  if (type !== "inline" || content.length <= MOST_AT_ONCE) return false;
  return (content.split("[").length - 1) * content.length > MOST_LOOKED_AT;
}

/** Each piece ends after a line or a word, if possible. */
function piecesOf(content: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < content.length; ) {
    const most = content.slice(at, at + MOST_AT_ONCE);
    const isLast = at + most.length === content.length;
    const end = most.lastIndexOf("\n") + 1 || most.lastIndexOf(" ") + 1 || most.length;
    const piece = isLast ? most : most.slice(0, end);
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

const BACKSLASH = 0x5c;
const LESS_THAN = 0x3c;
const BREAK = /<br ?\/?>/iy;
/** Brackets around formulas. */
const MATH = "()[]";

/** Syntax that models use and a Markdown parser misreads. */
function readModelMarks(parser: MarkdownIt): void {
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

/** Parsed answers. Nothing in them is markup: HTML written by a model is text, and stays text. */
export type MarkdownNode = Leaf | Branch;

type Leaf =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: "fence"; readonly text: string; readonly language: string }
  | { readonly kind: "break" | "rule" | "caret" };

type Branch = { readonly children: MarkdownNode[] } & (
  | {
      readonly kind:
        | "paragraph"
        | "quote"
        | "item"
        | "strong"
        | "emphasis"
        | "strike"
        | "table"
        | "head"
        | "body"
        | "row";
    }
  /** `size` is as written; `rank` is its level in the page's outline, which skips none. */
  | { readonly kind: "heading"; readonly size: number; readonly rank: number }
  | { readonly kind: "list"; readonly start: number | null }
  | { readonly kind: "cell"; readonly isHead: boolean; readonly align: Align }
  /** `href` is null if a browser should not open it from here. */
  | { readonly kind: "link"; readonly href: string | null }
);

type Align = "start" | "center" | "end";

/** A top-level part of a text: a paragraph, a whole list, a table. */
export type Block = { readonly node: MarkdownNode; readonly startLine: number };

/** Nobody follows deeper nesting, and the browser's stack might not either: such a block is shown as written. */
const MOST_LEVELS = 40;
const OPENED = /^(?:https?:|mailto:)/i;
const HIGHEST_RANK = 6;

/** Without underlined headings: a paragraph would become one for a moment whenever a list begins below it. */
const parser = createParser({ breaks: true, linkify: true, maxNesting: MOST_LEVELS }).disable("lheading");
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
readModelMarks(parser);
readInPieces(parser);
// The parser's own check would show the link's syntax; here an unsafe link becomes its text.
parser.validateLink = () => true;

/** `rank` is that of the heading before the text; 1 is the page's own. */
export function parseMarkdown(text: string, rank = 1): Block[] {
  const blocks: Block[] = [];
  const ranks = { last: rank };
  let lines: string[] | undefined;
  let open: Token[] = [];
  for (const token of parser.parse(text, {})) {
    open.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    const [startLine, endLine] = open[0]?.map ?? [0, 0];
    if (isTooDeep(open)) {
      lines ??= text.split(LINE_END);
      blocks.push({ node: asWritten(lines.slice(startLine, endLine).join("\n")), startLine });
    } else blocks.push(...nodesOf(open, ranks).map((node) => ({ node, startLine })));
    open = [];
  }
  return blocks;
}

/** Line ends as the parser defines them. */
export const LINE_END = /\r\n?|\n/;

function isTooDeep(tokens: readonly Token[]): boolean {
  return tokens.some(({ level, children }) => level >= MOST_LEVELS - 1 || (children && isTooDeep(children)));
}

function asWritten(text: string): MarkdownNode {
  return { kind: "paragraph", children: [{ kind: "text", text }] };
}

type Ranks = { last: number };

/** Tokens are a flat list, with an opening and a closing token for every container. */
function nodesOf(tokens: readonly Token[], ranks: Ranks): MarkdownNode[] {
  const top: MarkdownNode[] = [];
  const around = [top];
  let links = 0;
  for (const token of tokens) {
    const inside = around.at(-1) ?? top;
    if (token.nesting === -1) around.pop();
    else if (token.nesting === 1) {
      // The only paragraph of an item needs no element.
      const branch = token.hidden ? null : branchOf(token, ranks);
      if (branch) inside.push(branch);
      around.push(branch?.children ?? inside);
    } else if (token.type === "inline") inside.push(...nodesOf(token.children ?? [], ranks));
    // Links cannot be nested: an image in one becomes its text.
    else if (links > 0 && token.type === "image") inside.push(...nodesOf(token.children ?? [], ranks));
    else inside.push(leafOf(token, ranks));
    if (token.tag === "a") links += token.nesting;
  }
  return top;
}

const PLAIN = {
  paragraph_open: "paragraph",
  blockquote_open: "quote",
  list_item_open: "item",
  strong_open: "strong",
  em_open: "emphasis",
  s_open: "strike",
  table_open: "table",
  thead_open: "head",
  tbody_open: "body",
  tr_open: "row",
} as const;

function branchOf(token: Token, ranks: Ranks): Branch {
  const children: MarkdownNode[] = [];
  switch (token.type) {
    case "heading_open": {
      const size = Number(token.tag.slice(1));
      ranks.last = Math.min(size + 1, ranks.last + 1, HIGHEST_RANK);
      return { kind: "heading", size, rank: ranks.last, children };
    }
    case "bullet_list_open":
      return { kind: "list", start: null, children };
    case "ordered_list_open":
      return { kind: "list", start: Number(token.attrGet("start") ?? 1), children };
    case "th_open":
    case "td_open":
      return { kind: "cell", isHead: token.type === "th_open", align: alignOf(token), children };
    case "link_open":
      return { kind: "link", href: openable(String(token.attrGet("href") ?? "")), children };
    default:
      return { kind: PLAIN[token.type as keyof typeof PLAIN] ?? "paragraph", children };
  }
}

function leafOf(token: Token, ranks: Ranks): MarkdownNode {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      return { kind: "break" };
    case "hr":
      return { kind: "rule" };
    case "code_inline":
      return { kind: "code", text: token.content };
    case "fence":
    case "code_block":
      return { kind: "fence", text: token.content.replace(/\n$/, ""), language: languageOf(token.info) };
    case "image": {
      // Fetching the image would tell a stranger who reads this, and when: show a link instead.
      const address = String(token.attrGet("src") ?? "");
      const words = nodesOf(token.children ?? [], ranks);
      const children: MarkdownNode[] = words.length > 0 ? words : [{ kind: "text", text: address }];
      return { kind: "link", href: openable(address), children };
    }
    default:
      return { kind: "text", text: token.content };
  }
}

function alignOf(token: Token): Align {
  const style = String(token.attrGet("style") ?? "");
  if (style.endsWith("center")) return "center";
  return style.endsWith("right") ? "end" : "start";
}

function languageOf(info: string): string {
  return info.trim().split(/\s/, 1)[0] ?? "";
}

function openable(address: string): string | null {
  return OPENED.test(address) ? address : null;
}
