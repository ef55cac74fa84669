import { textsOf } from "../../kit/index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Of the model's turns in a body that was sent, the texts that give it its own thoughts back, where there are any. */
export function sentThoughts({ messages }: Fields): readonly ReadonlySet<string>[] {
  if (!Array.isArray(messages)) return [];
  const turns = messages
    .filter(isTurn)
    .map(({ reasoning_content, reasoning, reasoning_details, content }) => {
      const thinking = Array.isArray(content) ? content.filter(isThinking) : null;
      return textsOf([reasoning_content, reasoning, reasoning_details, thinking]);
    });
  return turns.filter(({ size }) => size > 0);
}

function isTurn(message: Fields | null): message is Fields {
  return message?.["role"] === "assistant";
}

function isThinking(part: Fields | null): boolean {
  return part?.["type"] === "thinking";
}
