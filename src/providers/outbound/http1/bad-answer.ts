/** What came is not HTTP as we take it: nothing of it is believed, and its connection is of no more use. */
export class BadAnswer extends Error {
  readonly code = "ERR_BAD_ANSWER";
}
