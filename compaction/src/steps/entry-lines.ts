/** How entries of logs, builds and directory listings begin. Records of a data file have commas around these. */
const TIME = /(?<![\d,])\d\d?:\d\d:\d\d(?!\d|,(?!\d{3}(?!\d)))/;
const DATE =
  /(?<![\w,.-])\d{4}([-/.])\d\d\1\d\d(?![\d,])|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d/;
const ADDRESS = /(?<![\w,.])\d{1,3}(?:\.\d{1,3}){3}(?![\w,.])/;
const COUNT = /^(?:#\d|\[\s*\d)/;
/** Log levels. */
const LEVEL = /^\[(?:trace|debug|info|notice|warn(?:ing)?|error|fatal)\]\s/i;
const NAMED_LEVEL = /^(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL):/;
/** The file type and permissions of `ls -l`. */
const RIGHTS = /^[-bcdlps](?:[r-][w-][-sStTx]){3}/;

/** A line number, perhaps with a column, before code; not a date or time. */
const NUMBERED = /^\d+[:-](?!\d\d:\d\d(?!\d)|\d\d-\d\d(?!\d))/;

/** How statements and records end, whatever precedes it; and how others may end. */
const ENDS_CODE = [";", "{", ","];
const MAY_END_CODE = [...ENDS_CODE, "}", ")"];
/** Before a value that is assigned, or passed to a function. */
const TAKES = /[=(]$/;

/** Whether a line starts with file permissions. */
export function hasRights(line: string): boolean {
  return RIGHTS.test(line);
}

/** Whether a line starts with a log level. */
export function hasLevel(line: string): boolean {
  return LEVEL.test(line) || NAMED_LEVEL.test(line);
}

/** Whether a line starts with a line number, as in search results. */
export function isNumbered(line: string): boolean {
  return NUMBERED.test(line);
}

type Entries = {
  /** The first line up to the end of its first differing word. */
  readonly opening: string;
  /** What the lines share: before each differing word, and after the last. */
  readonly parts: readonly string[];
  /** The last character of each line. */
  readonly endings: readonly string[];
};

/**
 * Whether lines of one form are entries of a log or listing, not statements or records, which an agent may edit by
 * exact match: those do not start with a time, a level, an address or a count.
 */
export function areEntries({ opening, parts, endings }: Entries): boolean {
  if (hasRights(opening)) return true;
  if (TIME.test(opening) || hasLevel(opening)) return !endings.some((sign) => ENDS_CODE.includes(sign));
  if (!DATE.test(opening) && !ADDRESS.test(opening) && !COUNT.test(opening)) return false;
  const isGiven = parts.slice(0, -1).some((part) => TAKES.test(part));
  return !isGiven && !endings.some((sign) => MAY_END_CODE.includes(sign));
}
