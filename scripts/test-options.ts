/** Of the runner's own options, those that mean something here; the first two are followed by a word of theirs. */
const PATTERN_OPTIONS = ["-t", "--test-name-pattern"];
const RUNNER_OPTIONS = [
  ...PATTERN_OPTIONS,
  "--bail",
  "--rerun-each",
  "--only",
  "--seed",
  "--randomize",
  "--timeout",
  "--reporter",
  "--reporter-outfile",
];
const OPTIONS: ReadonlySet<string> = new Set(["--help", "--long", "--update-timings", ...RUNNER_OPTIONS]);

export const TEST_USAGE = `npm test [-- PATH …] [--long] [--update-timings] [OPTION …]

Without a PATH it checks types, format and lint, and runs every test. --long runs what takes longer than CI has, and
--update-timings writes down how long each file took. Options of \`bun test\` that it hands on:
${RUNNER_OPTIONS.join(", ")}.`;

/** The first that there is not: the runner would run everything without a word about it. */
export function unknownTestOption(args: readonly string[]): string | undefined {
  return args.find((arg, at) => {
    if (PATTERN_OPTIONS.includes(args[at - 1] ?? "")) return false;
    return arg.startsWith("-") && !OPTIONS.has(arg.split("=", 1)[0] ?? "");
  });
}
