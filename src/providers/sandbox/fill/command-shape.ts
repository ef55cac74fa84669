/** What is to be run, in the midst of a prompt: what stands behind the verb, up to where the sentence goes on. */
export const COMMAND =
  /\b(?:run|execute)\b\s{1,3}["'`]?(?!(?:the|my|an?|all|this|that|these|your|it|them)(?:\s|[.?!]?$))([^"'`\n]{1,300}?)["'`]?(?=,?\s{1,3}(?:and|then|to|in order)\b|[.?!]?\s{0,3}["']?$|[\n"'`])/im;
