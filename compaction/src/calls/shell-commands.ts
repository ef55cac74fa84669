/** A single shell command. */
export type ShellCommand = {
  readonly words: readonly string[];
  /** True if it reads the output of the one before it. */
  readonly isFed: boolean;
};

/** Words, including quoted parts, and the operators between them. */
const TOKENS = /\\\n|\n|[|&;<>()`]+|(?:[^\s\\"'|&;<>()`]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g;
const MOST_TOKENS = 400;
const SIGNS = /^[\n|&;<>()`]/;
const REDIRECTS = /[<>]/;
const FEEDS = /^\|&?$/;
const QUOTE = /["'\\]/;
const QUOTES = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g;
const ESCAPES = /\\(["\\$`])/g;

/** Variable assignments before a command, except those that may contain terminal codes or ask for colours. */
const VARIABLE = /^\w+=(?!.*colou?r)[^\\]*$/is;
/** These run the command that follows them. */
const RUNNERS = new Set(["sudo", "time", "timeout", "env", "command", "xargs"]);
const MOST_RUNNERS = 4;
const OPTION = /^-/;
/** Options that take a value. */
const VALUED = /^-[dgIkLnPsu]$/;
const DURATION = /^[\d.]+[smhd]?$/;

/** The commands of a script, in order; null if it is longer than a hand-written one. */
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
      // The target of a redirection is not one of its words.
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

/** The words of the command itself, without variables and wrappers before it. */
export function withoutRunners(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let runners = 0; runners <= MOST_RUNNERS; runners++) {
    while (VARIABLE.test(words[at] ?? "")) at++;
    const program = programOf(words[at] ?? "");
    if (!RUNNERS.has(program)) break;
    at++;
    // With options, `command` only looks up a program and runs none.
    if (program === "command") continue;
    for (; OPTION.test(words[at] ?? ""); at++) if (VALUED.test(words[at] ?? "")) at++;
    if (program === "timeout" && DURATION.test(words[at] ?? "")) at++;
  }
  return words.slice(at);
}

/** The name of a program, without its directory. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

function unquote(word: string): string {
  if (!QUOTE.test(word)) return word;
  return word.replaceAll(QUOTES, (_, escaped?: string, double?: string, single?: string) => {
    return escaped ?? double?.replaceAll(ESCAPES, "$1") ?? single ?? "";
  });
}
