/** Programs of one's own, which may write anything before a line, and one that numbers unasked. */
const MAY_NUMBER =
  /\b(?:awk|perl|python[\d.]*|node|ruby|bun|deno|bat|batcat)\b|\bopen\(|read_text|readFileSync/;
/** In a command, or in one that is given word by word; up to its end. */
const BY_OPTION = /\b(?:cat|pr|less)[\s"',]+(?:[^|;&>\\]{0,200}?[\s"',])?-(?:\w*[bnN]|-number)/;
const BY_ITSELF = /(?:^|[^\w./-]|\\n)nl(?=[\s"'|]|$)/;
/** As a command of `sed`. */
const BY_SIGN = /\bsed\s(?:[^|;&\\]{0,80}[\s"'{;])?=/;

/** What stands further behind is a text that a command is given. */
const MOST_READ = 20_000;

/** Whether one of the commands in a shell's arguments may write numbers before the lines that it shows. */
export function numbersLines(input: string): boolean {
  const commands = input.slice(0, MOST_READ);
  return [MAY_NUMBER, BY_OPTION, BY_ITSELF, BY_SIGN].some((numbers) => numbers.test(commands));
}
