import type { SourceFile } from "./source-tree.ts";
import { codeOf, type Token } from "./tokens.ts";

type FunctionSize = {
  readonly name: string;
  readonly line: number;
  readonly lineCount: number;
  /** Without the functions inside it, which are listed separately. */
  readonly ownLineCount: number;
  readonly parameterCount: number;
};

const NOT_A_FUNCTION = ["if", "for", "while", "switch", "catch", "with", "await", "return"];

/** Functions with a body in braces, each from the line of its name to its closing brace. */
export function functionsOf(file: SourceFile): FunctionSize[] {
  const found = spansOf(file);
  return found.map((outer) => {
    const inner = found.filter((other) => other !== outer && holds(outer, other));
    const direct = inner.filter((one) => !inner.some((other) => other !== one && holds(other, one)));
    const innerLines = direct.reduce((sum, one) => sum + one.lineCount, 0);
    return { ...outer, ownLineCount: outer.lineCount - innerLines };
  });
}

type Span = Omit<FunctionSize, "ownLineCount">;

/** One-liners share their line with the surrounding code, so they are not subtracted. */
function holds(outer: Span, inner: Span): boolean {
  const isInside = inner.line > outer.line && inner.line + inner.lineCount <= outer.line + outer.lineCount;
  return isInside && inner.lineCount > 2;
}

function spansOf(file: SourceFile): Span[] {
  const code = codeOf(file);
  const closers = matchBrackets(code);
  return code.flatMap((token, at) => {
    const start = token.kind === "sign" ? startOfSignature(code, at) : undefined;
    if (start === undefined) return [];
    const open = token.text === "=>" ? at + 1 : bodyAfter(code, closers, closers.get(at) ?? at);
    const close = closers.get(open ?? -1);
    if (open === undefined || close === undefined || code[open]?.text !== "{") return [];
    const line = code[start]?.line ?? token.line;
    const lineCount = (code[close]?.line ?? line) - line + 1;
    return [{ name: nameOf(code, start), line, lineCount, parameterCount: parametersAt(code, closers, at) }];
  });
}

/** Where the function starts whose `=>` or `(` is at this position; undefined if it belongs to something else. */
function startOfSignature(code: readonly Token[], at: number): number | undefined {
  if (code[at]?.text === "=>") return at;
  if (code[at]?.text !== "(") return undefined;
  const before = code[at - 1];
  const isNamed = before?.kind === "word" && !NOT_A_FUNCTION.includes(before.text);
  if (before?.text === ">") return beforeAngles(code, at - 1);
  return isNamed ? at - 1 : undefined;
}

/** The number of parameters in the list that opens at this position, or that precedes the arrow at this position. */
function parametersAt(code: readonly Token[], closers: ReadonlyMap<number, number>, at: number): number {
  const open = code[at]?.text === "(" ? at : openerBefore(code, closers, at);
  const close = closers.get(open ?? -1);
  if (open === undefined || close === undefined) return 1;
  let angles = 0;
  let count = code[close - 1]?.text === "," || close === open + 1 ? 0 : 1;
  for (let inside = open + 1; inside < close; inside = (closers.get(inside) ?? inside) + 1) {
    const text = code[inside]?.text;
    angles += text === "<" ? 1 : text === ">" ? -1 : 0;
    if (text === "," && angles === 0) count += 1;
  }
  return count;
}

/**
 * The opening parenthesis of an arrow's parameters; undefined for an arrow with one bare name, or with a return type.
 */
function openerBefore(
  code: readonly Token[],
  closers: ReadonlyMap<number, number>,
  arrow: number,
): number | undefined {
  if (code[arrow - 1]?.text !== ")") return undefined;
  for (let at = arrow - 2; at >= 0; at -= 1) if (closers.get(at) === arrow - 1) return at;
  return undefined;
}

/** The name before `<T extends …>`. */
function beforeAngles(code: readonly Token[], close: number): number | undefined {
  let depth = 0;
  for (let at = close; at > 0; at -= 1) {
    const text = code[at]?.text;
    depth += text === ">" ? 1 : text === "<" ? -1 : 0;
    if (depth === 0) return code[at - 1]?.kind === "word" ? at - 1 : undefined;
  }
  return undefined;
}

/** The brace that opens the body after a parameter list, past a return type if there is one. */
function bodyAfter(
  code: readonly Token[],
  closers: ReadonlyMap<number, number>,
  close: number,
): number | undefined {
  let at = close + 1;
  if (code[at]?.text === "{") return at;
  if (code[at]?.text !== ":") return undefined;
  for (at += 1; at < code.length; at += 1) {
    const { kind, text } = code[at] as Token;
    const before = code[at - 1]?.text ?? "";
    if (text === "{" && ![":", "|", "&", "<", ",", "is", "=>", "extends"].includes(before)) return at;
    const isFunctionType = text === "=>" && before === ")";
    const ends = kind === "sign" && [";", ",", ")", "=", "=>", "}", "?"].includes(text) && !isFunctionType;
    if (ends && !isInAngles(code, close, at)) return undefined;
    at = closers.get(at) ?? at;
  }
  return undefined;
}

function isInAngles(code: readonly Token[], from: number, to: number): boolean {
  let depth = 0;
  for (const { text } of code.slice(from, to)) depth += text === "<" ? 1 : text === ">" ? -1 : 0;
  return depth > 0;
}

/**
 * An arrow function is named by the nearest identifier before it on its line that is assigned, is a key or is called.
 */
function nameOf(code: readonly Token[], start: number): string {
  const here = code[start];
  if (here?.text !== "=>") return here?.text ?? "";
  const isName = (token: Token, at: number) =>
    token.kind === "word" &&
    !NOT_A_FUNCTION.includes(token.text) &&
    ["=", ":", "("].includes(code[at + 1]?.text ?? "");
  for (let at = start - 1; code[at]?.line === here.line; at -= 1) {
    if (isName(code[at] as Token, at)) return code[at]?.text ?? "";
  }
  return "a function";
}

function matchBrackets(code: readonly Token[]): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  code.forEach(({ kind, text }, at) => {
    if (kind !== "sign") return;
    if (["(", "[", "{"].includes(text)) open.push(at);
    if ([")", "]", "}"].includes(text)) closers.set(open.pop() ?? -1, at);
  });
  return closers;
}
