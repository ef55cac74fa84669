/** The response is not valid HTTP by our rules: none of it is trusted, and its connection cannot be reused. */
export class BadAnswer extends Error {
  readonly code = "ERR_BAD_ANSWER";
}
