/** Media made of frames usually run a little longer than requested: two frames of video, or a few of audio. */
const SOME_FRAMES_MS = 100;

/** The length to charge for. */
export function paidLengthMs(madeMs: number, askedMs: number): number {
  const isAsAsked = madeMs > askedMs && madeMs <= askedMs + SOME_FRAMES_MS;
  return isAsAsked ? askedMs : madeMs;
}
