import type { ToolCall } from "../../../contract/index.ts";
import { sha256Hex } from "../../../kit/index.ts";

/** Accepted by every provider; some refuse other characters, some longer ids. */
const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** A call as it is sent. */
type MadeCall = { readonly id: string; readonly name: string };

/** Calls of one turn that share an id (usually one), and how many of them have a result. */
type SameIdCalls = { readonly turn: object; readonly calls: MadeCall[]; answered: number };

/**
 * The tool calls of a conversation, which may have begun with another provider: ids that this one would refuse are
 * replaced, always by the same ones. Some providers reuse ids in every turn and others refuse that, so from its second
 * use on, an id is replaced by one that does not depend on later messages.
 */
export class MadeCalls {
  readonly #uses = new Map<string, number>();
  readonly #latest = new Map<string, SameIdCalls>();

  /** Returns the id to send. */
  add({ id: given, name }: ToolCall, turn: object): string {
    const use = (this.#uses.get(given) ?? 0) + 1;
    this.#uses.set(given, use);
    const id = use === 1 ? takenId(given) : digestId(`${given} ${use}`);
    const same = this.#latest.get(given);
    if (same?.turn === turn) same.calls.push({ id, name });
    else this.#latest.set(given, { turn, calls: [{ id, name }], answered: 0 });
    return id;
  }

  /**
   * The call that a result with this id answers: the next one of the last turn that has the id, or its last call if all
   * have a result.
   */
  answer(given: string): MadeCall | undefined {
    const same = this.#latest.get(given);
    return same?.calls[same.answered++] ?? same?.calls.at(-1);
  }
}

function takenId(id: string): string {
  return TAKEN.test(id) ? id : digestId(id);
}

function digestId(text: string): string {
  return `call_${sha256Hex(text).slice(0, 32)}`;
}
