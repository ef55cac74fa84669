import { isFileAddress } from "./names-file.ts";

/** Where a command begins, in arguments as a model writes them, but not one whose output another command is given. */
const START = String.raw`(?:^|["';&{\n]|(?<![$<])\(|\|\||\\[nt])\s{0,40}`;
/** What may stand before it, a few times. */
const BEFORE = String.raw`(?:(?:do|then|else|if|while|until|!|sudo|doas|time|nice|env|command|exec|timeout\s\S{1,20}|\w{1,64}=\S{0,200})\s{1,40}){0,8}`;
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
  for (const [, name = "", given = "", behind = ""] of input.replaceAll(ERRORS, " ").matchAll(FETCHES)) {
    const isShown = name === "wget" ? TO_SCREEN.test(given) : !SHOWS_NOTHING.test(given);
    const isFile = (given.match(ADDRESS) ?? []).some((address) => isFileAddress(address));
    if (isShown && isFile && (SHOWN.test(behind.trim()) || !/^[|>]/.test(behind))) return true;
  }
  return false;
}
