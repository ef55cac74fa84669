import type { ChatMessage, ReasoningPart, ToolCall } from "../../../providers/index.ts";
import { NO_PLACE } from "./item-texts.ts";

/**
 * Puts items together to messages. What the model said in one turn comes as several items (reasoning, text, calls) and
 * becomes one message, as providers that speak chat want it: a tool's result must follow the message that asked for it.
 */
export type Conversation = {
  /** What follows stands in the item at this place. */
  readsItem(place: number): void;
  add(message: ChatMessage): void;
  said(text: string): void;
  called(call: ToolCall): void;
  thought(parts: readonly ReasoningPart[]): void;
  /** The same in words alone: counts where nothing else tells what was thought. */
  echoed(parts: readonly ReasoningPart[]): void;
  /** Closes what is open. */
  messages(): readonly ChatMessage[];
  /** Of each message, the item that has its text. */
  readonly places: readonly number[];
};

type Turn = {
  readonly texts: string[];
  place: number;
  readonly calls: ToolCall[];
  readonly reasoning: ReasoningPart[];
  readonly echoes: ReasoningPart[];
};

export function createConversation(): Conversation {
  const messages: ChatMessage[] = [];
  const places: number[] = [];
  let turn: Turn | null = null;
  let item = NO_PLACE;

  function open(): Turn {
    turn ??= { texts: [], place: NO_PLACE, calls: [], reasoning: [], echoes: [] };
    return turn;
  }

  function close(): void {
    // Reasoning that led to nothing says nothing to a provider, and an empty message is refused.
    if (turn !== null && (turn.texts.length > 0 || turn.calls.length > 0)) push(messageOf(turn), turn.place);
    turn = null;
  }

  function push(message: ChatMessage, place: number): void {
    messages.push(message);
    places.push(place);
  }

  function say(said: Turn, text: string): void {
    said.texts.push(text);
    said.place = item;
  }

  return {
    places,
    readsItem(place) {
      item = place;
    },
    add(message) {
      close();
      push(message, item);
    },
    said(text) {
      const said = open();
      if (said.texts.length === 0) say(said, text);
      else if (said.calls.length > 0) {
        said.texts.push(text);
        said.place = NO_PLACE;
      } else {
        close();
        say(open(), text);
      }
    },
    called: (call) => void open().calls.push(call),
    thought: (parts) => void open().reasoning.push(...parts),
    echoed: (parts) => void open().echoes.push(...parts),
    messages() {
      close();
      return messages;
    },
  };
}

function messageOf({ texts, calls, reasoning: kept, echoes }: Turn): ChatMessage {
  // What came back sealed is what the model really thought; an echo is only a copy of its words.
  const reasoning = kept.length > 0 ? kept : echoes;
  // A provider that signs its thoughts counts the characters between them.
  const isSigned = kept.some(({ signature }) => signature !== undefined);
  return {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join(isSigned ? "" : "\n\n"),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(reasoning.length === 0 ? {} : { reasoning }),
  };
}
