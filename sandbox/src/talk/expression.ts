import { add, divide, multiply, negate, power, type Rational, rationalOf, remainder } from "./rational.ts";

export type Operator = "+" | "-" | "*" | "/" | "^" | "%" | "mod" | "(" | ")";
export type Term =
  | { readonly kind: "number"; readonly digits: string }
  | { readonly kind: "operator"; readonly operator: Operator };

type Evaluation =
  | { readonly outcome: "value"; readonly value: Rational }
  | { readonly outcome: "undefined" } // a division by zero, or larger than our limit
  | { readonly outcome: "not_an_expression" };

/** Together they bound the parser's work and its stack. */
const MAX_TERMS = 200;
const MAX_DEPTH = 50;

class NotAnExpression extends Error {}
class Undefined extends Error {}

type Cursor = { readonly terms: readonly Term[]; at: number; depth: number };

/** A parser of our own for + - * / ^ % mod and parentheses: a prompt is never run as code. */
export function evaluate(terms: readonly Term[]): Evaluation {
  if (terms.length > MAX_TERMS) return { outcome: "not_an_expression" };
  const cursor: Cursor = { terms, at: 0, depth: 0 };
  try {
    const value = sum(cursor);
    return cursor.at < terms.length ? { outcome: "not_an_expression" } : { outcome: "value", value };
  } catch (error) {
    if (error instanceof NotAnExpression) return { outcome: "not_an_expression" };
    if (error instanceof Undefined) return { outcome: "undefined" };
    throw error;
  }
}

function peek(cursor: Cursor): Operator | null {
  const term = cursor.terms[cursor.at];
  return term?.kind === "operator" ? term.operator : null;
}

function sum(cursor: Cursor): Rational {
  const start = cursor.at;
  let left = product(cursor);
  for (let sign = peek(cursor); sign === "+" || sign === "-"; sign = peek(cursor)) {
    const isOfShare = isShare(cursor, start, cursor.at);
    const rightStart = ++cursor.at;
    const share = product(cursor);
    // People read 100 + 10% as 110. Two percentages are simply added.
    const isShareOfLeft = !isOfShare && isShare(cursor, rightStart, cursor.at);
    const right = isShareOfLeft ? defined(multiply(left, share)) : share;
    left = defined(add(left, sign === "+" ? right : negate(right)));
  }
  return left;
}

/** A number and its percent sign, alone. */
function isShare({ terms }: Cursor, from: number, to: number): boolean {
  const last = terms[to - 1];
  return to - from === 2 && last?.kind === "operator" && last.operator === "%";
}

function product(cursor: Cursor): Rational {
  let left = signed(cursor);
  for (let work = factorWork(cursor); work !== undefined; work = factorWork(cursor)) {
    cursor.at++;
    left = defined(work(left, signed(cursor)));
  }
  return left;
}

function factorWork(cursor: Cursor): typeof multiply | undefined {
  const sign = peek(cursor);
  return sign === "*" ? multiply : sign === "/" ? divide : sign === "mod" ? remainder : undefined;
}

function signed(cursor: Cursor): Rational {
  if (++cursor.depth > MAX_DEPTH) throw new NotAnExpression();
  const sign = peek(cursor);
  const isSigned = sign === "-" || sign === "+";
  if (isSigned) cursor.at++;
  const value = isSigned ? signed(cursor) : raised(cursor);
  cursor.depth--;
  return sign === "-" ? negate(value) : value;
}

/** Right-associative: 2^3^2 is 2^9. Binds more tightly than the sign: -2^2 is -4. */
function raised(cursor: Cursor): Rational {
  const base = percent(cursor);
  if (peek(cursor) !== "^") return base;
  cursor.at++;
  return defined(power(base, signed(cursor)));
}

function percent(cursor: Cursor): Rational {
  let value = primary(cursor);
  while (peek(cursor) === "%") {
    cursor.at++;
    value = defined(divide(value, { numerator: 100n, denominator: 1n }));
  }
  return value;
}

function primary(cursor: Cursor): Rational {
  const term = cursor.terms[cursor.at++];
  if (term?.kind === "number") return defined(rationalOf(term.digits));
  if (term?.operator !== "(") throw new NotAnExpression();
  const value = sum(cursor);
  if (peek(cursor) !== ")") throw new NotAnExpression();
  cursor.at++;
  return value;
}

function defined(value: Rational | undefined): Rational {
  if (value === undefined) throw new Undefined();
  return value;
}
