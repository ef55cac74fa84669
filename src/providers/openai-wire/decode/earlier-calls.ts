import type { ChatMessage } from "../../contract.ts";
import { ownCallId } from "../../own-call-id.ts";

const NUMBERED = /^(.+:)\d+$/;

/**
 * The calls of earlier turns. Some servers number those of each answer anew, and clients take a second call of one id
 * for the first one. Most answers have no calls, so nothing is read before one comes.
 */
export class EarlierCalls {
  readonly #messages: readonly ChatMessage[];
  /** Theirs, and those that were given since. */
  #ids: Set<string> | null = null;
  #next = 0;

  constructor(messages: readonly ChatMessage[]) {
    this.#messages = messages;
  }

  /** The very id, unless a call has it already. */
  freeId(given: string): string {
    this.#ids ??= idsIn(this.#messages);
    const id = this.#ids.has(given) ? this.#another(given, this.#ids) : ownCallId(given, false);
    this.#ids.add(id);
    return id;
  }

  /** Numbered on where it is a number: models that count their calls lose their way among ids of another form. */
  #another(given: string, ids: ReadonlySet<string>): string {
    const [, name] = NUMBERED.exec(given) ?? [];
    if (name === undefined) return ownCallId(given, true);
    let number = Math.max(ids.size, this.#next);
    while (ids.has(`${name}${number}`)) number++;
    this.#next = number + 1;
    return `${name}${number}`;
  }
}

function idsIn(messages: readonly ChatMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls ?? []) ids.add(id);
  }
  return ids;
}
