/**
 * The operator's command line: arguments in; text or one JSON object out, and an exit code.
 * Owns commands, their flags, their help and how answers are written.
 * Decides nothing about credits, keys or people: each command asks one service and translates its answer.
 *
 * Invariants:
 * - Arguments that are not understood are refused by name before anything is opened; what was opened is closed.
 * - With `--json`, stdout carries exactly one object.
 * - The exit code is 0 for success, 1 for failure and 2 for a wrong command line.
 */
export type { BodyPreview, PreviewOptions } from "./body-preview.ts";
export { CliError } from "./cli-error.ts";
export type { CatalogInspection, CliHost } from "./cli-host.ts";
export { runCli } from "./run-cli.ts";
export type { ServeOptions } from "./serve-options.ts";
export { createStandardOutput } from "./standard-output.ts";
export type { Terminal } from "./terminal.ts";
