import type { ChatMessage, ToolCall } from "../providers/index.ts";
import { firstArgument } from "./first-argument.ts";

/** Names the texts of a conversation in words that the model knows: a tool and an argument, or a role. */
export type Origins = {
  ofToolResult(call: ToolCall | undefined): string;
  ofArguments(call: ToolCall): string;
  ofFence(): string;
  ofMessage(role: Exclude<ChatMessage["role"], "tool">): string;
};

/** One of the texts of a message, which has one name: messages are what a reader counts. */
export function nameOfPart(message: string, index: number): string {
  return index === 0 ? message : `${message} part ${index + 1}`;
}

export function createOrigins(): Origins {
  const names = new Map<ToolCall, string>();
  const counts = new Map<string, number>();

  /** Texts with the same name are told apart by their number. */
  function count(name: string): string {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return number === 1 ? name : `${name} #${number}`;
  }

  /** Asked twice for most calls: what they were given, and what came of it. */
  function nameOf(call: ToolCall): string {
    const known = names.get(call);
    if (known !== undefined) return known;
    const argument = firstArgument(call.arguments);
    const name = argument === "" ? call.name : `${call.name} ${argument}`;
    names.set(call, name);
    return name;
  }

  return {
    ofToolResult: (call) => count(call === undefined ? "tool result" : nameOf(call)),
    ofArguments: (call) => count(`call ${nameOf(call)}`),
    ofFence: () => count("fence"),
    ofMessage: (role) => count(`${role} message`),
  };
}
