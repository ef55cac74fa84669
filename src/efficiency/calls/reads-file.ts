/** What `open` is given, up to the next one; not to write, and no log. */
const GIVEN = String.raw`(?:(?!\bopen\(|["'][wax][bt+]{0,2}\\?["']|\.log\b)[^)]){0,400}`;
/** Up to where another file is opened. */
const SOON = String.raw`(?:(?!\bopen\()[\s\S]){0,400}?`;
/** A file that has a name in the program, and is read or gone through by it. What parses it shows something else. */
const NAMED = new RegExp(
  String.raw`\bopen\(${GIVEN}\)\s+as\s+(\w{1,32})\b${SOON}(?:\b\1\.read|\bin\s+(?:enumerate\()?\1\b)|\b(\w{1,32})\s*=\s*open\(${GIVEN}\)${SOON}\b\2\.read`,
);
const AT_ONCE =
  /\bopen\((?:(?!\bopen\()[^)]){0,400}\)\.read|(?:\bin|enumerate\()\s*open\(|\.read_(?:text|bytes)\(|\breadFile(?:Sync)?\(|\bBun\.file\(|\bFile\.read(?:lines)?[ (]|\]::ReadAll(?:Text|Lines)\(/;
/** What a service keeps as letters of another kind. */
const DECODED = /\bgh\s+api\s[^|\n]{0,400}\|\s*base64\s+(?:-d|-D|--decode)/;

/** Whether a program in a shell's arguments reads a file to show it. Bound: each of its files is looked at once. */
export function readsFile(input: string): boolean {
  return AT_ONCE.test(input) || (input.includes("open(") && NAMED.test(input)) || DECODED.test(input);
}
