/** One command of a shell. */
export type ShellCommand = {
  readonly words: readonly string[];
  /** It reads what the one before it says. */
  readonly isFed: boolean;
};

/** Words, with what is quoted in them, and the signs between them. */
const TOKENS = /\\\n|\n|[|&;<>()`]+|(?:[^\s\\"'|&;<>()`]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g;
const MOST_TOKENS = 400;
const SIGNS = /^[\n|&;<>()`]/;
const REDIRECTS = /[<>]/;
const FEEDS = /^\|&?$/;
const QUOTE = /["'\\]/;
const QUOTES = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g;
const ESCAPES = /\\(["\\$`])/g;

/** Variables before a command, but none that may hold codes of a terminal or ask for some. */
const VARIABLE = /^\w+=(?!.*colou?r)[^\\]*$/is;
/** These run the command that stands behind them. */
const RUNNERS = new Set(["sudo", "time", "timeout", "env", "command", "xargs"]);
const MOST_RUNNERS = 4;
const OPTION = /^-/;
/** A value stands behind it. */
const VALUED = /^-[dgIkLnPsu]$/;
const DURATION = /^[\d.]+[smhd]?$/;

/** The commands of a script, in their order; null where it is longer than what one writes for a shell by hand. */
export function shellCommandsOf(script: string): readonly ShellCommand[] | null {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let isFed = false;
  let isTarget = false;
  let tokens = 0;
  for (const [token] of script.matchAll(TOKENS)) {
    if (++tokens > MOST_TOKENS) return null;
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
  return commands;
}

/** The words of the command that is run, without variables and programs before it. */
export function withoutRunners(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let runners = 0; runners <= MOST_RUNNERS; runners++) {
    while (VARIABLE.test(words[at] ?? "")) at++;
    const program = programOf(words[at] ?? "");
    if (!RUNNERS.has(program)) break;
    at++;
    // With options, it says where a program is, and runs none.
    if (program === "command") continue;
    for (; OPTION.test(words[at] ?? ""); at++) if (VALUED.test(words[at] ?? "")) at++;
    if (program === "timeout" && DURATION.test(words[at] ?? "")) at++;
  }
  return words.slice(at);
}

/** What a program is called, wherever it lies. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

function unquote(word: string): string {
  if (!QUOTE.test(word)) return word;
  return word.replaceAll(QUOTES, (_, escaped?: string, double?: string, single?: string) => {
    return escaped ?? double?.replaceAll(ESCAPES, "$1") ?? single ?? "";
  });
}
