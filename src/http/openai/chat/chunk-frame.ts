import { chatIdOf, createdAtSeconds } from "../reply-identity.ts";

/** What is the same around every chunk of a stream, made once: id, time and model never change in it. */
export type ChunkFrame = {
  /** Up to the chunk's own members. */
  readonly head: string;
  /** From them to the end of the event; callers who asked for usage see in every chunk that it is still to come. */
  readonly tail: string;
  /** One chunk as one event, from the members of its JSON object. */
  wrap(members: string): string;
  /** The same for the chunk that says what the call cost. */
  wrapLast(members: string): string;
};

/** Ends every stream of this wire. */
export const DONE = "data: [DONE]\n\n";

export function createChunkFrame(input: {
  readonly requestId: string;
  readonly model: string;
  readonly includesUsage: boolean;
}): ChunkFrame {
  const { requestId, model, includesUsage } = input;
  const identity = JSON.stringify({
    id: chatIdOf(requestId),
    object: "chat.completion.chunk",
    created: createdAtSeconds(requestId),
    model,
  });
  const head = `data: ${identity.slice(0, -1)},`;
  const end = "}\n\n";
  const tail = includesUsage ? `,"usage":null${end}` : end;
  return {
    head,
    tail,
    wrap: (members) => head + members + tail,
    wrapLast: (members) => head + members + end,
  };
}
