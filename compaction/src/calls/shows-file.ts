import { fetchesFile } from "./fetches-file.ts";
import { isLog } from "./names-file.ts";
import { printsFile } from "./prints-file.ts";

/**
 * Where a command may start in JSON arguments: after quotes, and at line breaks, which are escaped. Not after a pipe,
 * where the output of another command is cut, unless it passes file names to `xargs`. The number of signs is bounded,
 * since each is remembered until the last one is read.
 */
const STARTS = /((?:\\[nrt"]|["'`;&(\n]|\|\||\|\s*(?=(?:sudo\s+)?xargs\b)){1,64})/;
/** A quote: another word of the command follows. */
const QUOTED = /^\\?["'`]/;

/** Shell keywords, variables and input redirections that may precede a command. */
const BEFORE = String.raw`\s*(?:(?:do|then|else|elif|if|while|until|[{!]|\w+=\S*|<\s*\S+)\s+){0,8}`;
/** These run the command that follows them, possibly elsewhere; not one that a pipe gives their output to. */
const RUNNERS =
  "-exec|-execdir|-ok|sudo|doas|time|timeout|nice|env|command|exec|xargs|find|busybox|docker|podman|kubectl|ssh";
/**
 * Programs that print what they read line by line, unless in place; and those that print what an archive contains.
 * Letters of an option are bounded: otherwise each would be scanned again from every other one.
 */
const WRITES = String.raw`(?:perl|ruby)\s-[\dacelswEF]{0,9}[np][\dacelnpswEF]{0,9}|unzip\s-\w{0,9}p\w{0,9}|(?:bsd)?tar\s-?\w{0,9}O\w{0,9}`;
const SHOWS =
  "cat|[bxz]z?cat|gzcat|tac|g?head|g?tail|nl|less|more|bat|batcat|g?sed|awk|[Gg]et-[Cc]ontent|gc|type";
/** Shell commands of a notebook start with `!` or `%`. */
const SHOWS_FILE = new RegExp(
  String.raw`^(?:\s*(?:!{1,2}|%)(?=\S))?${BEFORE}(?:(?:${RUNNERS})\s(?:[^\n|]*?\s)??)?(?:\S*/|\\+)?(${SHOWS}|${WRITES})(?=[\s<]|$)`,
);
/** `git show` of a file, if its name follows; in quotes it is no part of the command. */
const SHOWS_VERSION = /^\s*git\s(?:.*?\s)??show\s/;
const SHOWS_LINES = /^\s*git\s(?:.*?\s)??(?:cat-file|blame|annotate)\s/;
/** Expressions that read a whole file in Python, JavaScript or Ruby; and a shell's `$(<file)`. */
const READS = new RegExp(
  [
    String.raw`\bopen\((?:(?!\bopen\()[^)]){0,400}\)\.read|(?:\bin|enumerate\()\s*open\(`,
    String.raw`\.read_text\(|\.read_bytes\(\)\.decode\(|\blinecache\.getlines?\(|print\(inspect\.getsource\(`,
    String.raw`\breadFileSync\(|\breadFile\([^\n]{0,200}?console\.log\(|console\.log\((?:await )?(?:\w{1,32}\.)?readFile\(`,
    String.raw`(?:puts|print)[ (]File\.read\(`,
    String.raw`\b(?:echo|printf)\s(?:-\w{1,9}\s|["'\\]{1,4}%[bs][\\n]{0,4}["'\\]{1,4}\s)?[\\"]{0,4}\$\(<\s?[^\s<(]`,
  ].join("|"),
);
const VERSION = /:\S|^\s*$/;
/** The first take a quoted program before the files, the second an archive. */
const PROGRAMMED = /^(?:perl|ruby)\s/;
const ARCHIVED = /^(?:unzip|(?:bsd)?tar)\s/;
/** Start of redirections and pipes. */
const ELSEWHERE = /\d?[|<>]/;
const OPTION = /^[-+]/;
/** A number of lines, or a range of them. */
const COUNT = /^[\d,$]+[a-zA-Z]{0,2}$/;

/** Whether one of the commands in a shell's arguments shows a file. Bound: each command is read a few times. */
export function showsFile(input: string): boolean {
  if (READS.test(input) || printsFile(input) || fetchesFile(input)) return true;
  const parts = input.split(STARTS);
  return parts.some((_, at) => at % 2 === 0 && isShowing(parts, at));
}

function isShowing(parts: readonly string[], at: number): boolean {
  const command = parts[at] ?? "";
  const shows = SHOWS_FILE.exec(command);
  if (shows !== null) {
    const [before, name = ""] = shows;
    const behind = PROGRAMMED.test(name) ? behindProgram(parts, at) : at;
    const given = behind === at ? command.slice(before.length) : (parts[behind] ?? "");
    return !showsLogs(name, given, parts[behind + 1] ?? "");
  }
  if (SHOWS_LINES.test(command)) return true;
  const version = SHOWS_VERSION.exec(command);
  return version !== null && VERSION.test(command.slice(version[0].length));
}

/** The index of the part after the quoted program that follows this part; `at` itself if no quote opens. */
function behindProgram(parts: readonly string[], at: number): number {
  const signs = parts[at + 1] ?? "";
  const quote = QUOTED.exec(signs)?.[0] ?? "";
  if (quote === "") return at;
  if (signs.includes(quote, quote.length)) return at + 2;
  let close = at + 3;
  while (close < parts.length && !parts[close]?.includes(quote)) close += 2;
  return close + 1;
}

/** Whether a command shows only logs. */
function showsLogs(name: string, behind: string, end: string): boolean {
  const [given = ""] = behind.split(ELSEWHERE, 1);
  if (given === behind && given.endsWith(" ") && QUOTED.test(end)) return false;
  const words = given.split(/\s+/).filter((word) => word !== "");
  const files = words.filter((word, at) => {
    const isCounted = name.endsWith("sed") || OPTION.test(words[at - 1] ?? "");
    return !OPTION.test(word) && !(isCounted && COUNT.test(word));
  });
  const shown = ARCHIVED.test(name) ? files.slice(1) : files;
  return shown.length > 0 && shown.every(isLog);
}
