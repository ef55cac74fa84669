import { evaluate, type Operator, type Term } from "./expression.ts";
import { formatRational, type Rational } from "./rational.ts";
import { inOperators } from "./spoken-sums.ts";

/** A word is an operator only between two numbers; `of` makes "15% of 80" a product. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map([
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
  ["plus", "+"],
  ["minus", "-"],
  ["times", "*"],
  ["x", "*"],
  ["multiplied", "*"],
  ["divided", "/"],
  ["over", "/"],
  ["mod", "mod"],
  ["modulo", "mod"],
  ["percent", "%"],
  ["of", "*"],
]);

/** Dates, telephone numbers, and names that look like fractions. */
const NAMED = /^(?:\d{1,4}([-/])\d{1,2}\1\d{1,4}|(?:\d{3}-)?\d{3}-\d{4}|24\/7|9\/11|50\/50|80\/20|20\/20)$/;
/** "I need 10-12" is not a calculation; "what is 10-12" is one. */
const RANGE = /^\d+[-/]\d+$/;
const CUE = /\b(?:what|how much|calculate|compute|evaluate|solve|work out|result)\b|=/i;
/** Letters of scripts that separate words by spaces; in other scripts a number may directly follow a word. */
const LETTER = "A-Za-z_\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0370-\\u052f";
/** What begins with a digit is one lexeme, so that no half of `1,5`, `1e3` or `0x10` passes for a number. */
const LEXEME = new RegExp(
  `x(?=\\d)|\\.?\\d(?:[\\d.,${LETTER}]*[\\d${LETTER}])?|[${LETTER}][\\d${LETTER}]*|\\S`,
  "gi",
);
/** Commas only between groups of three; any other comma is ambiguous between locales. */
const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;
/** `3x4`; but `0x10` is hexadecimal. */
const PRODUCT = /^(?!0x)\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)+$/i;
const MAX_PIECES = 400;

/** Words that ask for a calculation without changing it. Any other word makes the sentence ambiguous. */
const ASKING = new Set(
  "what whats s is are the how much many calculate compute evaluate solve work out find do does make makes equal equals result value answer can could would will you please kindly tell me us give show let know hi hello hey there ok okay so well now then and also again just only exactly with number right correct i want need thanks thank question q problem math maths expression equation calculation following this that these sums for in to short up use using your calculator tool reply respond quick think step by some return output print system check wie viel ist was cuánto cuanto es combien font fait quanto fa".split(
    " ",
  ),
);
const ASKING_MARKS = new Set([..."计算请问是多少等于几的结果什么,.?!:'\"`’‘“”…=¿¡は，。？！：＝"]);
/** They combine all that follows into one number, so two expressions after them must not be answered separately. */
const TOGETHER = new Set(["add", "sum", "total"]);
const OF = new Set([...TOGETHER, "result", "value", "answer"]);
const MAX_SUMS = 8;
const SENTENCE_END = /(?<![.?!;])[.?!;]+(?=\s|$)|\n+/;
/** "Don't search the web, just tell me what 3 * 3 is." */
const REFUSED = /\b(?:do not|don['’]t)\b[^,.;\n]{1,60},\s(?=just\b)/gi;

/** An expression with its answer; `value` is undefined if it has none. */
export type Sum = { readonly written: string; readonly answer: string; readonly value: number | undefined };

/** Evaluates the expressions in the text, in digits or in words; null if there are none. */
export function answerArithmetic(text: string): string | null {
  const sums = sumsIn(text);
  return sums.length === 0 ? null : `Sandbox arithmetic: ${sums.map(({ answer }) => answer).join("; ")}.`;
}

/** Only of sentences that ask for calculations and nothing else: a sentence that is not fully understood has none. */
export function sumsIn(prompt: string): Sum[] {
  const sums = new Map<string, Sum>();
  // Numbers in code are not a request.
  if (prompt.includes("```")) return [];
  const text = inOperators(prompt)
    .replace(REFUSED, "")
    .replace(/:\s*\n/g, ": ")
    // In a text of several lines, a leading dash is a bullet, not a minus sign.
    .replace(/^- |(?<=\n\s{0,9})- /g, (dash) => (prompt.includes("\n") ? "" : dash));
  for (const sentence of text.split(SENTENCE_END)) {
    if (!/\d/.test(sentence)) continue;
    for (const terms of expressionsIn(sentence)) {
      const written = writtenOf(terms);
      const evaluation = evaluate(terms);
      if (evaluation.outcome === "not_an_expression") continue;
      sums.set(written, evaluation.outcome === "value" ? sumOf(written, evaluation.value) : noSum(written));
      if (sums.size >= MAX_SUMS) return [...sums.values()];
    }
  }
  return [...sums.values()];
}

function sumOf(written: string, result: Rational): Sum {
  const { text, exact } = formatRational(result);
  return { written, answer: `${written} ${exact ? "=" : "is about"} ${text}`, value: Number(text) };
}

function noSum(written: string): Sum {
  const answer = `${written} has no value that I can work out (a division by zero, a root, or too large)`;
  return { written, answer, value: undefined };
}

function writtenOf(terms: readonly Term[]): string {
  const written = terms.map((term) => (term.kind === "number" ? term.digits : term.operator)).join(" ");
  return written.replace(/\( /g, "(").replace(/ (\)|%)/g, "$1");
}

/** All expressions of a sentence, or none if it contains anything else. */
function expressionsIn(sentence: string): (readonly Term[])[] {
  const pieces = piecesOf(sentence);
  const isClear = pieces.every((piece, at) =>
    typeof piece === "string"
      ? isAsking(piece, pieces[at - 1], pieces[at + 1])
      : isExpression(piece, sentence) || (piece.length === 1 && pieces[at - 1] === "="),
  );
  const runs = pieces.filter((piece) => typeof piece !== "string" && piece.length > 1) as Term[][];
  const isApart =
    runs.length < 2 || !pieces.some((piece) => typeof piece === "string" && TOGETHER.has(piece));
  return isClear && isApart
    ? runs.map((run) => run.map((term, at) => (isModulo(term, run[at + 1]) ? MODULO : term)))
    : [];
}

function isAsking(word: string, before: Piece | undefined, after: Piece | undefined): boolean {
  if (word === "of") return typeof before === "string" && OF.has(before);
  // `x = 3 * 4`
  if (/^[a-z]$/.test(word) && after === "=") return before === undefined;
  return ASKING.has(word) || ASKING_MARKS.has(word) || TOGETHER.has(word);
}

function isExpression(terms: readonly Term[], sentence: string): boolean {
  if (terms.length < 3 || !opens(terms[0]) || !closes(terms.at(-1))) return false;
  const dense = writtenOf(terms).replaceAll(" ", "");
  if (!sentence.includes(dense)) return true;
  const isAsked = CUE.test(sentence) || sentence.trim() === dense;
  return !NAMED.test(dense) && (isAsked || !RANGE.test(dense));
}

function operatorOf(term: Term | undefined): Operator | undefined {
  return term?.kind === "operator" ? term.operator : undefined;
}

/** A run of numbers and operators, or a single word or mark between runs. */
type Piece = string | readonly Term[];

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let terms: Term[] = [];
  for (const { 0: lexeme, index } of text.matchAll(LEXEME)) {
    if (pieces.length + terms.length > MAX_PIECES) return ["too long"];
    const read = termsOf(lexeme);
    if (read === "filler" && terms.length > 0) continue;
    const isSpoken = /^[a-z]/i.test(lexeme);
    if (typeof read !== "string" && (!isSpoken || isBetween(read, index + lexeme.length))) {
      if (terms.length === 0) pieces.push(terms);
      terms.push(...read);
    } else {
      terms = [];
      pieces.push(lexeme.toLowerCase());
    }
  }
  return pieces;

  /** A word is an operator only after a number, and `x` only before another one; else it is a name. */
  function isBetween(read: readonly Term[], after: number): boolean {
    if (operatorOf(read[0]) === "-") return true;
    // "15% of 80" and "3/4 of 100", but not "5 of 10 people".
    if (/^of$/i.test(text.slice(after - 2, after))) {
      return operatorOf(terms.at(-1)) === "%" || (closes(terms.at(-1)) && operatorOf(terms.at(-2)) === "/");
    }
    const isX = text[after - 1]?.toLowerCase() === "x";
    return closes(terms.at(-1)) && (!isX || /^\s{0,3}-?[\d.(]/.test(text.slice(after, after + 5)));
  }
}

/** "by" belongs to "divided by"; elsewhere it would end the expression anyway. */
function termsOf(lexeme: string): Term[] | "filler" | "other" {
  const first = lexeme.charCodeAt(0);
  if ((first >= 48 && first <= 57) || (first === 46 && lexeme.length > 1)) {
    if (NUMBER.test(lexeme)) return [{ kind: "number", digits: lexeme.replaceAll(",", "") }];
    return PRODUCT.test(lexeme) ? productOf(lexeme.toLowerCase().split("x")) : "other";
  }
  const word = lexeme.toLowerCase();
  if (word === "by" || word === "the") return "filler";
  if (word === "squared") return raisedTo("2");
  if (word === "cubed") return raisedTo("3");
  const operator = OPERATORS.get(word);
  return operator === undefined ? "other" : [{ kind: "operator", operator }];
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

const MODULO: Term = { kind: "operator", operator: "mod" };

/** `17 % 5`: a percent sign would be followed by an operator or by nothing. */
function isModulo(term: Term, next: Term | undefined): boolean {
  return operatorOf(term) === "%" && (next?.kind === "number" || operatorOf(next) === "(");
}

function opens(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === "(" || term?.operator === "-";
}

function closes(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === ")" || term?.operator === "%";
}
