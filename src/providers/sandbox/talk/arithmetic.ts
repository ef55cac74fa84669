import { evaluate, type Operator, type Term } from "./expression.ts";
import { formatRational, type Rational } from "./rational.ts";
import { inOperators } from "./spoken-sums.ts";

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
  ["mod", ["mod"]],
  ["modulo", ["mod"]],
  ["percent", ["%"]],
  ["of", ["*"]],
]);

const CUE = /\b(?:what|how much|calculate|compute|evaluate|solve|work out|result|equals?)\b|=/i;
/** Nobody writes a date, a range or a size of wood with them. */
const PLAIN_OPERATOR = /[+*×·^%]|\b(?:plus|minus|times|multiplied|divided|squared|cubed|mod|modulo)\b/i;
const DATE = /^\d{1,4}([-/])\d{1,2}\1\d{1,4}$/;
/** Of scripts that put blanks between words: in others a number stands right after one. */
const LETTER = "A-Za-z_\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0370-\\u052f";
/** What begins with a digit is taken whole, so that no half of `1,5`, `1e3` or `0x10` passes for a number. */
const LEXEME = new RegExp(
  `x(?=\\d)|\\.?\\d(?:[\\d.,${LETTER}]*[\\d${LETTER}])?|[${LETTER}][\\d${LETTER}]*|\\S`,
  "gi",
);
const NAME = new RegExp(`^[\\d.${LETTER}]`);
/** Commas stand between groups of three; with any other comma nobody knows which country wrote it. */
const NUMBER = /^(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?$/;
/** `3x4`; but `0x10` is a number of programmers. */
const PRODUCT = /^(?!0x)\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)+$/i;
const MAX_LEXEMES = 4000;

/** One of them in front changes what follows, so that the rest alone would be a wrong sum. */
const FUNCTIONS = new Set(
  "abs absolute cos cosine cube exp factorial half ln log logarithm max min mod quarter root round sin sine sqrt square tan tangent third".split(
    " ",
  ),
);
const MAX_SUMS = 8;
const MAX_SENTENCE_CHARACTERS = 400;
/** Between a number and the operator behind its unit: "12 square miles + 4". */
const MAX_UNIT_WORDS = 2;

/** A stretch of numbers and operators; what cannot begin or end an expression is set apart. */
type Run = {
  readonly front: readonly Term[];
  readonly terms: readonly Term[];
  readonly tail: readonly Term[];
  readonly start: number;
  readonly end: number;
};
type Word = { readonly word: string; readonly start: number; readonly end: number };

/** An expression as it is answered, and its value where it has one. */
export type Sum = { readonly written: string; readonly answer: string; readonly value: number | undefined };

/** Works out the expressions in the text, in digits or in words; null when there is none. */
export function answerArithmetic(text: string): string | null {
  const sums = sumsIn(text);
  return sums.length === 0 ? null : `Sandbox arithmetic: ${sums.map(({ answer }) => answer).join("; ")}.`;
}

export function sumsIn(prompt: string): Sum[] {
  const text = inOperators(prompt);
  const sums = new Map<string, Sum>();
  const whole = bare(text);
  let end = 0;
  for (const run of expressionsIn(text)) {
    // The first is what its sentence asks, wherever that says so; others need a question of their own.
    const asking = sums.size > 0 ? text.slice(end, run.start) : sentenceOf(text, run);
    if (!looksMeant(run, { text, whole, hasCue: CUE.test(asking) })) continue;
    const evaluation = evaluate(run.terms);
    if (evaluation.outcome === "not_an_expression") continue;
    const written = writtenOf(run)
      .join(" ")
      .replace(/\( /g, "(")
      .replace(/ (\)|%)/g, "$1");
    sums.set(written, evaluation.outcome === "value" ? sumOf(written, evaluation.value) : noSum(written));
    if (sums.size >= MAX_SUMS) break;
    end = run.end;
  }
  return [...sums.values()];
}

function sumOf(written: string, result: Rational): Sum {
  const { text, exact } = formatRational(result);
  return { written, answer: `${written} ${exact ? "=" : "is about"} ${text}`, value: Number(text) };
}

function noSum(written: string): Sum {
  const answer = `${written} has no value that I can work out (a division by zero, or too large)`;
  return { written, answer, value: undefined };
}

type Asked = { readonly text: string; readonly whole: string; readonly hasCue: boolean };

/** Dates, ranges and "either/or" are full of minus signs and slashes: those alone need a question around them. */
function looksMeant(run: Run, { text, whole, hasCue }: Asked): boolean {
  const operators = run.terms.filter((term) => term.kind === "operator");
  if (operators.length === 0 || run.terms.length < 3) return false;
  const dense = writtenOf(run).join("");
  if (DATE.test(dense) && text.includes(dense)) return false;
  return hasCue || bare(dense) === whole || PLAIN_OPERATOR.test(text.slice(run.start, run.end));
}

const SENTENCE_END = /[.?!]\s/;

function sentenceOf(text: string, { start, end }: Run): string {
  const before = text
    .slice(Math.max(0, start - MAX_SENTENCE_CHARACTERS), start)
    .split(SENTENCE_END)
    .at(-1);
  const after = text.slice(end, end + MAX_SENTENCE_CHARACTERS).split(SENTENCE_END, 1);
  return `${before}${text.slice(start, end)}${after[0]}`;
}

/** Without blanks and the marks of a sentence, operators in one spelling. */
function bare(text: string): string {
  return text
    .replace(/[\s?=.,!]/g, "")
    .replace(/[−×·÷]/g, (symbol) => SYMBOLS.get(symbol) ?? symbol)
    .replace(/(?<=\d)x(?=\d)/gi, "*");
}

function writtenOf({ terms }: Run): string[] {
  return terms.map((term) => (term.kind === "number" ? term.digits : term.operator));
}

/** Those that stand alone: no name and no unit is a part of them. */
function expressionsIn(text: string): Run[] {
  const pieces = piecesOf(text);
  const runs = pieces.flatMap((piece, at) => ("terms" in piece ? [{ run: piece, at }] : []));
  const isJoined = runs.map(({ run, at }) => isOfName(run, pieces.slice(Math.max(0, at - 2), at)));
  return runs.flatMap(({ run, at }, index) => {
    const after = pieces[at + 1];
    const next = runs[index + 1];
    const hasUnit = next !== undefined && isJoined[index + 1] && next.at - at - 1 <= MAX_UNIT_WORDS;
    const goesOn = after !== undefined && "word" in after && isName(after) && joins(run.tail, after);
    return isJoined[index] || hasUnit || goesOn ? [] : [run];
  });
}

/** What stands before it belongs to it: `sqrt(16) + 2`, `x + 2 * 3`, "the root of 16 + 2". */
function isOfName({ front, terms, start }: Run, before: readonly (Run | Word)[]): boolean {
  const [word, earlier] = before.filter((piece) => "word" in piece).toReversed();
  if (word === undefined || !isName(word)) return false;
  const named = word.word === "of" && earlier !== undefined ? earlier : word;
  if (FUNCTIONS.has(named.word) || joins(front, word)) return true;
  const first = operatorOf(terms[0]);
  if (first === "-") return isShort(word);
  return first === "(" && (word.end === start || isShort(word));
}

/** A dash behind a whole word only parts a sentence. */
function joins(trimmedOff: readonly Term[], word: Word): boolean {
  return trimmedOff.some((term) => {
    const operator = operatorOf(term);
    return operator === "-" ? isShort(word) : operator !== "(" && operator !== ")";
  });
}

function operatorOf(term: Term | undefined): Operator | undefined {
  return term?.kind === "operator" ? term.operator : undefined;
}

function isName({ word }: Word): boolean {
  return NAME.test(word);
}

/** `x`, and `2x` and `12km`, which begin with a number. */
function isShort({ word }: Word): boolean {
  return word.length === 1 || /^[\d.]/.test(word);
}

/** Runs, and the words and marks between them. */
function piecesOf(text: string): (Run | Word)[] {
  const pieces: (Run | Word)[] = [];
  let [terms, start, end]: [Term[], number, number] = [[], 0, 0];
  let count = 0;
  for (const { 0: lexeme, index } of text.matchAll(LEXEME)) {
    if (++count > MAX_LEXEMES) break;
    const read = termsOf(lexeme);
    if (read === "filler" && terms.length > 0) continue;
    const isSpoken = /^[a-z]/i.test(lexeme);
    if (read !== "filler" && read !== "other" && (!isSpoken || isBetween(read, index + lexeme.length))) {
      if (terms.length === 0) start = index;
      terms.push(...read);
      end = index + lexeme.length;
      continue;
    }
    if (terms.length > 0) pieces.push(trimmed(terms, start, end));
    terms = [];
    pieces.push({ word: lexeme.toLowerCase(), start: index, end: index + lexeme.length });
  }
  if (terms.length > 0) pieces.push(trimmed(terms, start, end));
  return pieces;

  /** A word is an operator only behind a number, and `x` only before another: else it is a name. */
  function isBetween(read: readonly Term[], after: number): boolean {
    if (operatorOf(read[0]) === "-") return true;
    // Otherwise "5 of 10 people" would be a product.
    if (/^of$/i.test(text.slice(after - 2, after))) return operatorOf(terms.at(-1)) === "%";
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

/** Sets apart what cannot begin or end an expression, such as a dash after it. */
function trimmed(all: readonly Term[], from: number, to: number): Run {
  let start = 0;
  let end = all.length;
  while (start < end && !opens(all[start])) start++;
  while (end > start && !closes(all[end - 1])) end--;
  return {
    front: all.slice(0, start),
    terms: all.slice(start, end).map((term, at) => (isModulo(term, all[start + at + 1]) ? MODULO : term)),
    tail: all.slice(end),
    start: from,
    end: to,
  };
}

const MODULO: Term = { kind: "operator", operator: "mod" };

/** `17 % 5`: a share is followed by an operator or by nothing. */
function isModulo(term: Term, next: Term | undefined): boolean {
  return operatorOf(term) === "%" && (next?.kind === "number" || operatorOf(next) === "(");
}

function opens(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === "(" || term?.operator === "-";
}

function closes(term: Term | undefined): boolean {
  return term?.kind === "number" || term?.operator === ")" || term?.operator === "%";
}
