/** Whatever is made of frames mostly lasts some of them longer than was asked: two of video, or a few of sound. */
const SOME_FRAMES_MS = 100;

/** By which video or sound is charged that was made of this length. */
export function paidLengthMs(madeMs: number, askedMs: number): number {
  const isAsAsked = madeMs > askedMs && madeMs <= askedMs + SOME_FRAMES_MS;
  return isAsAsked ? askedMs : madeMs;
}
