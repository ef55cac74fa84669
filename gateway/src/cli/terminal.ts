/** Where a command writes. Colours only if a person reads it. */
export type Terminal = {
  write(text: string): void;
  writeError(text: string): void;
  readonly colors: boolean;
};

export type Style = "bold" | "dim" | "green" | "yellow" | "red";

const CODES: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

export type Paint = (style: Style, text: string) => string;

export function paintFor(terminal: Pick<Terminal, "colors">): Paint {
  return terminal.colors ? (style, text) => `\x1b[${CODES[style]}m${text}\x1b[0m` : (_, text) => text;
}
