import type { ChatMessage, ToolCall } from "../../providers/index.ts";
import { type Counted, createCallNames } from "./call-names.ts";

/**
 * What a text is called by those that refer to it, in words that the model knows: a tool and an argument, or a role. Said
 * when it is needed, since a name that has been clear may stand for others by then.
 */
export type Label = (this: void) => string;

type Origins = {
  ofToolResult(call: ToolCall | undefined): Label;
  ofArguments(call: ToolCall): Label;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): Label;
};

/** One of the fences in a text. */
export function nameOfFence(text: Label, { index, count }: { index: number; count: number }): Label {
  return () => `fence ${count === 1 ? "" : `${index + 1} `}of ${text()}`;
}

export function createOrigins(): Origins {
  const nameOf = createCallNames();
  const roles = new Map<string, Counted>();
  /** The text that is being read: it is no other that a reference could mean. */
  let current: Counted = { count: 0 };

  /** Texts with the same name are told apart by their number, where there is more than one so far. */
  function count(counted: Counted, say: Label): Label {
    current.count++;
    current = counted;
    const number = counted.count + 1;
    return () => (number === 1 && counted.count < 2 ? say() : `${say()} #${number}`);
  }

  function countRole(role: string): Label {
    const counted = roles.get(role) ?? { count: 0 };
    roles.set(role, counted);
    return count(counted, () => role);
  }

  return {
    ofToolResult(call) {
      if (call === undefined) return countRole("tool result");
      const { results, say } = nameOf(call);
      return count(results, say);
    },
    ofArguments(call) {
      const name = nameOf(call);
      return count(name.arguments, () => `call ${name.say()}`);
    },
    ofMessage: (role) => countRole(`${role} message`),
  };
}
