import { argumentTexts } from "./argument-texts.ts";
import { parseArguments } from "./parse-arguments.ts";
import { programOf, type ShellCommand, shellCommandsOf, withoutRunners } from "./shell-commands.ts";

/** In longer calls most of the text is input for a command. One bound for all of its strings. */
const MOST_READ = 20_000;
const MOST_WORDS = 400;
/** Fields that hold the script; other strings describe it, or say where it runs. */
const SCRIPTS = ["command", "cmd", "script", "input", "code"];
/** Fields that would be part of the command. */
const MORE_WORDS = /^(?:arg|param|option|flag)/i;
/** Command substitution: where its output ends up is unknown. */
const SUBSTITUTES = /`|[$<>]\(/;
const SHELLS = new Set(["bash", "dash", "ksh", "sh", "zsh"]);
const RUNS_TEXT = /^-[el]*c$/;
const BLANK = /\s/;
/** A shell's script may itself start another shell. */
const MOST_SHELLS = 3;

/** All commands that a shell tool call runs, including those of nested shells; null if that is uncertain. */
export function commandsOfCall(input: string): readonly ShellCommand[] | null {
  if (input.length > MOST_READ) return null;
  const script = scriptOf(input);
  if (script === null) return null;
  if (typeof script === "string") return commandsOf(script, MOST_SHELLS);
  return script.length > MOST_WORDS ? null : unfolded([{ words: script, isFed: false }], MOST_SHELLS);
}

/** A script, or the words of a single command. */
function scriptOf(input: string): string | readonly string[] | null {
  let value: unknown;
  try {
    value = parseArguments(input);
  } catch {
    return input;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const fields = Object.entries(value);
    const scripts = fields.filter(([name]) => SCRIPTS.includes(name));
    const hasMoreWords = fields.some(([name]) => MORE_WORDS.test(name));
    const [[, script] = []] = scripts;
    if (hasMoreWords || scripts.length > 1) return null;
    if (script !== undefined) return textOrWords(script);
  }
  const texts = argumentTexts(input);
  return texts.length === 1 ? (texts[0] ?? null) : textOrWords(value);
}

function textOrWords(value: unknown): string | readonly string[] | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return null;
  return value;
}

function commandsOf(script: string, shells: number): readonly ShellCommand[] | null {
  const commands = SUBSTITUTES.test(script) ? null : shellCommandsOf(script);
  return commands === null ? null : unfolded(commands, shells);
}

/** Replaces a command like `bash -c "…"` by the commands of its script. */
function unfolded(commands: readonly ShellCommand[], shells: number): readonly ShellCommand[] | null {
  const all: ShellCommand[] = [];
  for (const command of commands) {
    const [shell = "", option = "", script = "", ...more] = withoutRunners(command.words);
    if (!SHELLS.has(programOf(shell)) || !RUNS_TEXT.test(option) || !BLANK.test(script)) {
      all.push(command);
      continue;
    }
    const inner = shells === 1 || more.length > 0 ? null : commandsOf(script, shells - 1);
    if (inner === null) return null;
    for (const [at, { words, isFed }] of inner.entries())
      all.push({ words, isFed: at === 0 ? command.isFed : isFed });
  }
  return all;
}
