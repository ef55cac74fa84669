import { messageOf } from "./error-message.ts";

const CODES: readonly unknown[] = ["ENOSPC", "EDQUOT"];
/** Messages of other programs, from which we have only their output. */
const WORDS = /no space left on device|disk quota exceeded/i;

/** Whether a disk is full, however the error says so: more permissions or another server would not help. */
export function isOutOfRoom(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (CODES.includes(code) || WORDS.test(messageOf(error))) return true;
  return cause !== undefined && cause !== error && isOutOfRoom(cause);
}
