import { isLogName } from "./names-file.ts";

/** Most arguments have neither. */
const MAY_REDIRECT = /tr\s|\$\(</;
const SIGN = String.raw`(?:["'\`;&({\n]|\\[nt])[^\S\n]{0,9}`;
const START = String.raw`(?:^\s{0,9}|${SIGN})`;
/** Up to where it is said what to read, or another one begins; a break of the line, written as an escape, ends it. */
const GIVEN = String.raw`(?:(?!\\?${SIGN}(?:tr|echo|printf)\s)(?:\\[^n]|[^\\|;&<>\n])){1,100}`;
const FILE = String.raw`<(?![<(])[^\S\n]{0,9}\\{0,3}["']?([^\s"'\\()|;&<>]{1,200})`;
/** Where the output goes. */
const BEHIND = String.raw`(?:\\{0,3}["'])?[^\S\n]{0,9}([|>]{0,2}\s{0,9}\w{0,9})`;
/** Letters of a file, but for some; and a file that the shell itself reads. */
const REDIRECTS = [
  new RegExp(String.raw`${START}tr\s${GIVEN}${FILE}${BEHIND}`, "g"),
  new RegExp(String.raw`${START}(?:echo|printf)\s${GIVEN}\$\(${FILE}\s{0,9}\)${BEHIND}`, "g"),
];
const ELSEWHERE = /^(?:>|\|(?!\||\s*(?:cat|head|tail|sed|less|more|nl)$))/;

/** Whether a command shows a file that a shell gives it. Bound: of each, a few hundred signs are read. */
export function redirectsFile(input: string): boolean {
  if (!MAY_REDIRECT.test(input)) return false;
  return REDIRECTS.some((redirects) =>
    input
      .matchAll(redirects)
      .some(([, file = "", behind = ""]) => !isLogName(file) && !ELSEWHERE.test(behind)),
  );
}
