import type { ReasoningPart } from "../../../contract/index.ts";
import { sha256Hex } from "../../../kit/index.ts";
import {
  createOpeningBudget,
  createSealedText,
  LEAST_SEALED_CHARACTERS,
  type OpeningBudget,
  type SealedText,
} from "./sealed-text.ts";

/**
 * Providers sign tool calls and reasoning, and want the signatures back with the next turn. But on chat completions,
 * clients return nothing but the ids of the calls. So an id carries the signatures: the provider's own id, a mark, and
 * the rest sealed (`toolu_01A--b1-9f...`). An id that was not sealed here, or was changed on its way, is read as the id
 * in front of the mark, with nothing to carry: the turn still works, and only the signatures are lost.
 *
 * Encoding, streams too: `seal(id, signature, reasoning)` for every call, where `reasoning` is what the model thought
 * since the previous call (`createCarriedReasoning`). Without a signature the id stays as it is, at no cost.
 *
 * Decoding, both on `forRequest()`:
 * - `open(id)` for the calls of an assistant's turn. The turn's reasoning is that of its calls, joined; it takes
 *   precedence over what the client returns in `reasoning_content`.
 * - `plainId(id)` for a tool message's `tool_call_id`, and for a body that goes to an upstream of the same wire, where
 *   long ids are refused.
 */
export type CallSeal = {
  /** Returns only letters, digits, `-` and `_` if anything is sealed. */
  seal(id: string, signature: string | undefined, reasoning?: readonly ReasoningPart[]): string;
  open(id: string): OpenedCall;
  /** The id alone, without opening the seal. */
  plainId(id: string): string;
  /** The same for the ids of one request, which may carry a limited amount in total: beyond it, ids are plain. */
  forRequest(): CallSeal;
};

type OpenedCall = {
  readonly id: string;
  readonly signature?: string;
  readonly reasoning?: readonly ReasoningPart[];
};

/** The most that one id carries, before compression: clients send ids twice in every later turn. */
const MAX_CARRIED_BYTES = 64 << 10;
/** Includes the version of what follows it. */
const MARK = "--b1-";
/**
 * The longest id that upstreams accept: a conversation may continue with another provider's model. For those that
 * accept less, `encodeCallId` shortens it.
 */
const MAX_PLAIN_ID_CHARACTERS = 64;
const PLAIN_ID = /^[A-Za-z0-9_-]+$/;

export function createCallSeal(secret: string): CallSeal {
  const sealed = createSealedText({ secret, purpose: "call id", maxBytes: MAX_CARRIED_BYTES });
  return new Seal(sealed, (...given) => sealId(sealed, ...given), null);
}

class Seal implements CallSeal {
  readonly #sealed: SealedText;
  readonly #budget: OpeningBudget | null;

  /** `seal` is one function shared by all instances, since encoders use it detached from its object. */
  constructor(
    sealed: SealedText,
    readonly seal: CallSeal["seal"],
    budget: OpeningBudget | null,
  ) {
    this.#sealed = sealed;
    this.#budget = budget;
  }

  open(id: string): OpenedCall {
    const at = markAt(id);
    if (at < 0) return { id };
    const visible = id.slice(0, at);
    const budget = this.#budget ?? createOpeningBudget();
    const carried = this.#sealed.open(id.slice(at + MARK.length), visible, budget);
    return carried === null ? { id: visible } : { id: visible, ...decodeCarried(carried) };
  }

  plainId(id: string): string {
    const at = markAt(id);
    return at < 0 ? id : id.slice(0, at);
  }

  forRequest(): CallSeal {
    return new Seal(this.#sealed, this.seal, createOpeningBudget());
  }
}

function sealId(sealed: SealedText, ...[id, signature, reasoning]: Parameters<CallSeal["seal"]>): string {
  const signed = reasoning?.some((part) => part.signature !== undefined) ? reasoning : undefined;
  if (signature === undefined && signed === undefined) return id;
  const visible = visibleId(id);
  const carried =
    (signed && sealed.seal(encodeCarried(signature, signed), visible)) ??
    (signature === undefined ? null : sealed.seal(encodeCarried(signature, []), visible));
  return carried === null ? id : `${visible}${MARK}${carried}`;
}

function markAt(id: string): number {
  const at = id.indexOf(MARK);
  return at > 0 && id.length - at - MARK.length >= LEAST_SEALED_CHARACTERS ? at : -1;
}

/** An id that is too long or has other characters is replaced by a hash, the same in the call and in its result. */
function visibleId(id: string): string {
  const isPlain = id.length <= MAX_PLAIN_ID_CHARACTERS && PLAIN_ID.test(id) && !id.includes(MARK);
  return isPlain ? id : `call_${sha256Hex(id).slice(0, 24)}`;
}

/** Sealed by us and unchanged: read without a schema. */
type Carried = readonly [signature: string | null, ...parts: (readonly [text: string, signature?: string])[]];

function encodeCarried(signature: string | undefined, reasoning: readonly ReasoningPart[]): string {
  const parts = reasoning.map((part) =>
    part.signature === undefined ? [part.text] : [part.text, part.signature],
  );
  return JSON.stringify([signature ?? null, ...parts]);
}

function decodeCarried(text: string): Omit<OpenedCall, "id"> {
  const [signature, ...parts] = JSON.parse(text) as Carried;
  const reasoning = parts.map(([words, seal]) =>
    seal === undefined ? { text: words } : { text: words, signature: seal },
  );
  return {
    ...(signature === null ? {} : { signature }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}
