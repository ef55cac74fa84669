import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf } from "../gateway/src/kit/index.ts";

type WholeRange = { readonly least?: number; readonly most?: number };

/** A number that a user typed. NaN would run zero cases, and a proof of nothing always holds. */
export function wholeNumber(name: string, text: string, { least = 1, most }: WholeRange = {}): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= (most ?? number)) return number;
  const end = most === undefined ? "on" : `to ${most}`;
  throw new Error(`${name} takes a whole number from ${least} ${end}, not "${text}"`);
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Parses a command's options; prints its usage on `--help` or an unknown option. */
export function commandOptions<const Given extends Options>(
  usage: string,
  options: Given,
  args: readonly string[] = process.argv.slice(2),
) {
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: "boolean" } } });
    if ((values as { readonly help?: boolean }).help !== true)
      return values as ReturnType<typeof parseArgs<{ options: Given }>>["values"];
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    return refuse(`${messageOf(error)}\n\n${usage}`);
  }
}

/** An option as a number; for anything else the command ends before it has begun. */
export function numberOption(name: string, text: string, range?: WholeRange): number {
  try {
    return wholeNumber(name, text, range);
  } catch (error) {
    return refuse(messageOf(error));
  }
}

/** One of the known values: any other would select nothing, and nothing would look like success. */
export function choiceOption<const Known extends string>(
  name: string,
  text: string,
  known: readonly Known[],
): Known {
  const found = known.find((each) => each === text);
  return found ?? refuse(`${name} takes one of ${known.join(", ")}, not "${text}"`);
}

/** A part and the number of parts, as in 1/4. */
export function partOption(name: string, text: string): { readonly which: number; readonly of: number } {
  const [which = 0, of = 0] = /^\d+\/\d+$/.test(text) ? text.split("/").map(Number) : [];
  if (which >= 1 && which <= of) return { which, of };
  return refuse(`${name} takes one of several, such as 1/4, not "${text}"`);
}

/** Ends the command before it has begun. */
export function refuse(message: string): never {
  console.error(message);
  return process.exit(2);
}
