import { programOf } from "./shell-commands.ts";
import { wordsOf } from "./words-of.ts";

const QUIET = wordsOf(
  "cd pushd popd pwd echo ls true false : test [ export set mkdir touch sleep wc exit fi find",
);
/** These hand on lines that they are given, or some of them, as they are. */
const FILTERS = wordsOf("cat head tail tac less more sort tee cut");
/** Asks for colours, or has letters that become others, such as codes of a terminal. */
const MAY_COLOUR = /^(?:--colou?r|-G$)|\\/;
/** `find` runs or writes something of its own with these. */
const ACTS = /^-(?:exec|ok|f?printf|f?ls)/;
/** Numbers before lines, for `cat` and `less`. */
const NUMBERS = /^-(?:\w*[bnN]|-(?:n|LINE|line))/;
/** Somebody else says what it is, maybe an option. */
const VARIABLE = /^\$\w+$/;
const NUMBERING = wordsOf("cat less more");

/** Whether a command says little, and certainly nothing in colours or with a number before each line. */
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
