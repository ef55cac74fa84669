/**
 * Our own process has closed the resource. Unlike a resource that is merely unreachable it never comes back, so callers
 * need not retry.
 */
export class ClosedForGood extends Error {
  override name = "ClosedForGood";
}
