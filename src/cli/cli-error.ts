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

/** What went wrong, in words. A connection that fails on several addresses keeps them inside. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
