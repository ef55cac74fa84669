import { programOf } from "./shell-commands.ts";
import { wordsOf } from "./words-of.ts";

const QUIET = wordsOf(
  "cd pushd popd pwd echo ls true false : test [ export set mkdir touch sleep wc exit fi find",
);
/** These pass on their input lines, or some of them, unchanged. */
const FILTERS = wordsOf("cat head tail tac less more sort tee cut");
/** Asks for colours, or contains escapes, which may become terminal codes. */
const MAY_COLOUR = /^(?:--colou?r|-G$)|\\/;
/** With these, `find` runs a command or writes its own format. */
const ACTS = /^-(?:exec|ok|f?printf|f?ls)/;
/** Line numbers, for `cat` and `less`. */
const NUMBERS = /^-(?:\w*[bnN]|-(?:n|LINE|line))/;
/** Its value is unknown, and may be an option. */
const VARIABLE = /^\$\w+$/;
const NUMBERING = wordsOf("cat less more");

/** Whether a command prints little, and certainly no colours or line numbers. */
export function isQuiet([first = "", ...given]: readonly string[]): boolean {
  const program = programOf(first);
  if (program === "find" && given.some((word) => ACTS.test(word))) return false;
  return (program === "" || QUIET.has(program)) && !given.some((word) => MAY_COLOUR.test(word));
}

/** Whether a command certainly writes lines as it reads them. */
export function handsOnLines([first = "", ...given]: readonly string[]): boolean {
  const program = programOf(first);
  if (!FILTERS.has(program)) return false;
  return !NUMBERING.has(program) || !given.some((word) => NUMBERS.test(word) || VARIABLE.test(word));
}
