/**
 * Named points at which a test can kill, throw, hang, delay or cut the database. Nothing is armed unless a test, or
 * BURSAR_FAILPOINTS outside production, asks for it; an unarmed point costs one check of an empty map.
 */
export const FAIL_POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_upstream_send",
  "after_upstream_headers",
  "after_first_byte",
  "mid_stream",
  "before_usage",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
  "after_settle_commit",
  "after_reply",
  "sweeper_mid_batch",
  "poll_after_fetch",
  "asset_after_write",
  "asset_after_row",
  "webhook_after_verify",
  "grant_after_commit",
  "after_change_before_audit",
  "after_audit_before_commit",
] as const;

export type FailPoint = (typeof FAIL_POINTS)[number];
type FailAction = () => void | Promise<void>;

const armed = new Map<FailPoint, FailAction>();

/** Runs the action armed for this point, if any. */
export function failpoint(name: FailPoint): void | Promise<void> {
  if (armed.size === 0) return;
  return armed.get(name)?.();
}

/** Returns a function that disarms the point. */
export function armFailpoint(name: FailPoint, action: FailAction): () => void {
  armed.set(name, action);
  return () => {
    if (armed.get(name) === action) armed.delete(name);
  };
}

export class FailpointError extends Error {
  override name = "FailpointError";
}

const HANG_MS = 2 ** 31 - 1;

/** Format for other processes: `after_hold_commit=kill,mid_stream=delay:50`. */
export function armFailpointsFromText(text: string): void {
  for (const [point, action] of failpointsFromText(text)) armed.set(point, action);
}

/** What is wrong with such a text; null if nothing. */
export function faultOfFailpoints(text: string): string | null {
  try {
    failpointsFromText(text);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function failpointsFromText(text: string): readonly [FailPoint, FailAction][] {
  const parts = text.split(",").filter((entry) => entry.trim() !== "");
  return parts.map((part) => {
    const [name, action = ""] = part.trim().split("=");
    const point = FAIL_POINTS.find((known) => known === name);
    if (!point) throw new Error(`unknown point ${name}; known: ${FAIL_POINTS.join(", ")}`);
    return [point, actionFromText(point, action)];
  });
}

function actionFromText(point: FailPoint, text: string): FailAction {
  const delayMs = /^delay:(\d{1,9})$/.exec(text)?.[1];
  if (delayMs !== undefined) return () => Bun.sleep(Number(delayMs));
  switch (text) {
    case "kill":
      return () => {
        process.kill(process.pid, "SIGKILL");
      };
    case "throw":
      return () => {
        throw new FailpointError(`failpoint ${point}`);
      };
    case "hang":
      return () => Bun.sleep(HANG_MS);
    default:
      throw new Error(`${point} takes kill, throw, hang or delay:MS, not ${text}`);
  }
}
