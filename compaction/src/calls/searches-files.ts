import { commandsOfCall } from "./call-commands.ts";
import { handsOnLines, isQuiet } from "./harmless-command.ts";
import { isLog } from "./names-file.ts";
import { programOf, type ShellCommand, withoutRunners } from "./shell-commands.ts";

/** Quick check: most arguments have none. */
const MAY_SEARCH = /grep|\brg\b|\bag\b/;
const SEARCHES = /^(?:[efz]?grep|rg|ag)$/;
/** With a plain `--color` these always colour; others only do so on a terminal. */
const COLOURS_AT_ONCE = /^(?:git|ag)$/;
/** Shell keywords that may precede a command. */
const BEFORE = /^(?:do|then|else|elif|if|while|until|[{!])$/;
/** Shell words that print nothing. */
const LOOPS = new Set(["for", "read", "done"]);
/** Options of `git` before its subcommand that take a value. */
const GIT_VALUED = /^-[Cc]$/;
const EXECUTES = /^-exec(?:dir)?$/;

const COLOUR = /^--colou?r$/;
const COLOURED = /^(?:--colou?r=(?:always|ansi|yes|force)|--pretty|color\.(?:ui|grep)=always)$/;
const WHEN = /^(?:always|ansi)$/;
/** Prints only counts or file names, or nothing. */
const NO_LINES = /^(?:--(?:count|quiet|silent|files.*)$|-[^-efgtTABCmdDjM\d]*[clq])/;
const OPTION = /^-/;
const PATTERN = /^(?:-\w*[ef]$|--(?:regexp|file)\b)/;
const COUNT = /^\d+$/;

/**
 * Whether the commands in a shell's arguments show lines that they found in files, without colours of their own, and
 * certainly nothing else with colours: then any codes belong to the files. False if they search the output of another
 * command, or only logs.
 */
export function searchesFiles(input: string): boolean {
  if (!MAY_SEARCH.test(input)) return false;
  let isSearch = false;
  for (const command of commandsOfCall(input) ?? []) {
    const does = readCommand(command);
    if (does === "other") return false;
    isSearch ||= does === "search";
  }
  return isSearch;
}

function readCommand({ words: all, isFed }: ShellCommand): "search" | "harmless" | "other" {
  const first = all.findIndex((word) => !BEFORE.test(word));
  const run = withoutRunners(first < 0 ? [] : all.slice(first));
  const words = executedBy(run);
  if (findsLogs(run)) return "other";
  // The input of `xargs` is file names.
  const isFilter = isFed && !all.some((word) => programOf(word) === "xargs");
  if (isQuiet(words) || LOOPS.has(words[0] ?? "") || (isFilter && handsOnLines(words))) return "harmless";
  const at = searchIn(words);
  if (at < 0 || isColoured(words, at)) return "other";
  const given = words.slice(at + 1);
  if (isFilter || given.some((word) => NO_LINES.test(word))) return "harmless";
  return given.length === 0 || searchesLogs(given) ? "other" : "search";
}

/** The command that `find` runs for each file. */
function executedBy(words: readonly string[]): readonly string[] {
  if (programOf(words[0] ?? "") !== "find") return words;
  const at = words.findIndex((word) => EXECUTES.test(word));
  return at < 0 || words.slice(at + 1).some((word) => EXECUTES.test(word)) ? words : words.slice(at + 1);
}

function findsLogs([program = "", ...given]: readonly string[]): boolean {
  return programOf(program) === "find" && given.some(isLog);
}

/** The index of the search program or subcommand; -1 if the command is no search. */
function searchIn(words: readonly string[]): number {
  const program = programOf(words[0] ?? "");
  if (program !== "git") return SEARCHES.test(program) ? 0 : -1;
  const at = words.findIndex((word, place) => {
    return place > 0 && !OPTION.test(word) && !GIT_VALUED.test(words[place - 1] ?? "");
  });
  return words[at] === "grep" ? at : -1;
}

function isColoured(words: readonly string[], at: number): boolean {
  const program = programOf(words[0] ?? "");
  const isPretty = program === "rg" && words.includes("-p");
  if (isPretty || words.some((word) => COLOURED.test(word))) return true;
  const colour = words.findIndex((word, place) => place > at && COLOUR.test(word));
  return colour >= 0 && (COLOURS_AT_ONCE.test(program) || WHEN.test(words[colour + 1] ?? ""));
}

/** Whether files are named, and all of them are logs. */
function searchesLogs(given: readonly string[]): boolean {
  const hasPattern = given.some((word) => PATTERN.test(word));
  const plain = given.filter((word, at) => {
    const before = given[at - 1] ?? "";
    return !OPTION.test(word) && !PATTERN.test(before) && !(OPTION.test(before) && COUNT.test(word));
  });
  const files = hasPattern ? plain : plain.slice(1);
  return files.length > 0 && files.every(isLog);
}
