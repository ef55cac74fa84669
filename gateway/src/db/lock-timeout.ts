import { codeOf } from "../kit/index.ts";

const LOCK_NOT_AVAILABLE = "55P03";

/** True if a statement failed because somebody else held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}
