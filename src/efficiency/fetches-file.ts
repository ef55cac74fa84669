import { isFileAddress } from "./names-file.ts";

/** What gets something from an address, up to where its output goes. Quotes may stand around the address. */
const FETCHES = /\b(curl|wget)\s([^\n|;>]{1,600})([|>]*\s*[\w./-]{0,40})/g;
const ADDRESS = /https?:\/\/[^\s"'`\\]{1,400}/g;
/** Where it is put aside, nothing of it is shown. */
const SAVES = /(?:^|\s)(?:-[a-zA-Z]*[oO]|--output|--remote-name)(?:\s|=|$)/;
const TO_SCREEN = /(?:^|\s)(?:-[a-zA-Z]*O ?-|--output-document=-)(?:\s|$)/;
const DROPS_ERRORS = /\s2$/;
/** These show what they get, or some lines of it. */
const SHOWN = /^\|\s*(?:cat|head|tail|sed|awk|less|more|nl|grep)$/;

/** Whether a command in a shell's arguments shows a file that it gets from an address. Bound: each is read a few times. */
export function fetchesFile(input: string): boolean {
  for (const [, name = "", given = "", behind = ""] of input.matchAll(FETCHES)) {
    const isShown = name === "wget" ? TO_SCREEN.test(given) : !SAVES.test(given);
    const goesOn = behind.startsWith(">") ? DROPS_ERRORS.test(given) : SHOWN.test(behind.trim());
    const isFile = (given.match(ADDRESS) ?? []).some((address) => isFileAddress(address));
    if (isShown && isFile && (goesOn || !/^[|>]/.test(behind))) return true;
  }
  return false;
}
