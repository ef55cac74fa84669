import { chatIdOf, createdAtSeconds } from "../reply-identity.ts";

/** The text around every chunk of a stream, built once: id, time and model never change within it. */
export type ChunkFrame = {
  /** Everything before the chunk's own members. */
  readonly head: string;
  /** Everything after them, to the end of the event. Has `usage: null` if usage was requested: it is still to come. */
  readonly tail: string;
  /** Makes a chunk into an event, from the members of its JSON object. */
  wrap(members: string): string;
  /** The same for the chunk that carries the cost. */
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
