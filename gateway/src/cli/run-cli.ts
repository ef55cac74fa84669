import { UnreachableDatabaseError } from "../db/index.ts";
import { messageOf } from "../kit/index.ts";
import { backupCommand } from "./backup/backup.ts";
import { restoreCommand } from "./backup/restore.ts";
import { CliError, misused } from "./cli-error.ts";
import type { CliHost } from "./cli-host.ts";
import { clockCommands } from "./clock.ts";
import { alignColumns, alignFields } from "./columns.ts";
import { type Command, type CommandOutput, nameOf } from "./command.ts";
import { creditsCommands } from "./credits.ts";
import { doctorCommand } from "./doctor.ts";
import { efficiencyCommands } from "./efficiency.ts";
import type { FlagSpec } from "./flag.ts";
import { keyCommands } from "./key.ts";
import { ledgerCommands } from "./ledger.ts";
import { migrateCommand } from "./migrate.ts";
import { modelsCommand } from "./models.ts";
import { operatorCommands } from "./operators.ts";
import { memberCommands, orgCommands } from "./org.ts";
import { flagsOf, parseFlags } from "./parse-arguments.ts";
import { serveCommand } from "./serve.ts";
import { type Paint, paintFor } from "./terminal.ts";
import { visible } from "./visible.ts";
import { commandText } from "./wording.ts";

function commandHelp(command: Command, paint: Paint): string {
  const words = flagsOf(command)
    .filter((flag) => flag.name !== "help")
    .map(flagInUsage);
  const flags = flagsOf(command).map((flag): [string, string] => [flagWithValue(flag), flag.about]);
  return [
    `${paint("bold", "Usage:")} ${[nameOf(command), ...words].join(" ")}`,
    command.notes ? `${command.about} ${command.notes}` : command.about,
    alignFields(flags),
  ].join("\n\n");
}

function overview(commands: readonly Command[], input: { paint: Paint; version: string }): string {
  const rows = commands.map((command) => [`  ${command.path.join(" ")}`, command.about]);
  return [
    `${input.paint("bold", `Bursar ${input.version}`)}: an AI gateway for organizations.`,
    `${input.paint("bold", "Usage:")} bursar [COMMAND] [--flags]`,
    alignColumns(rows),
    "No command means serve. Every command takes --help, and --json for programs. --org takes an id or a slug.",
  ].join("\n\n");
}

function flagWithValue(flag: FlagSpec): string {
  return flag.value === null ? `--${flag.name}` : `--${flag.name} ${flag.value}`;
}

function flagInUsage(flag: FlagSpec): string {
  if (flag.positional) return `[--${flag.name}] ${flag.value}`;
  return flag.required ? flagWithValue(flag) : `[${flagWithValue(flag)}]`;
}

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  serveCommand,
  doctorCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  ...orgCommands,
  ...keyCommands,
  ...memberCommands,
  ...creditsCommands,
  ...operatorCommands,
  ...ledgerCommands,
  ...clockCommands,
  modelsCommand,
  ...efficiencyCommands,
];

/** Runs one command. Returns the exit code: 0 done, 1 failed, 2 used wrongly or without a verdict. */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  const { terminal } = host;
  const wantsJson = argv.includes("--json");
  try {
    const output = await answer(argv, host);
    if (typeof output === "number") return output;
    terminal.write(`${wantsJson ? jsonOf(output.json) : visible(output.text, terminal)}\n`);
    return output.exitCode ?? 0;
  } catch (error) {
    const message = messageOf(error);
    const hint = isForeign(error)
      ? `\n${commandText("doctor")} looks for the cause and says what to fix.`
      : "";
    terminal.writeError(`${paintFor(terminal)("red", "bursar:")} ${visible(message, terminal)}${hint}\n`);
    if (wantsJson) terminal.write(`${jsonOf({ error: { message } })}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

function jsonOf(value: unknown): string {
  return visible(JSON.stringify(value), { colors: false });
}

/**
 * Errors of the system and of PostgreSQL have a code, and name none of our settings; about an unreachable server the
 * doctor can say more.
 */
function isForeign(error: unknown): boolean {
  if (error instanceof UnreachableDatabaseError) return true;
  if (error instanceof CliError) return isForeign(error.cause);
  return typeof (error as { code?: unknown } | null)?.code === "string";
}

async function answer(given: readonly string[], host: CliHost): Promise<CommandOutput | number> {
  const argv = given.length === 0 ? serveCommand.path : given;
  const paint = paintFor(host.terminal);
  const [first = ""] = given;
  if (first === "--version" || first === "version") {
    return { text: host.version, json: { version: host.version } };
  }
  const isHelp = first === "help" || first === "--help" || first === "-h";
  const asked = wordsBeforeFlags(isHelp ? argv.slice(1) : argv);
  // For these two the overview says everything.
  const words = isHelp && (asked[0] === "help" || asked[0] === "version") ? [] : asked;
  const command = findCommand(words);
  if (command) {
    const flags = parseFlags(command, isHelp ? ["--help"] : argv.slice(command.path.length));
    if (!flags.has("help")) return command.run({ flags, host, paint });
    const text = commandHelp(command, paint);
    return { text, json: { help: text } };
  }
  const group = COMMANDS.filter((known) => known.path[0] === words[0]);
  const text = overview(group.length > 0 ? group : COMMANDS, { paint, version: host.version });
  const wantsHelp = isHelp || argv.some((arg) => arg === "--help" || arg === "-h");
  const isAboutSome = words.length === 1 && group.length > 0;
  if (wantsHelp && (isAboutSome || (isHelp && words.length === 0))) {
    return { text, json: { help: text } };
  }
  throw misused(`${whatIsMissing(argv, words, group)}\n\n${text}`);
}

function wordsBeforeFlags(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((arg) => arg.startsWith("-"));
  return end === -1 ? argv : argv.slice(0, end);
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => command.path.every((word, index) => words[index] === word));
}

function whatIsMissing(argv: readonly string[], words: readonly string[], group: readonly Command[]): string {
  if (words.length === 0) return `Put the command first, then ${argv[0]}.`;
  if (group.length > 0 && words.length === 1) return `bursar ${words[0]} needs a subcommand.`;
  return `There is no command ${JSON.stringify(words.slice(0, 2).join(" "))}.`;
}
