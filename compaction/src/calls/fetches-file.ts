import { isFileAddress } from "./names-file.ts";

/** Quick check: most arguments have neither. */
const MAY_FETCH = /curl|wget/;
/** A command may start after these in JSON arguments, but not one whose output goes to another command. */
const SIGN = String.raw`(?:["';&{\n]|(?<![$<])\(|\|\||\\[nt])`;
/**
 * Blanks but no line breaks, which are such a sign themselves: otherwise they would be scanned again from each one.
 */
const START = String.raw`(?:^|${SIGN})[^\S\n]{0,40}`;
/** A variable assignment. If its value contains such a sign, the command may as well start there. */
const VARIABLE = String.raw`\w{1,64}=(?:(?!${SIGN}(?:\s|\w{1,64}=))\S){0,200}`;
/** Shell keywords, wrappers and variables that may precede it. */
const BEFORE = String.raw`(?:(?:do|then|else|if|while|until|!|sudo|doas|time|nice|env|command|exec|timeout\s\S{1,20}|${VARIABLE})\s{1,40}){0,8}`;
/** Its arguments up to the next command, across continued lines. */
const GIVEN = String.raw`(?:\\\\\\n|\\\\|(?!&&|\\n)[^\n|;>]){1,600}`;
/** A download command and the first word of where its output goes. The URL may be quoted. */
const FETCHES = new RegExp(String.raw`${START}${BEFORE}(curl|wget)\s(${GIVEN})([|>]*\s*[\w./-]{0,40})`, "g");
const ADDRESS = /https?:\/\/[^\s"'`\\)]{1,400}/g;
/**
 * With these options the content is not shown: it is saved to a file, only headers are requested, or data is sent.
 */
const SHOWS_NOTHING =
  /(?:^|\s)(?:-[#046fgijkLnNqRsSv]*[oOIdFT]|-X(?! ?GET)|--(?:output|remote-name|head(?!er)|data|form|json|request|upload-file))/;
const TO_SCREEN = /(?:^|\s)(?:-[a-zA-Z]*O ?-|--output-document=-)(?:\s|["\\)]|$)/;
/** Redirected error output. */
const ERRORS = /\s2>{1,2}\s?(?:&1|[\w./-]{1,100})/g;
/** Pipes that show all or some of the lines; or a command that runs only on failure. */
const SHOWN = /^(?:\|\s*(?:cat|head|tail|sed|awk|less|more|nl|grep)$|\|\|)/;

/** Whether a command in a shell's arguments prints a file that it downloads. Bound: each is read a few times. */
export function fetchesFile(input: string): boolean {
  if (!MAY_FETCH.test(input)) return false;
  for (const [, name = "", given = "", behind = ""] of input.replaceAll(ERRORS, " ").matchAll(FETCHES)) {
    const isShown = name === "wget" ? TO_SCREEN.test(given) : !SHOWS_NOTHING.test(given);
    const isFile = (given.match(ADDRESS) ?? []).some((address) => isFileAddress(address));
    if (isShown && isFile && (SHOWN.test(behind.trim()) || !/^[|>]/.test(behind))) return true;
  }
  return false;
}
