/**
 * A provider signs its reasoning and will take it back only as it was. What it signed travels as one opaque
 * text that says whose it is: handed to another provider it is left out, for it would be refused there.
 */
export type Seal = {
  readonly kind: SealKind;
  readonly data: string;
};

/**
 * What was signed: a stretch of reasoning, a stretch that the provider keeps secret (in one of two forms),
 * the answer's text, or a tool call.
 */
export type SealKind = "reasoning" | "redacted" | "redacted-content" | "answer" | "call";

const KINDS: ReadonlySet<string> = new Set<SealKind>([
  "reasoning",
  "redacted",
  "redacted-content",
  "answer",
  "call",
]);

export function encodeSeal(namespace: string, { kind, data }: Seal): string {
  return `${namespace}/${kind}:${data}`;
}

/** Null for a text that is not a seal of this namespace. */
export function decodeSeal(namespace: string, text: string | undefined): Seal | null {
  if (text === undefined || !text.startsWith(`${namespace}/`)) return null;
  const end = text.indexOf(":");
  const kind = text.slice(namespace.length + 1, end);
  const data = text.slice(end + 1);
  return end > 0 && isKind(kind) && data !== "" ? { kind, data } : null;
}

function isKind(text: string): text is SealKind {
  return KINDS.has(text);
}
