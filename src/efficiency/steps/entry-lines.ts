/** What entries of logs, of builds and of lists of files begin with. Records of a file have commas around theirs. */
const TIME = /(?<![\d,])\d\d?:\d\d:\d\d(?!\d|,(?!\d{3}(?!\d)))/;
const DATE =
  /(?<![\w,.-])\d{4}([-/.])\d\d\1\d\d(?![\d,])|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d/;
const ADDRESS = /(?<![\w,.])\d{1,3}(?:\.\d{1,3}){3}(?![\w,.])/;
const COUNT = /^(?:#\d|\[\s*\d)/;
/** How much an entry matters. */
const LEVEL = /^\[(?:trace|debug|info|notice|warn(?:ing)?|error|fatal)\]\s/i;
const NAMED_LEVEL = /^(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL):/;
/** What `ls -l` says of a file, and what it is. */
const RIGHTS = /^[-bcdlps](?:[r-][w-][-sStTx]){3}/;

/** A number and perhaps a column before code, and no date or time. */
const NUMBERED = /^\d+[:-](?!\d\d:\d\d(?!\d)|\d\d-\d\d(?!\d))/;

/** How statements and records end, whatever stands before them; and how others may. */
const ENDS_CODE = [";", "{", ","];
const MAY_END_CODE = [...ENDS_CODE, "}", ")"];
/** What stands before something that was given a value, or to a function. */
const TAKES = /[=(]$/;

/** Whether a line begins with the rights of a file. */
export function hasRights(line: string): boolean {
  return RIGHTS.test(line);
}

/** Whether a line begins with how much it matters. */
export function hasLevel(line: string): boolean {
  return LEVEL.test(line) || NAMED_LEVEL.test(line);
}

/** Whether a line has a number before it, as one that was found in a file. */
export function isNumbered(line: string): boolean {
  return NUMBERED.test(line);
}

type Entries = {
  /** The first line up to behind the first word that is not shared. */
  readonly opening: string;
  /** What the lines share, before each of their own words and behind the last. */
  readonly parts: readonly string[];
  /** The last sign of each line. */
  readonly endings: readonly string[];
};

/**
 * Whether lines of one form are entries of something, and not statements or records, which an agent may edit by exact
 * match: those have no time before them, nor a level, an address or a count.
 */
export function areEntries({ opening, parts, endings }: Entries): boolean {
  if (hasRights(opening)) return true;
  if (TIME.test(opening) || hasLevel(opening)) return !endings.some((sign) => ENDS_CODE.includes(sign));
  if (!DATE.test(opening) && !ADDRESS.test(opening) && !COUNT.test(opening)) return false;
  const isGiven = parts.slice(0, -1).some((part) => TAKES.test(part));
  return !isGiven && !endings.some((sign) => MAY_END_CODE.includes(sign));
}
