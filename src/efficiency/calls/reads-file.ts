/** What programs read a file with at once; what is looked for in files has nothing behind its bracket. */
const AT_ONCE =
  /\bopen\((?:(?!\bopen\()[^)]){0,400}\)\.read|(?:\bin|enumerate\()\s*open\(|\.read_text\(|\breadFileSync\(|(?:\breadFile|\binspect\.getsource(?:lines)?|\blinecache\.getlines?|\bFile\.read(?:lines)?!?|\bfile_get_contents)\(\s{0,9}(?:\\{0,3}["'`])?[\w.~/$@]/;

/** Breaks of lines are written as escapes, whose letter would belong to the next word. */
const BREAKS = /\\[nrt]/g;
const OPENS = /\bopen\(/;
/** Of a program that opens more, most is text that it is given. */
const MOST_OPENED = 100;
const STATEMENT = /^[^\n;]{0,300}/;
const WRITES = /,\s{0,9}(?:mode\s{0,9}=\s{0,9})?\\{0,3}["'](?=[rbtU]{0,2}[wax+])[rbtUwax+]{1,4}\\{0,3}["']/;
const LOG = /\.log(?:\.\d+)?\\{0,3}["']/;
/** The name that an open file is given, behind that or before it. */
const NAMED = /\)\s{1,9}as\s{1,9}(\w{1,32})\b/;
const ASSIGNED = /\b(\w{1,32})\s{0,9}=\s{0,9}(?:\w{1,9}\.)?$/;
const LONGEST_ASSIGNED = 64;
const PRINTS = /\bprint\b|\bstdout\b/;

/** Whether a program in a shell's arguments reads a file to show it. Bound: each part of it is read a few times. */
export function readsFile(input: string): boolean {
  return AT_ONCE.test(input) || (OPENS.test(input) && readsOpened(input.replaceAll(BREAKS, "\n")));
}

/** Under a name that it has given to the file. One that writes files, too, changes them, and tells how that went. */
function readsOpened(program: string): boolean {
  if (!PRINTS.test(program)) return false;
  const parts = program.split(OPENS, MOST_OPENED);
  const statements = parts.map((part) => STATEMENT.exec(part)?.[0] ?? "");
  if (statements.some((statement, at) => at > 0 && WRITES.test(statement))) return false;
  return parts.some((part, at) => {
    const statement = statements[at] ?? "";
    const before = (parts[at - 1] ?? "").slice(-LONGEST_ASSIGNED);
    const name = NAMED.exec(statement)?.[1] ?? ASSIGNED.exec(before)?.[1];
    return at > 0 && name !== undefined && !LOG.test(statement) && goesThrough(name, part);
  });
}

/** What parses a file shows something else. */
function goesThrough(name: string, program: string): boolean {
  const read = String.raw`\b${name}\.read`;
  const lines = String.raw`(?:\bin\s{1,9}|\b(?:enumerate|islice)\(\s{0,9})${name}\b(?!\\{0,3}["'])`;
  return new RegExp(`${read}|${lines}`).test(program);
}
