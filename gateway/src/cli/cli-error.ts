import { messageOf } from "../kit/index.ts";

/**
 * Ends a command with a message for the operator. Exit code 1: it failed. 2: it was used wrongly, or has no verdict.
 */
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

/** For a command that looks for faults and failed before it could: exit code 1 would mean that it found some. */
export function withoutVerdict(error: unknown): CliError {
  return new CliError(messageOf(error), 2, { cause: error });
}

export function misused(message: string): CliError {
  return new CliError(message, 2);
}
