import { messageOf } from "./error-message.ts";

const CODES: readonly unknown[] = ["ENOSPC", "EDQUOT"];
/** As programs say it that we only read. */
const WORDS = /no space left on device|disk quota exceeded/i;

/** Whether a disk was full, in whichever words: more rights or another server would not help. */
export function isOutOfRoom(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (CODES.includes(code) || WORDS.test(messageOf(error))) return true;
  return cause !== undefined && cause !== error && isOutOfRoom(cause);
}
