import type { ChatMessage, ToolCall } from "../providers/index.ts";
import { createCallNames } from "./call-names.ts";

/**
 * What a text is called by those that refer to it, in words that the model knows: a tool and an argument, or a role. Said
 * when it is needed, since a name that has been clear may stand for others by then.
 */
export type Label = (this: void) => string;

export type Origins = {
  ofToolResult(call: ToolCall | undefined): Label;
  ofArguments(call: ToolCall): Label;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): Label;
};

/** One of the texts of a message, which has one name: messages are what a reader counts. */
export function nameOfPart(message: Label, index: number): Label {
  return index === 0 ? message : () => `${message()} part ${index + 1}`;
}

/** One of the fences in a text. */
export function nameOfFence(text: Label, { index, count }: { index: number; count: number }): Label {
  return () => `fence ${count === 1 ? "" : `${index + 1} `}of ${text()}`;
}

export function createOrigins(): Origins {
  const nameOf = createCallNames();
  const counts = new Map<string, number>();
  /** The text that is being read: it is no other that a reference could mean. */
  let current = "";

  /** Texts with the same name are told apart by their number, where there is more than one so far. */
  function count(key: string, say: Label): Label {
    if (current !== "") counts.set(current, (counts.get(current) ?? 0) + 1);
    current = key;
    const number = (counts.get(key) ?? 0) + 1;
    return () => (number === 1 && (counts.get(key) ?? 0) < 2 ? say() : `${say()} #${number}`);
  }

  function countRole(role: string): Label {
    return count(role, () => role);
  }

  return {
    ofToolResult(call) {
      if (call === undefined) return countRole("tool result");
      const { key, say } = nameOf(call);
      return count(`result ${key}`, say);
    },
    ofArguments(call) {
      const { key, say } = nameOf(call);
      return count(`call ${key}`, () => `call ${say()}`);
    },
    ofMessage: (role) => countRole(`${role} message`),
  };
}
