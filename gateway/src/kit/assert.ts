/** A bug in our own code, never a client's mistake, so it never carries a public message. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

/** The message is built even if the condition holds, so on the path of a call it must be a constant. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** For the end of an exhaustive switch: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`);
}

/** Returns a value that our own code guarantees to be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new AssertionError(`${what} is missing`);
  return value;
}
