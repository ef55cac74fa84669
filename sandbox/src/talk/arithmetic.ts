/** What may stand around an expression without changing it. */
const ASKED =
  /^(?:(?:what is|what's|how much is|calculate|compute) )?([^a-z=?]+|(?:[^a-z=?]|plus|minus|times|divided by)+?)\s*(?:=\s*)?[?.!]*$/i;
const TOKEN = /\d+(?:\.\d+)?|[-+*/()]/g;
const IN_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/plus/gi, "+"],
  [/minus|−/gi, "-"],
  [/times|×/gi, "*"],
  [/divided by|÷/gi, "/"],
];
const MAX_CHARACTERS = 200;

/** Works out an expression that is the whole prompt, in digits, signs and their names; null if it is none. */
export function answerArithmetic(prompt: string): string | null {
  if (prompt.length > MAX_CHARACTERS) return null;
  const [, said = ""] = ASKED.exec(prompt.trim()) ?? [];
  const written = IN_SIGNS.reduce((text, [words, sign]) => text.replace(words, sign), said);
  const tokens = written.match(TOKEN) ?? [];
  if (tokens.length < 3 || tokens.join("") !== written.replace(/\s/g, "")) return null;
  const value = worth(tokens);
  if (value === null) return null;
  // Digits that only the computer's way of counting adds are not shown.
  const shown = Number.isFinite(value) ? `= ${Number(value.toPrecision(12))}` : "has no value";
  return `Sandbox arithmetic: ${tokens.join(" ").replace(/\( | \)/g, (sign) => sign.trim())} ${shown}.`;
}

/** A parser of our own for + - * / and parentheses: a prompt is never run as code. */
function worth(tokens: readonly string[]): number | null {
  let at = 0;

  function sum(): number {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value += tokens[at++] === "+" ? product() : -product();
    return value;
  }

  function product(): number {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/") {
      if (tokens[at++] === "*") value *= factor();
      else value /= factor();
    }
    return value;
  }

  function factor(): number {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token !== "(") return Number(token ?? Number.NaN);
    const value = sum();
    return tokens[at++] === ")" ? value : Number.NaN;
  }

  const value = sum();
  return at === tokens.length && !Number.isNaN(value) ? value : null;
}
