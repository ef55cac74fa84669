/** A space or a tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
