/** Ends a command with a sentence for the operator. Exit 1: it failed. Exit 2: it was asked wrongly. */
export class CliError extends Error {
  override name = "CliError";
  constructor(
    message: string,
    readonly exitCode: 1 | 2,
  ) {
    super(message);
  }
}

export function failed(message: string): CliError {
  return new CliError(message, 1);
}

export function misused(message: string): CliError {
  return new CliError(message, 2);
}

/** A value that a service refused: its field, in the spelling of the command line. */
export function refusedValue(invalid: { field: string; accepts: string }): CliError {
  return misused(`--${invalid.field.replaceAll("_", "-")} takes ${invalid.accepts}.`);
}
