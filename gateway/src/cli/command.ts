import type { CliHost } from "./cli-host.ts";
import type { FlagSpec, ParsedFlags } from "./flag.ts";
import type { Paint } from "./terminal.ts";

export type CommandInput = {
  readonly flags: ParsedFlags;
  readonly host: CliHost;
  readonly paint: Paint;
};

/** Both forms of an answer; the command does not decide which one is written. */
export type CommandOutput = {
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly exitCode?: 0 | 1;
};

export type Command = {
  readonly path: readonly string[];
  readonly about: string;
  /** More text for `--help`, if one line is not enough. */
  readonly notes?: string;
  readonly flags: readonly FlagSpec[];
  /** Settings that people look for among its flags, by the name of the flag. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A number is the exit code of a command that wrote its own output. */
  run(input: CommandInput): Promise<CommandOutput | number>;
};

export function nameOf(command: Command): string {
  return `bursar ${command.path.join(" ")}`;
}
