import { argumentTexts } from "./argument-texts.ts";
import { commandsOf, type ShellCommand } from "./shell-commands.ts";

/** What stands further behind is a text that a command is given. */
const MOST_READ = 20_000;
/** Most arguments end here. */
const MAY_SEARCH = /grep|\brg\b|\bag\b|\back\b/;
const SEARCHES = /^(?:.*\/)?(?:[efz]?grep|rg|ag|ack)$/;
const RIPGREP = /^(?:.*\/)?rg$/;
/** Without a word of when: these colour what they find then, and others only on a screen. */
const COLOURS_AT_ONCE = /^(?:.*\/)?(?:git|ag|ack)$/;
/** What may stand before a command: words of the shell, and variables. */
const BEFORE = /^(?:do|then|else|elif|if|while|until|[{!]|\w+=.*)$/s;
/** These run the command that stands behind them, somewhere; git has one of its own. */
const RUNNERS =
  /^(?:.*\/)?(?:git|sudo|doas|time|timeout|nice|env|command|exec|xargs|find|docker|podman|kubectl|ssh)$/;
const XARGS = /^(?:.*\/)?xargs$/;

const COLOUR = /^--colou?r$/;
const COLOURED = /^(?:--colou?r=(?:always|ansi|yes|force)|--pretty|color\.(?:ui|grep)=always)$/;
const WHEN = /^(?:always|ansi)$/;
/** Says how many were found, where, or nothing. */
const NO_LINES = /^(?:--(?:count|quiet|silent|files.*)$|-[^-efgtTABCmdDjM\d]*[clq])/;
const OPTION = /^-/;
const PATTERN = /^(?:-\w*[ef]$|--(?:regexp|file)\b)/;
const COUNT = /^\d+$/;
/** A log is what a terminal showed. */
const LOG = /\.log(?:\.\d+)?$/;

/**
 * Whether one of the commands in a shell's arguments shows lines of files that it found, and in no colours of its own:
 * codes in them are the file's. Not in what another command said, nor in logs alone.
 */
export function searchesFiles(input: string): boolean {
  if (!MAY_SEARCH.test(input)) return false;
  const texts = argumentTexts(input);
  const scripts = texts.length > 0 ? texts : [input];
  // A command may be given word by word.
  return (
    isSearch({ words: texts, isFed: false }) ||
    scripts.some((script) => commandsOf(script.slice(0, MOST_READ)).some(isSearch))
  );
}

function isSearch({ words, isFed }: ShellCommand): boolean {
  const at = words.findIndex((word) => SEARCHES.test(word));
  if (at < 0) return false;
  const first = words.findIndex((word) => !BEFORE.test(word));
  const runner = words[first] ?? "";
  if (isFed && !XARGS.test(runner)) return false;
  if (at !== first && !RUNNERS.test(runner)) return false;
  const given = words.slice(at + 1);
  if (given.length === 0 || given.some((word) => NO_LINES.test(word)) || isColoured(words, at)) return false;
  return !searchesLogs(given);
}

function isColoured(words: readonly string[], at: number): boolean {
  const isAtOnce = words.slice(0, at + 1).some((word) => COLOURS_AT_ONCE.test(word));
  const isPretty = RIPGREP.test(words[at] ?? "") && words.includes("-p");
  if (isPretty || words.some((word) => COLOURED.test(word))) return true;
  const colour = words.findIndex((word) => COLOUR.test(word));
  return colour >= 0 && (isAtOnce || WHEN.test(words[colour + 1] ?? ""));
}

/** Whether there are files, and all of them are logs. */
function searchesLogs(given: readonly string[]): boolean {
  const hasPattern = given.some((word) => PATTERN.test(word));
  const plain = given.filter((word, at) => {
    const before = given[at - 1] ?? "";
    return !OPTION.test(word) && !PATTERN.test(before) && !(OPTION.test(before) && COUNT.test(word));
  });
  const files = hasPattern ? plain : plain.slice(1);
  return files.length > 0 && files.every((file) => LOG.test(file));
}
