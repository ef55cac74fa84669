import { evaluate, type Operator, type Term } from "./expression.ts";
import { formatRational } from "./rational.ts";

const SYMBOLS: ReadonlyMap<string, Operator> = new Map([
  ["+", "+"],
  ["-", "-"],
  ["−", "-"],
  ["*", "*"],
  ["×", "*"],
  ["·", "*"],
  ["/", "/"],
  ["÷", "/"],
  ["^", "^"],
  ["%", "%"],
  ["(", "("],
  [")", ")"],
]);

/** Words that stand for an operator between two numbers; `of` makes "15% of 80" a product. */
const SPOKEN: ReadonlyMap<string, readonly Operator[]> = new Map<string, readonly Operator[]>([
  ["plus", ["+"]],
  ["minus", ["-"]],
  ["times", ["*"]],
  ["x", ["*"]],
  ["multiplied", ["*"]],
  ["divided", ["/"]],
  ["over", ["/"]],
  ["percent", ["%"]],
  ["of", ["*"]],
]);

const CUE = /\b(?:what|how much|calculate|compute|evaluate|solve|work out|result|equals?)\b|=/i;
const DATE = /^\d{1,4}([-/])\d{1,2}\1\d{1,4}$/;
/** Of scripts that put blanks between words: in others a number stands right after one. */
const LETTER = "A-Za-z_\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0370-\\u052f";
/** What begins with a digit is taken whole, so that no half of `1,5`, `1e3` or `0x10` passes for a number. */
const LEXEME = new RegExp(
  `x(?=\\d)|\\.?\\d(?:[\\d.,${LETTER}]*[\\d${LETTER}])?|[${LETTER}][\\d${LETTER}]*|\\S`,
  "gi",
);
/** Commas stand between groups of three; with any other comma nobody knows which country wrote it. */
const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;
/** `3x4`; but `0x10` is a number of programmers. */
const PRODUCT = /^(?!0x)\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)+$/i;
const MAX_LEXEMES = 4000;

type Run = { terms: Term[]; written: string[] };

/** Works out the first expression in the text, in digits or in words; null when there is none. */
export function answerArithmetic(text: string): string | null {
  const hasCue = CUE.test(text);
  for (const run of expressionsIn(text)) {
    if (!looksMeant(run, text, hasCue)) continue;
    const evaluation = evaluate(run.terms);
    const written = run.written
      .join(" ")
      .replace(/\( /g, "(")
      .replace(/ (\)|%)/g, "$1");
    if (evaluation.outcome === "undefined") {
      return `Sandbox arithmetic: ${written} has no value that I can work out (a division by zero, or too large).`;
    }
    if (evaluation.outcome !== "value") continue;
    const { text: value, exact } = formatRational(evaluation.value);
    return `Sandbox arithmetic: ${written} ${exact ? "=" : "is about"} ${value}.`;
  }
  return null;
}

/** Dates, ranges and "either/or" are full of minus signs and slashes: those alone need a question around them. */
function looksMeant(run: Run, text: string, hasCue: boolean): boolean {
  const operators = run.terms.filter((term) => term.kind === "operator");
  if (operators.length === 0 || run.terms.length < 3) return false;
  const dense = run.written.join("");
  if (DATE.test(dense) && text.includes(dense)) return false;
  const isWhole = bare(dense) === bare(text);
  return (
    hasCue ||
    isWhole ||
    operators.some(({ operator }) => operator === "+" || operator === "*" || operator === "^")
  );
}

/** Without blanks and the marks of a sentence, operators in one spelling. */
function bare(text: string): string {
  return text.replace(/[\s?=.,!]/g, "").replace(/[−×·÷]/g, (symbol) => SYMBOLS.get(symbol) ?? symbol);
}

function* expressionsIn(text: string): Generator<Run> {
  let run: Run = { terms: [], written: [] };
  let count = 0;
  for (const [lexeme] of text.matchAll(LEXEME)) {
    if (++count > MAX_LEXEMES) break;
    const terms = termsOf(lexeme);
    if (terms === "filler" && run.terms.length > 0) continue;
    if (terms === "filler" || terms === "other") {
      yield trimmed(run);
      run = { terms: [], written: [] };
      continue;
    }
    run.terms.push(...terms);
    run.written.push(...terms.map((term) => (term.kind === "number" ? term.digits : term.operator)));
  }
  yield trimmed(run);
}

/** "by" belongs to "divided by"; elsewhere it would end the expression anyway. */
function termsOf(lexeme: string): Term[] | "filler" | "other" {
  const first = lexeme.charCodeAt(0);
  if ((first >= 48 && first <= 57) || (first === 46 && lexeme.length > 1)) {
    if (NUMBER.test(lexeme)) return [{ kind: "number", digits: lexeme.replaceAll(",", "") }];
    return PRODUCT.test(lexeme) ? productOf(lexeme.toLowerCase().split("x")) : "other";
  }
  const symbol = SYMBOLS.get(lexeme);
  if (symbol !== undefined) return [{ kind: "operator", operator: symbol }];
  const word = lexeme.toLowerCase();
  if (word === "by" || word === "the") return "filler";
  if (word === "squared") return raisedTo("2");
  if (word === "cubed") return raisedTo("3");
  return SPOKEN.get(word)?.map((operator) => ({ kind: "operator", operator })) ?? "other";
}

function productOf(factors: readonly string[]): Term[] {
  return factors.flatMap((digits, at): Term[] => {
    const factor: Term = { kind: "number", digits };
    return at === 0 ? [factor] : [{ kind: "operator", operator: "*" }, factor];
  });
}

function raisedTo(digits: string): Term[] {
  return [
    { kind: "operator", operator: "^" },
    { kind: "number", digits },
  ];
}

/** Drops what cannot begin or end an expression, such as the "of" before it or a dash after it. */
function trimmed(run: Run): Run {
  let start = 0;
  let end = run.terms.length;
  while (start < end && !opens(run.terms[start])) start++;
  while (end > start && !closes(run.terms[end - 1])) end--;
  return { terms: run.terms.slice(start, end), written: run.written.slice(start, end) };
}

function opens(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === "(" || term?.operator === "-";
}

function closes(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === ")" || term?.operator === "%";
}
