import { posix } from "node:path";
import { codeFiles, type SourceFile } from "./source-tree.ts";
import { codeOf, type Token } from "./tokens.ts";

export type Import = {
  readonly from: string;
  /** A path within the tree, or the name of a package with its subpath. */
  readonly to: string;
  readonly isOurs: boolean;
  readonly isTypeOnly: boolean;
  /** The imported names, as exported there; null if all of them. */
  readonly names: readonly string[] | null;
  readonly line: number;
};

/** Every import, re-export and `import()` of the tree whose source is a literal. */
export const imports: readonly Import[] = codeFiles.flatMap(importsOf);

function importsOf(file: SourceFile): Import[] {
  const code = codeOf(file);
  return code.flatMap((token, at) => {
    if (token.kind !== "word" || !["import", "export"].includes(token.text)) return [];
    const source = sourceAfter(code, at);
    if (source === undefined) return [];
    const isOurs = source.text.startsWith(".");
    const to = isOurs ? posix.join(posix.dirname(file.path), source.text) : source.text;
    const isTypeOnly = code[at + 1]?.text === "type";
    const names = namesIn(code.slice(at + 1, code.indexOf(source)));
    return [{ from: file.path, to, isOurs, isTypeOnly, names, line: token.line }];
  });
}

/** For `type { a, type B, c as d } from`: a, B and c. */
function namesIn(list: readonly Token[]): string[] | null {
  const words = list.map(({ text }) => text);
  const from = words.indexOf("{");
  if (from < 0 || words.includes("*")) return null;
  return words
    .slice(from + 1, words.indexOf("}"))
    .join(" ")
    .split(",")
    .map((entry) => entry.trim().replace(/^type (?!as )/, ""))
    .map((entry) => entry.split(" ")[0] ?? "")
    .filter((name) => name !== "");
}

/** The string that names the module, or undefined where `import` or `export` means something else. */
function sourceAfter(code: readonly Token[], at: number): Token | undefined {
  const isImport = code[at]?.text === "import";
  let next = at + 1;
  if (isImport && code[next]?.text === "(") next += 1;
  if (isImport && code[next]?.kind === "string") return code[next];
  if (code[next]?.text === "type") next += 1;
  const isList = code[next]?.text === "{" || code[next]?.text === "*";
  if (!isList && !isImport) return undefined;
  for (; next < code.length; next += 1) {
    const { kind, text } = code[next] as Token;
    if (kind === "word" && text === "from" && code[next + 1]?.kind === "string") return code[next + 1];
    if (kind === "sign" && !["{", "}", ",", "*"].includes(text)) return undefined;
    if (kind === "word" && code[next - 1]?.text === "}") return undefined;
  }
  return undefined;
}
