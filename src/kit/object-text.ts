/**
 * Whether a text that comes in pieces is one object of JSON from end to end, as far as its brackets tell. Each
 * character is looked at once, however often somebody asks.
 */
export class ObjectText {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #state: "unbegun" | "open" | "closed" | "other" = "unbegun";

  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** It has begun and not ended. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  push(text: string): void {
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

export function isUnfinishedObject(text: string): boolean {
  const object = new ObjectText();
  object.push(text);
  return object.isOpen;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
