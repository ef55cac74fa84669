/** Our own process closed the resource. Unlike one that is unreachable it never comes back, so do not retry. */
export class ClosedForGood extends Error {
  override name = "ClosedForGood";
}
