const HEAD_LENGTH = 8;

/**
 * Tells, by its brackets alone, whether a text that arrives in pieces is one JSON object from end to end. Reads each
 * character once, however often it is asked.
 */
export class ObjectText {
  /** The first characters, enough to recognise `null`. */
  #head = "";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #state: "unbegun" | "open" | "closed" | "other" = "unbegun";

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** True if no more text is needed. Unknown for a text that is no object, but some send `null` for no arguments. */
  get isWhole(): boolean {
    return this.isClosed || this.#head.trimEnd() === "null";
  }

  push(text: string): void {
    if (this.#head.length < HEAD_LENGTH) this.#head = (this.#head + text.slice(0, HEAD_LENGTH)).trimStart();
    for (let at = 0; at < text.length && this.#state !== "other"; at++) this.#take(text.charCodeAt(at));
  }

  #take(code: number): void {
    if (this.#isInString) this.#takeInString(code);
    else if (code === 0x7b || code === 0x5b) this.#begin(code === 0x7b);
    else if (code === 0x7d || code === 0x5d) this.#end();
    else if (code === 0x22 && this.#state === "open") this.#isInString = true;
    else if (this.#state !== "open" && !isBlank(code)) this.#state = "other";
  }

  #takeInString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === 0x5c) this.#isEscaped = true;
    else if (code === 0x22) this.#isInString = false;
  }

  #begin(isObject: boolean): void {
    if (this.#state === "unbegun" && isObject) this.#state = "open";
    if (this.#state === "open") this.#depth++;
    else this.#state = "other";
  }

  #end(): void {
    if (this.#state !== "open") this.#state = "other";
    else if (--this.#depth === 0) this.#state = "closed";
  }
}

/** Whether more of these tool call arguments must come: they are empty, or an object that is not closed. */
export function isUnfinished(text: string): boolean {
  if (text.trim() === "") return true;
  const object = new ObjectText();
  object.push(text);
  return object.isOpen;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
