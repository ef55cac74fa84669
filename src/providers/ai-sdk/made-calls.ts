import { sha256Hex } from "../../kit/index.ts";
import type { ToolCall } from "../contract.ts";

/** What every provider takes; some refuse more characters, others longer ids. */
const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** A call as it is told to a provider. */
type MadeCall = { readonly id: string; readonly name: string };

/** Those of one turn that came under one id, mostly one, and how many of them are answered. */
type SameIdCalls = { readonly turn: object; readonly calls: MadeCall[]; answered: number };

/**
 * The calls of a conversation, from its beginning on. It may have begun with another provider: ids get a name that this
 * one takes, always the same. There are providers that begin their ids anew with every turn, and others that refuse a
 * conversation for it: from its second use on an id gets another name, which depends on nothing that comes after.
 */
export class MadeCalls {
  readonly #uses = new Map<string, number>();
  readonly #latest = new Map<string, SameIdCalls>();

  /** The id that the call is told under. */
  add({ id: given, name }: ToolCall, turn: object): string {
    const use = (this.#uses.get(given) ?? 0) + 1;
    this.#uses.set(given, use);
    const id = use === 1 ? takenId(given) : digestId(`${given} ${use}`);
    const same = this.#latest.get(given);
    if (same?.turn === turn) same.calls.push({ id, name });
    else this.#latest.set(given, { turn, calls: [{ id, name }], answered: 0 });
    return id;
  }

  /** Which call a result of this id answers: one of the last turn that has it, in turn, and the last of them all that is left. */
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
