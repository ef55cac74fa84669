const LOCK_NOT_AVAILABLE = "55P03";

/** True if a statement failed because somebody else held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
}
