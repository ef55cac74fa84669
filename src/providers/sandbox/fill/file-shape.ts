/** A file as a prompt writes it: a path, or a name with an ending; no address, no lone slash and no shortening. */
export const FILE =
  /(?<![\w.@:/~\\-])(?!\/(?![\w.])|(?:e\.g|i\.e|a\.m|p\.m|u\.s)\b)(?:[a-z]:\\[\w.\\-]{1,200}|[\w.~-]{0,80}\/[\w./-]{0,200}|[\w-]{1,80}\.[a-z]{1,6}[a-z\d]{0,4}\b)/i;
