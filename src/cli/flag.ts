export type FlagSpec = {
  readonly name: string;
  /** How the value is called in help; null for a switch. */
  readonly value: string | null;
  readonly about: string;
  readonly required?: boolean;
  /** The value may also stand alone, without the flag. */
  readonly positional?: boolean;
};

export type ParsedFlags = {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** A flag that the command declares as required. */
  required(name: string): string;
};
