import { type SourceFile, serviceFiles } from "../tidy/source-tree.ts";
import { codeOf, type Token } from "../tidy/tokens.ts";

/** What a running gateway loads; the sandbox may say what it likes. */
export const gatewayFiles = serviceFiles.filter(({ path }) => !path.startsWith("sandbox/"));

/** At least two words. */
const SENTENCE = /[A-Za-z]{2,}[,:;.]? [A-Za-z{]/;
const SQL =
  /^ ?(select|insert|update|delete|with|create|alter|drop|grant|lock|begin|commit|set|from|where|copy|join|union)\b/;
const MARKUP = /<\/?[a-z]+[ >]|[{;] [a-z-]+: [^{]+;/;

/**
 * Every sentence in the code, without SQL and pages: whatever a client, an operator or a log can be told is among them.
 * Values that are put in appear as `{}`.
 */
export function sentencesOf(file: SourceFile): string[] {
  return textsOf(file)
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => SENTENCE.test(text) && !SQL.test(text) && !MARKUP.test(text));
}

/** Every string, and every template with its parts put together. */
function textsOf(file: SourceFile): string[] {
  const open: string[] = [];
  const found: string[] = [];
  const code = codeOf(file);
  for (const [at, { kind, text, start, end }] of code.entries()) {
    if (kind !== "string" && kind !== "template") continue;
    const whole = file.text[start] === "}" ? `${open.pop()}{}${text}` : text;
    const isContinued = code[at - 1]?.text === "+" && /^(string|template)$/.test(code[at - 2]?.kind ?? "");
    if (kind === "template" && file.text[end - 1] === "{") open.push(whole);
    else found.push(isContinued ? `${found.pop()}${whole}` : whole);
  }
  return found;
}

/** Each line that is logged, as `level event: fields`; `…` stands for what is only known when it runs. */
export function loggedLinesOf(file: SourceFile): string[] {
  const code = codeOf(file);
  return code.flatMap(({ text }, at) => {
    const [by, dot, open] = [code[at - 2]?.text ?? "", code[at - 1]?.text ?? "", code[at + 1]?.text];
    if (!/^(debug|info|warn|error)$/.test(text) || open !== "(" || !/log$/i.test(by) || !dot.endsWith("."))
      return [];
    const [event = [], fields = []] = argumentsFrom(code, at + 2);
    const events = event.filter(({ kind }) => kind === "string").map((one) => one.text);
    return [`${text} ${events.join("|") || "…"}: ${namesIn(fields).join(" ")}`.trim()];
  });
}

/** Each metric as it is made, as `kind name, help, shape`. */
export function metricsOf(file: SourceFile): string[] {
  const code = codeOf(file);
  return code.flatMap(({ text }, at) => {
    const isMade = /^(counter|gauge|histogram)$/.test(text) && code[at - 1]?.text.endsWith(".");
    if (!isMade || code[at + 1]?.text !== "(" || code[at + 2]?.kind !== "string") return [];
    const said = argumentsFrom(code, at + 2).map((one) => one.map((token) => token.text).join(" "));
    return [
      `${text} ${said
        .filter((one) => one !== "")
        .join(", ")
        .replace(/ ,(?= [\])}])/g, "")}`,
    ];
  });
}

/** The tokens of each argument of the call whose first argument begins at `start`. */
function argumentsFrom(code: readonly Token[], start: number): Token[][] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of code.slice(start)) {
    const isSign = token.kind === "sign";
    if (isSign && /^[([{]$/.test(token.text)) depth++;
    if (isSign && /^[)\]}]$/.test(token.text) && --depth < 0) break;
    if (isSign && token.text === "," && depth === 0) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found;
}

/** The names of an object literal; `…` for anything else. */
function namesIn(tokens: readonly Token[]): string[] {
  if (tokens.length === 0) return [];
  if (tokens[0]?.text !== "{") return ["…"];
  return argumentsFrom(tokens, 1)
    .filter((field) => field.length > 0)
    .map(([name]) => (name?.text === "..." ? "…" : (name?.text ?? "")))
    .sort();
}
