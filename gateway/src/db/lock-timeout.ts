const LOCK_NOT_AVAILABLE = "55P03";

/**
 * True if a statement failed because somebody else held a lock for too long. The two drivers put the SQLSTATE into
 * different fields.
 */
export function isLockTimeout(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return code === LOCK_NOT_AVAILABLE || errno === LOCK_NOT_AVAILABLE;
}
