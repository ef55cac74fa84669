import type { ChatMessage, ToolCall } from "../message.ts";
import { type Counted, createCallNames } from "./call-names.ts";

/**
 * How references name a text, in terms that the model knows: a tool and an argument, or a role. Computed when needed,
 * since a name may become ambiguous later.
 */
export type Label = (this: void) => string;

type Origins = {
  ofToolResult(call: ToolCall | undefined): Label;
  ofArguments(call: ToolCall): Label;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): Label;
};

export function nameOfFence(text: Label, { index, count }: { index: number; count: number }): Label {
  return () => `fence ${count === 1 ? "" : `${index + 1} `}of ${text()}`;
}

export function createOrigins(): Origins {
  const nameOf = createCallNames();
  const roles = new Map<string, Counted>();
  /**
   * The count of the text that is being read; it is added only with the next text, since nothing may refer to itself.
   */
  let current: Counted = { count: 0 };

  /** Texts with the same name are numbered, if there is more than one so far. */
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
