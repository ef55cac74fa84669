import { codeOf, type Token } from "../../test/tidy/tokens.ts";
import { asMutants, type Edit, type Mutant } from "./mutant.ts";

const SIGNS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "**": "*",
  "+=": "-=",
  "-=": "+=",
  "*=": "/=",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "&": "|",
  "|": "&",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
  "!": "",
};

const WORDS: Readonly<Record<string, string>> = { true: "false", false: "true", break: "", continue: "" };

const METHODS: Readonly<Record<string, string>> = {
  min: "max",
  max: "min",
  ceil: "floor",
  floor: "ceil",
  round: "floor",
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  subarray: "slice",
};

/** Whole statements are removed, except these: a missing declaration would only crash. */
const NO_STATEMENT = new Set(["const", "let", "import", "export", "type", "function", "class", "readonly"]);

/**
 * Statements whose removal no caller can notice: a log line, a fail point for tests, an assertion of something
 * impossible, and the branch that only the compiler needs.
 */
const UNNOTICED =
  /^(?:(?:\w+\.)*log\.\w+\(|(?:await )?failpoint\(|assert\(|(?:default:\s+)?return unreachable\()/;

/** Lines that only write to the log, perhaps under a condition. */
const TELLS_THE_LOG = /^(?:if \(.+\) )?(?:\w+\.)*log\.\w+\(.*\);$/;

/** Every mutant that is still TypeScript and differs from the original at runtime. */
export function mutantsOfTypeScript(path: string, text: string): Mutant[] {
  const code = withWholeSigns(codeOf({ path, text, lineCount: 0 }));
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const original = transpiler.transformSync(text);
  const edits = code.flatMap((token, at) => [
    ...tokenEdits(token, code[at - 1]),
    ...conditionEdits(code, at),
    ...removedStatement(text, code, at),
    ...swappedArguments(text, code, at),
  ]);
  return asMutants(path, text, edits).filter((mutant) => {
    if (TELLS_THE_LOG.test(mutant.code)) return false;
    try {
      // Types are stripped here: a change to them makes no difference.
      return transpiler.transformSync(mutant.text) !== original;
    } catch {
      return false;
    }
  });
}

/** A bare scanner takes each `>` for the end of a type; operators that begin with it are joined again here. */
function withWholeSigns(code: readonly Token[]): Token[] {
  const whole: Token[] = [];
  for (const token of code) {
    const last = whole.at(-1);
    const joins =
      last?.kind === "sign" && /^>+$/.test(last.text) && (token.text === ">" || token.text === "=");
    if (joins && last.end === token.start)
      whole[whole.length - 1] = { ...last, text: last.text + token.text, end: token.end };
    else whole.push(token);
  }
  return whole;
}

function tokenEdits({ kind, text, start, end }: Token, before: Token | undefined): Edit[] {
  if (kind === "sign" && SIGNS[text] !== undefined) return [{ start, end, now: SIGNS[text] }];
  const words = before?.text === "." ? METHODS : WORDS;
  if (kind === "word" && Object.hasOwn(words, text)) return [{ start, end, now: words[text] ?? "" }];
  if (kind === "number") return [{ start, end, now: oneMore(text) }];
  if (kind !== "regex") return [];
  return [
    ...(text.startsWith("/^") ? [{ start, end, now: text.replace("/^", "/") }] : []),
    ...(/\$\/\w*$/.test(text) ? [{ start, end, now: text.replace(/\$(\/\w*)$/, "$1") }] : []),
  ];
}

function oneMore(number: string): string {
  const digits = number.replaceAll("_", "");
  return digits.endsWith("n") ? `${BigInt(digits.slice(0, -1)) + 1n}n` : String(Number(digits) + 1);
}

/** A branch that is never taken; for the conditional operator, either result always. */
function conditionEdits(code: readonly Token[], at: number): Edit[] {
  const token = code[at];
  if (token?.kind === "sign" && token.text === "?")
    return ["&& false ?", "|| true ?"].map((now) => ({ start: token.start, end: token.end, now }));
  const open = code[at + 1];
  if (token?.kind !== "word" || !["if", "while"].includes(token.text) || open?.text !== "(") return [];
  const close = code[closingOf(code, at + 1)];
  if (close === undefined) return [];
  return [{ start: open.end, end: close.start, now: "false" }];
}

function removedStatement(text: string, code: readonly Token[], at: number): Edit[] {
  const [before, first] = [code[at - 1], code[at]];
  if (first === undefined || before?.kind !== "sign" || !["{", "}", ";", ")"].includes(before.text))
    return [];
  if (first.kind !== "word" || NO_STATEMENT.has(first.text) || first.text === "if") return [];
  if (UNNOTICED.test(text.slice(first.start, first.start + 80))) return [];
  for (let now = at; now < code.length; now += 1) {
    const token = code[now];
    if (token?.kind !== "sign") continue;
    if (token.text === ";") return [{ start: first.start, end: token.end, now: ";" }];
    if (token.text === "}" || token.text === ")") return [];
    if ("([{".includes(token.text)) now = closingOf(code, now);
  }
  return [];
}

/** Swaps the arguments of a call with two names. */
function swappedArguments(text: string, code: readonly Token[], at: number): Edit[] {
  const open = code[at + 1];
  const name = code[at];
  if (name?.kind !== "word" || open?.kind !== "sign" || open.text !== "(") return [];
  if (name.text === "min" || name.text === "max") return [];
  const close = code[closingOf(code, at + 1)];
  const inner = close === undefined ? "" : text.slice(open.end, close.start);
  const match = /^(\s*)([\w.#]+), ([\w.#]+)(\s*)$/.exec(inner);
  if (match === null || close === undefined) return [];
  return [{ start: open.end, end: close.start, now: `${match[1]}${match[3]}, ${match[2]}${match[4]}` }];
}

function closingOf(code: readonly Token[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < code.length; at += 1) {
    const token = code[at];
    if (token?.kind !== "sign") continue;
    if ("([{".includes(token.text)) depth += 1;
    if (")]}".includes(token.text)) depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}
