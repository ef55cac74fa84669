/**
 * Where a command may begin, in arguments as a model writes them: behind quotes, and at breaks of lines, which are written
 * as escapes. Not behind a bar, where what another command said is cut short, unless it names files to the next one.
 */
const STARTS = /(?:\\[nrt"]|["'`;&(\n]|\|\||\|\s*(?=xargs\b))+/;

/** What may stand before a command, a few times: words of the shell, variables, and what it is to read. */
const BEFORE = String.raw`\s*(?:(?:do|then|else|elif|if|while|until|[{!]|\w+=\S*|<\s*\S+)\s+){0,8}`;
/** These run the command that stands behind them, somewhere. */
const RUNNERS =
  "-exec|-execdir|-ok|sudo|doas|time|timeout|nice|env|command|exec|xargs|find|docker|podman|kubectl|ssh";
const SHOWS = "cat|tac|head|tail|nl|less|more|bat|batcat|sed|awk|[Gg]et-[Cc]ontent|gc|type";
const SHOWS_FILE = new RegExp(
  String.raw`^${BEFORE}(?:(?:${RUNNERS})\s(?:.*?\s)??)?(?:\S*/|\\+)?(?:${SHOWS})(?:[\s<]|$)`,
);
/** A file as it was, where a name of one follows; in quotes it is no part of the command. */
const SHOWS_VERSION = /^\s*git\s(?:.*?\s)??(?:show|cat-file)\s/;
const VERSION = /:\S|^\s*$/;
/** A log is what a terminal showed, and so is one that was put aside. */
const LOG = /\.log(?:\.\d+)?(?:\s|$)/;

/** Whether one of the commands in a shell's arguments shows a file. Bound: each command is read a few times. */
export function showsFile(input: string): boolean {
  return input.split(STARTS).some(isShowing);
}

function isShowing(command: string): boolean {
  if (SHOWS_FILE.test(command)) return !LOG.test(command);
  const version = SHOWS_VERSION.exec(command);
  return version !== null && VERSION.test(command.slice(version[0].length));
}
