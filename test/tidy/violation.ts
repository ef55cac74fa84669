export type Violation = { readonly path: string; readonly line?: number; readonly what: string };

/** Fails with one line per place that breaks a rule, and says what to do about it. */
export function expectNone(violations: readonly Violation[], whatToDo: string): void {
  if (violations.length === 0) return;
  const places = violations.map(({ path, line, what }) => `  ${path}${line ? `:${line}` : ""}  ${what}`);
  throw new Error(`${whatToDo}\n${places.join("\n")}`);
}
