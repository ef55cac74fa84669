import type { Fields } from "../../../wires/index.ts";
import type { EncodeTarget } from "./encode-target.ts";

/** Qwen from 3.5 on, whose template refuses it on any server: "System message must be at the beginning." */
const ONE_INSTRUCTION = /qwen-?3[.p][5-9]/i;

const BETWEEN = "\n\n";

/**
 * The messages in an order that the vendor accepts; the same list if they already are. Otherwise one message of a
 * client, such as a hint in the middle of its work, would end the conversation for good.
 */
export function inAcceptedOrder(messages: readonly Fields[], target: EncodeTarget): readonly Fields[] {
  switch (turnOrderOf(target)) {
    case "any":
      return messages;
    case "early instructions":
      return withInstructionsFirst(messages, (before) => before === "user");
    case "alternating":
      return withJoinedTurns(withInstructionsFirst(messages, () => false));
    case "one instruction":
      return withJoinedInstructions(withInstructionsFirst(messages, () => false));
  }
}

function turnOrderOf({ vendor: { turnOrder }, model }: Pick<EncodeTarget, "vendor" | "model">) {
  return turnOrder === "any" && ONE_INSTRUCTION.test(model) ? "one instruction" : turnOrder;
}

/** Joins the instructions, which stand first. */
function withJoinedInstructions(messages: readonly Fields[]): readonly Fields[] {
  const end = messages.findIndex((message) => !isInstruction(message));
  const instructions = end < 0 ? messages : messages.slice(0, end);
  if (instructions.length < 2) return messages;
  return [joined(instructions), ...messages.slice(instructions.length)];
}

/** All instructions go to the front if some are behind a message that `mayPrecede` excludes. */
function withInstructionsFirst(
  messages: readonly Fields[],
  mayPrecede: (role: unknown) => boolean,
): readonly Fields[] {
  const isMisplaced = messages.some((message, at) => {
    const before = messages[at - 1];
    if (!isInstruction(message) || before === undefined) return false;
    return !isInstruction(before) && !mayPrecede(before["role"]);
  });
  if (!isMisplaced) return messages;
  return [...messages.filter(isInstruction), ...messages.filter((message) => !isInstruction(message))];
}

function isInstruction({ role }: Fields): boolean {
  return role === "system" || role === "developer";
}

function withJoinedTurns(messages: readonly Fields[]): readonly Fields[] {
  const turns: Fields[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    const before = turn?.at(-1);
    if (turn !== undefined && before !== undefined && canJoin(before, message)) turn.push(message);
    else turns.push([message]);
  }
  return turns.length === messages.length ? messages : turns.map(joined);
}

function canJoin(first: Fields, second: Fields): boolean {
  const { role } = first;
  if (role !== second["role"] || (role !== "user" && role !== "assistant")) return false;
  return [first, second].every(
    ({ content, tool_calls: calls }) =>
      calls === undefined && (typeof content === "string" || Array.isArray(content)),
  );
}

/** Joins all at once: a turn may have thousands of messages. */
function joined(turn: readonly Fields[]): Fields {
  const [first = {}, ...others] = turn;
  if (others.length === 0) return first;
  // A client may send a message without content, which would become a part without text.
  const contents = turn.map(({ content }) => content ?? "").filter((content) => content !== "");
  const isText = contents.every((content) => typeof content === "string");
  return { ...first, content: isText ? contents.join(BETWEEN) : contents.flatMap(partsOf) };
}

function partsOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}
