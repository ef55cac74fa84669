import { LanguageVariant, SyntaxKind } from "typescript/unstable/ast";
import { computeLineStarts, createScanner, type Scanner } from "typescript/unstable/ast/scanner";
import type { SourceFile } from "./source-tree.ts";

export type Token = {
  readonly kind: "word" | "string" | "template" | "regex" | "number" | "sign" | "comment";
  /** As written; for a string or template, its content. */
  readonly text: string;
  readonly line: number;
  /** Offsets in the file, quotes included. */
  readonly start: number;
  readonly end: number;
};

type Reading = { readonly all: readonly Token[]; readonly code: readonly Token[] };

const readings = new Map<SourceFile, Reading>();

/** TypeScript's own tokens, so that a rule never mistakes a comment or a string for code. */
export function tokensOf(file: SourceFile): readonly Token[] {
  return readingOf(file).all;
}

/** Like `tokensOf`, without comments. */
export function codeOf(file: SourceFile): readonly Token[] {
  return readingOf(file).code;
}

function readingOf(file: SourceFile): Reading {
  const found = readings.get(file);
  if (found !== undefined) return found;
  const all = scan(file);
  const reading = { all, code: all.filter(({ kind }) => kind !== "comment") };
  readings.set(file, reading);
  return reading;
}

function scan(file: SourceFile): Token[] {
  const lineStarts = computeLineStarts(file.text);
  const scanner = createScanner(false, LanguageVariant.Standard, file.text);
  const tokens: Token[] = [];
  const braces: ("plain" | "template")[] = [];
  let line = 0;
  let last: Token | undefined;
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    kind = rescan(scanner, kind, { braces, last });
    while ((lineStarts[line + 1] ?? Number.POSITIVE_INFINITY) <= scanner.getTokenStart()) line += 1;
    const name = nameOf(kind);
    if (name === undefined) continue;
    const isText = name === "string" || name === "template";
    const token = {
      kind: name,
      text: isText ? scanner.getTokenValue() : scanner.getTokenText(),
      line: line + 1,
      start: scanner.getTokenStart(),
      end: scanner.getTokenEnd(),
    };
    tokens.push(token);
    if (name !== "comment") last = token;
  }
  return tokens;
}

type Surroundings = { readonly braces: ("plain" | "template")[]; readonly last: Token | undefined };

/** What a slash or a closing brace means depends on its surroundings, which a bare scanner does not know. */
function rescan(scanner: Scanner, kind: SyntaxKind, { braces, last }: Surroundings): SyntaxKind {
  if (kind === SyntaxKind.OpenBraceToken) braces.push("plain");
  if (kind === SyntaxKind.TemplateHead) braces.push("template");
  if (kind === SyntaxKind.CloseBraceToken && braces.pop() === "template") {
    const continued = scanner.reScanTemplateToken(false);
    if (continued === SyntaxKind.TemplateMiddle) braces.push("template");
    return continued;
  }
  const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken;
  return isSlash && !endsValue(last) ? scanner.reScanSlashToken() : kind;
}

function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === "sign") return [")", "]", "}"].includes(token.text);
  return !["return", "case", "typeof", "await", "of", "in"].includes(token.text);
}

function nameOf(kind: SyntaxKind): Token["kind"] | undefined {
  if (kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia)
    return "comment";
  if (kind < SyntaxKind.NumericLiteral) return undefined;
  if (kind <= SyntaxKind.BigIntLiteral) return "number";
  if (kind === SyntaxKind.StringLiteral) return "string";
  if (kind === SyntaxKind.RegularExpressionLiteral) return "regex";
  if (kind >= SyntaxKind.FirstTemplateToken && kind <= SyntaxKind.LastTemplateToken) return "template";
  return kind === SyntaxKind.Identifier || kind >= SyntaxKind.FirstKeyword ? "word" : "sign";
}
