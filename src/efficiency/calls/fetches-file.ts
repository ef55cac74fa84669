import { isFileAddress } from "./names-file.ts";

/** Most arguments have neither. */
const MAY_FETCH = /curl|wget/;
/** A command begins behind these, in arguments as a model writes them, but not one whose output another command is given. */
const SIGN = String.raw`(?:["';&{\n]|(?<![$<])\(|\|\||\\[nt])`;
/** A break of the line is such a sign itself: blanks that went over breaks would be read again from each. */
const START = String.raw`(?:^|${SIGN})[^\S\n]{0,40}`;
/** Where one of these is among what a variable is set to, the command may as well begin there. */
const VARIABLE = String.raw`\w{1,64}=(?:(?!${SIGN}(?:\s|\w{1,64}=))\S){0,200}`;
/** What may stand before it, a few times. */
const BEFORE = String.raw`(?:(?:do|then|else|if|while|until|!|sudo|doas|time|nice|env|command|exec|timeout\s\S{1,20}|${VARIABLE})\s{1,40}){0,8}`;
/** Up to the next command, over the breaks of its lines. */
const GIVEN = String.raw`(?:\\\\\\n|\\\\|(?!&&|\\n)[^\n|;>]){1,600}`;
/** What gets something from an address, up to where its output goes. Quotes may stand around the address. */
const FETCHES = new RegExp(String.raw`${START}${BEFORE}(curl|wget)\s(${GIVEN})([|>]*\s*[\w./-]{0,40})`, "g");
const ADDRESS = /https?:\/\/[^\s"'`\\)]{1,400}/g;
/** Where it is put aside, nothing of it is shown; nor where only its head is asked for, or something is sent. */
const SHOWS_NOTHING =
  /(?:^|\s)(?:-[#046fgijkLnNqRsSv]*[oOIdFT]|-X(?! ?GET)|--(?:output|remote-name|head(?!er)|data|form|json|request|upload-file))/;
const TO_SCREEN = /(?:^|\s)(?:-[a-zA-Z]*O ?-|--output-document=-)(?:\s|["\\)]|$)/;
/** What it says beside the file goes somewhere else, or nowhere. */
const ERRORS = /\s2>{1,2}\s?(?:&1|[\w./-]{1,100})/g;
/** These show what they get, or some lines of it; or another command follows if it fails. */
const SHOWN = /^(?:\|\s*(?:cat|head|tail|sed|awk|less|more|nl|grep)$|\|\|)/;

/** Whether a command in a shell's arguments shows a file that it gets from an address. Bound: each is read a few times. */
export function fetchesFile(input: string): boolean {
  if (!MAY_FETCH.test(input)) return false;
  for (const [, name = "", given = "", behind = ""] of input.replaceAll(ERRORS, " ").matchAll(FETCHES)) {
    const isShown = name === "wget" ? TO_SCREEN.test(given) : !SHOWS_NOTHING.test(given);
    const isFile = (given.match(ADDRESS) ?? []).some((address) => isFileAddress(address));
    if (isShown && isFile && (SHOWN.test(behind.trim()) || !/^[|>]/.test(behind))) return true;
  }
  return false;
}
