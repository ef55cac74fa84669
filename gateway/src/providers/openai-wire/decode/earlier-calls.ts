import type { ChatMessage } from "../../../contract/index.ts";
import { ownCallId } from "../../own-call-id.ts";

const NUMBERED = /^(.+:)\d+$/;

/**
 * The calls of earlier turns. Some servers number the calls of each answer from the start again, and clients mistake a
 * second call with the same id for the first. Most answers have no calls, so nothing is read until one comes.
 */
export class EarlierCalls {
  readonly #messages: readonly ChatMessage[];
  /** The ids of these calls, and those given out since. */
  #ids: Set<string> | null = null;
  #next = 0;

  constructor(messages: readonly ChatMessage[]) {
    this.#messages = messages;
  }

  /** The given id, unless it is empty or already taken. */
  freeId(given: string): string {
    this.#ids ??= idsIn(this.#messages);
    const id = this.#ids.has(given) ? this.#another(given, this.#ids) : ownCallId(given, false);
    this.#ids.add(id);
    return id;
  }

  /**
   * Continues the numbering if the id is numbered: models that count their calls get confused by ids of another form.
   */
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
