import { SANDBOX_DIRECTIVES } from "./directive-list.ts";

/** The answer to a malformed directive: a test that misspells one must not pass silently. */
export function explainDirectives(written: string): string {
  return [
    `This is Bursar's sandbox. I cannot read ${JSON.stringify(written)}. Directives are written like this:`,
    "",
    ...SANDBOX_DIRECTIVES.map(({ directive, effect }) => `- ${directive}: ${effect}`),
    "",
    "At most 32 of them are read, from the last user message only.",
  ].join("\n");
}
