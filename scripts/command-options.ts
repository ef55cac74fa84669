import { type ParseArgsConfig, parseArgs } from "node:util";
import { wholeNumber } from "./whole-number.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options of a command; `--help` says how it is called, and so does an option that it does not have. */
export function commandOptions<const Given extends Options>(usage: string, options: Given) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: "boolean" } } });
    if ((values as { readonly help?: boolean }).help !== true)
      return values as ReturnType<typeof parseArgs<{ options: Given }>>["values"];
    console.log(usage);
    return process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return process.exit(2);
  }
}

/** What an option says, as a number; a command that is given anything else ends before it has begun. */
export function numberOption(name: string, text: string, least?: number): number {
  try {
    return wholeNumber(name, text, least);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(2);
  }
}
