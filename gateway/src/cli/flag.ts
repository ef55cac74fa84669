export type FlagSpec = {
  readonly name: string;
  /** Name of the value in help; null for a switch. */
  readonly value: string | null;
  readonly about: string;
  readonly required?: boolean;
  /** The value may also be given without the flag. */
  readonly positional?: boolean;
};

export type ParsedFlags = {
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** For flags that the command declares as required. */
  required(name: string): string;
};
