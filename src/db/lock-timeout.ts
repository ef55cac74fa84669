const LOCK_NOT_AVAILABLE = "55P03";

/** Whether a statement failed because somebody else had a lock for too long. The two drivers say its state differently. */
export function isLockTimeout(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return code === LOCK_NOT_AVAILABLE || errno === LOCK_NOT_AVAILABLE;
}
