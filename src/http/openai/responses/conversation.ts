import type { ChatMessage, ReasoningPart, ToolCall } from "../../../providers/index.ts";

/**
 * Puts items together to messages. What the model said in one turn comes as several items (reasoning, text, calls) and
 * becomes one message, as providers that speak chat want it: a tool's result must follow the message that asked for it.
 */
export type Conversation = {
  add(message: ChatMessage): void;
  said(text: string): void;
  called(call: ToolCall): void;
  thought(parts: readonly ReasoningPart[]): void;
  /** Closes what is open. */
  messages(): readonly ChatMessage[];
};

type Turn = { text: string | null; readonly calls: ToolCall[]; readonly reasoning: ReasoningPart[] };

export function createConversation(): Conversation {
  const messages: ChatMessage[] = [];
  let turn: Turn | null = null;

  function open(): Turn {
    turn ??= { text: null, calls: [], reasoning: [] };
    return turn;
  }

  function close(): void {
    // Reasoning that led to nothing says nothing to a provider, and an empty message is refused.
    if (turn !== null && (turn.text !== null || turn.calls.length > 0)) messages.push(messageOf(turn));
    turn = null;
  }

  return {
    add(message) {
      close();
      messages.push(message);
    },
    said(text) {
      const said = open();
      if (said.text === null) said.text = text;
      else if (said.calls.length > 0) said.text = `${said.text}\n\n${text}`;
      else {
        close();
        open().text = text;
      }
    },
    called: (call) => void open().calls.push(call),
    thought: (parts) => void open().reasoning.push(...parts),
    messages() {
      close();
      return messages;
    },
  };
}

function messageOf({ text, calls, reasoning }: Turn): ChatMessage {
  return {
    role: "assistant",
    content: text,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}
