import { type Block, readBlocks, writeBlocks } from "../block-order.ts";

/**
 * A provider signs its reasoning and accepts it only unchanged. The signed data travels as one opaque text that names
 * its provider; other providers leave it out, because they would refuse it.
 */
export type Seal = {
  readonly kind: SealKind;
  readonly data: string;
  /** The blocks between this and the previous reasoning, if any. */
  readonly after?: readonly Block[];
};

/**
 * What was signed: reasoning, reasoning that the provider keeps secret (in one of two forms), the answer's text, or a
 * tool call.
 */
export type SealKind = "reasoning" | "redacted" | "redacted-content" | "answer" | "call";

const KINDS: ReadonlySet<string> = new Set<SealKind>([
  "reasoning",
  "redacted",
  "redacted-content",
  "answer",
  "call",
]);

/** Separates the kind from the blocks before it; the first version of seals had no blocks. */
const PLACE_MARK = "@";

export function encodeSeal(namespace: string, { kind, data, after = [] }: Seal): string {
  const blocks = writeBlocks(after);
  return `${namespace}/${kind}${blocks === "" ? "" : PLACE_MARK + blocks}:${data}`;
}

/** Null if the text is not a seal of this namespace. */
export function decodeSeal(namespace: string, text: string | undefined): Seal | null {
  if (text === undefined || !text.startsWith(`${namespace}/`)) return null;
  const end = text.indexOf(":");
  const data = text.slice(end + 1);
  if (end <= 0 || data === "") return null;
  const [kind = "", place] = text.slice(namespace.length + 1, end).split(PLACE_MARK, 2);
  if (!isKind(kind)) return null;
  if (place === undefined) return { kind, data };
  const after = readBlocks(place);
  return after === null ? null : { kind, data, after };
}

function isKind(text: string): text is SealKind {
  return KINDS.has(text);
}
