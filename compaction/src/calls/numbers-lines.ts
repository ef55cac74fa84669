import { commandsOfCall } from "./call-commands.ts";
import { handsOnLines, isQuiet } from "./harmless-command.ts";
import { programOf, withoutRunners } from "./shell-commands.ts";

/** Shell keywords before a command. Not those of loops, which may count what they read. */
const BEFORE = /^(?:then|else|elif|if|[{!])$/;
const SHOWS = /^(?:[bgx]?zcat|xzcat|[Gg]et-[Cc]ontent|gc|type)$/;
const SEARCHES = /^[efz]?grep$/;
const GREP_NUMBERS = /^-(?:\w*[bcn]|-(?:line|byte|count))/;
const SED_OPTION = /^-[Enrs]+$/;
/** A `sed` script that only prints or deletes lines, or quits. */
const SED_LINES = /^(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\+?\d+|\$|\/[^/]*\/))?[dpq][\s;]*)+$/;
const OPTION = /^-/;
/** `git show REVISION:FILE`. */
const VERSION = /:./;

/**
 * Whether the commands in a shell's arguments may print line numbers before the lines that they show; true if
 * unknown.
 */
export function numbersLines(input: string): boolean {
  const commands = commandsOfCall(input);
  return commands === null || !commands.every(({ words }) => showsAsIs(words));
}

function showsAsIs(all: readonly string[]): boolean {
  const first = all.findIndex((word) => !BEFORE.test(word));
  const words = withoutRunners(first < 0 ? [] : all.slice(first));
  if (isQuiet(words) || handsOnLines(words)) return true;
  const [program = "", ...given] = words;
  const name = programOf(program);
  if (name === "git") return showsVersion(given);
  if (name === "sed") return showsSome(given);
  if (SEARCHES.test(name)) return !given.some((word) => GREP_NUMBERS.test(word));
  return SHOWS.test(name);
}

function showsVersion([command, ...files]: readonly string[]): boolean {
  return command === "show" && files.every((file) => !OPTION.test(file) && VERSION.test(file));
}

function showsSome(given: readonly string[]): boolean {
  const [script = ""] = given.filter((word) => !OPTION.test(word));
  return SED_LINES.test(script) && given.every((word) => !OPTION.test(word) || SED_OPTION.test(word));
}
