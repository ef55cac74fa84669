/** One command of a shell. */
export type ShellCommand = {
  readonly words: readonly string[];
  /** It reads what the one before it says. */
  readonly isFed: boolean;
};

/** Words, with what is quoted in them, and the signs between them. */
const TOKENS = /\\\n|\n|[|&;<>()`]+|(?:[^\s\\"'|&;<>()`]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g;
const SIGNS = /^[\n|&;<>()`]/;
const REDIRECTS = /[<>]/;
const FEEDS = /^\|&?$/;
const QUOTE = /["'\\]/;
const QUOTES = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g;
const ESCAPES = /\\(["\\$`])/g;
const BLANK = /\s/;
const SHELLS = /^(?:.*\/)?(?:(?:ba|da|fi|k|s|z)?sh|su|eval)$/;
/** What is quoted may be a command for another shell, and have one for one more in it. */
const MOST_SHELLS = 3;

/** The commands of a script, and behind them those that it quotes for another shell. Bound: a few passes. */
export function commandsOf(script: string, shells = MOST_SHELLS): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let isFed = false;
  let isTarget = false;
  for (const [token] of script.matchAll(TOKENS)) {
    if (token === "\\\n") continue;
    if (!SIGNS.test(token)) {
      // The file that a command reads or writes is none of its words.
      if (!isTarget) words.push(unquote(token));
      isTarget = false;
    } else if (REDIRECTS.test(token)) isTarget = true;
    else {
      commands.push({ words, isFed });
      [words, isFed, isTarget] = [[], FEEDS.test(token), false];
    }
  }
  commands.push({ words, isFed });
  if (shells === 1) return commands;
  const quoted = commands
    .filter((command) => command.words.some((word) => SHELLS.test(word)))
    .flatMap((command) => command.words.filter((word) => BLANK.test(word)));
  return [...commands, ...quoted.flatMap((word) => commandsOf(word, shells - 1))];
}

function unquote(word: string): string {
  if (!QUOTE.test(word)) return word;
  return word.replaceAll(QUOTES, (_, escaped?: string, double?: string, single?: string) => {
    return escaped ?? double?.replaceAll(ESCAPES, "$1") ?? single ?? "";
  });
}
