/** What things look like within a prompt. Every pattern is bounded, because it runs on untrusted text. */

export const URL_SHAPE = /\bhttps?:\/\/[^\s"'<>]{1,500}[^\s"'<>.,;:!?)]/g;
export const EMAIL_SHAPE = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g;
/** A path, or a name with an extension; not a web address, a lone slash or an abbreviation. */
export const FILE =
  /(?<![\w.@:/~\\-])(?!\/(?![\w.])|(?:e\.g|i\.e|a\.m|p\.m|u\.s)\b)(?:[a-z]:\\[\w.\\-]{1,200}|[\w.~-]{0,80}\/[\w./-]{0,200}|[\w-]{1,80}\.[a-z]{1,6}[a-z\d]{0,4}\b)/i;
/** A command within a prompt: what follows the verb, up to where the sentence continues. */
export const COMMAND =
  /\b(?:run|execute)\b\s{1,3}["'`]?(?!(?:the|my|an?|all|this|that|these|your|it|them)(?:\s|[.?!]?$))([^"'`\n]{1,300}?)["'`]?(?=,?\s{1,3}(?:and|then|to|in order)\b|[.?!]?\s{0,3}["']?$|[\n"'`])/im;
