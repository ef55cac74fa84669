/** Of a longer program, most is text that it writes. */
const MOST_READ = 20_000;
/** As a model writes breaks of lines in arguments. */
const BREAKS = /\\[nrt]/g;
/** A file that is open under a name. */
const OPENED = /\bopen\([^\n]{0,200}?\)\s{1,9}as\s{1,9}(\w{1,32})|\b(\w{1,32}) ?= ?(?:io\.|codecs\.)?open\(/g;
/** A name for what is read, or for each of its lines. */
const NAMED =
  /(?:^|[\n;:])[^\S\n]{0,40}(?:(\w{1,32}) ?= ?|for\s+(?:\w{1,32}, ?)?(\w{1,32})\s+in\s+)([^\n]{1,200})/g;
const PRINTED = /\bprint\(([^\n]{1,200})/g;
/** What may stand around it, and leaves it what it is. */
const AROUND = String.raw`(?:enumerate\(|list\(|reversed\(|\\?(["'])(?:\\n|\n)?\\?\1\.join\()?`;
/** What is said about it, and not it itself. */
const SAID_OF = /\b(?:len|json\.loads?|bool|type|set|sum)\([^()\n]{0,80}\)|\b(?:not )?in \w{1,32}/g;
/** Of what a text can do, what leaves most of it. */
const KEEPS = String.raw`(?!\w|\.(?!(?:r?strip|lstrip|splitlines|split|decode|expandtabs|replace)\())`;
const MOST_NAMES = 16;

/**
 * Whether a program prints what it reads of a file that it opens under a name: all of it, a part or its lines, by other
 * names that they have in between. What it says of them is its own. Bound: so much of a program, and so many names.
 */
export function printsFile(input: string): boolean {
  if (input.length > MOST_READ || !input.includes("open(") || !input.includes("print(")) return false;
  const program = input.replaceAll(BREAKS, "\n");
  const files = new Set([...program.matchAll(OPENED)].map(([, as, name]) => as ?? name ?? ""));
  if (files.size === 0 || files.size > MOST_NAMES) return false;
  const ofFile = `(?:${[...files].join("|")})`;
  const reads = String.raw`\b${ofFile}\.read(?:lines?)?\(`;
  const isRead = new RegExp(`^${AROUND}${reads}`);
  const isLines = new RegExp(String.raw`^${AROUND}${ofFile}\b(?!\.)`);
  const names = new Set<string>();
  for (const [, name, each, from = ""] of program.matchAll(NAMED)) {
    const isNamed =
      isRead.test(from) || (each !== undefined && isLines.test(from)) || isOf(names, from, `^${AROUND}`);
    if (isNamed && names.size < MOST_NAMES) names.add(name ?? each ?? "");
  }
  const printsRead = new RegExp(reads);
  return [...program.matchAll(PRINTED)].some(([, said = ""]) => {
    const own = said.replaceAll(SAID_OF, "");
    return printsRead.test(own) || isOf(names, own, String.raw`(?:^|[^\w.])`);
  });
}

function isOf(names: ReadonlySet<string>, text: string, before: string): boolean {
  return names.size > 0 && new RegExp(`${before}(?:${[...names].join("|")})${KEEPS}`).test(text);
}
