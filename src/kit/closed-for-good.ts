/** Our own process has closed what was asked. Unlike one that is away it never comes back: nobody need try again. */
export class ClosedForGood extends Error {
  override name = "ClosedForGood";
}
