import { alignColumns, alignFields } from "./columns.ts";
import { type Command, nameOf } from "./command.ts";
import type { FlagSpec } from "./flag.ts";
import { flagsOf } from "./parse-arguments.ts";
import type { Paint } from "./terminal.ts";

export function commandHelp(command: Command, paint: Paint): string {
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

export function overview(commands: readonly Command[], input: { paint: Paint; version: string }): string {
  const rows = commands.map((command) => [`  ${command.path.join(" ")}`, command.about]);
  return [
    `${input.paint("bold", `Bursar ${input.version}`)}: an AI gateway for organizations.`,
    `${input.paint("bold", "Usage:")} bursar COMMAND [--flags]`,
    alignColumns(rows),
    "Every command takes --help, and --json for programs. --org takes an id or a slug.",
  ].join("\n\n");
}

function flagWithValue(flag: FlagSpec): string {
  return flag.value === null ? `--${flag.name}` : `--${flag.name} ${flag.value}`;
}

function flagInUsage(flag: FlagSpec): string {
  if (flag.positional) return `[--${flag.name}] ${flag.value}`;
  return flag.required ? flagWithValue(flag) : `[${flagWithValue(flag)}]`;
}
