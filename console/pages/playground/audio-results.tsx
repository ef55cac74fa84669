import { MadeCard, MakingCard } from "./made-card.tsx";
import type { AudioReply } from "./replies.ts";
import type { useMaker } from "./use-maker.ts";

/** Null before the first call. */
export function audioResults(
  { made, running }: Pick<ReturnType<typeof useMaker<AudioReply>>, "made" | "running">,
  words: string,
) {
  if (!running && made.length === 0) return null;
  return (
    <>
      {running && <MakingCard words={words} />}
      {made.map(({ id, call, reply }) => (
        <MadeCard
          key={id}
          prompt={String(call.body["prompt"])}
          url={reply.audio_url}
          payment={reply}
          requestId={reply.request_id}
        >
          <audio className="player" controls preload="metadata" src={reply.audio_url} />
        </MadeCard>
      ))}
    </>
  );
}
