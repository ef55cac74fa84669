import { messageOf } from "../kit/index.ts";

/** Ends a command with a sentence for the operator. Exit 1: it failed. Exit 2: it was asked wrongly, or has no verdict. */
export class CliError extends Error {
  override name = "CliError";
  constructor(
    message: string,
    readonly exitCode: 1 | 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function failed(message: string): CliError {
  return new CliError(message, 1);
}

/** Of a command that looks for faults, which failed before it could: 1 would say that it found some. */
export function withoutVerdict(error: unknown): CliError {
  return new CliError(messageOf(error), 2, { cause: error });
}

export function misused(message: string): CliError {
  return new CliError(message, 2);
}

/** A value that a service refused: its field, in the spelling of the command line. */
export function refusedValue(invalid: { field: string; accepts: string }): CliError {
  return misused(`--${invalid.field.replaceAll("_", "-")} takes ${invalid.accepts}.`);
}
