import { createRandom, type Random } from "../simulation/random.ts";
import { BROKEN, CHAT_MODELS, PICTURE, VIDEO } from "./run-models.ts";

type CallKind = "chat" | "stream" | "v1" | "v1_stream" | "image" | "video" | "broken";

/** One call as the seed determines it, whatever happens to it in the run. */
export type PlannedCall = {
  /**
   * Counts from 1. The upstream reports it as usage and writes it into the files it makes, so that every charge
   * identifies its call.
   */
  readonly tag: number;
  readonly kind: CallKind;
  readonly isStream: boolean;
  readonly organization: number;
  readonly node: 0 | 1;
  readonly model: string;
  readonly prompt: string;
  /** If not null, the call is repeated with this key until its outcome is known. */
  readonly idempotencyKey: string | null;
  /** The first attempt disconnects after this many bytes, or after this long. */
  readonly leave: { readonly afterBytes: number } | { readonly afterMs: number } | null;
};

const KINDS: readonly (readonly [CallKind, number])[] = [
  ["chat", 46],
  ["stream", 24],
  ["v1", 10],
  ["v1_stream", 8],
  ["image", 6],
  ["video", 1],
  ["broken", 5],
];
const STREAMS: ReadonlySet<CallKind> = new Set(["stream", "v1_stream"]);

/** Each call is drawn independently, so a run is the same however its clients take turns. */
export function planCall(seed: number, tag: number, organizations: number): PlannedCall {
  const random = createRandom(Math.imul(tag, 0x9e3779b1) ^ seed);
  const kind = drawKind(random);
  const isStream = STREAMS.has(kind) || (kind === "broken" && random.chance(0.5));
  const pieces = random.between(1, 24);
  const pauseMs = random.chance(0.2) ? random.between(1, 20) : 0;
  return {
    tag,
    kind,
    isStream,
    organization: drawOrganization(random, organizations),
    node: random.chance(0.5) ? 0 : 1,
    model: modelOf(kind, random),
    prompt: `tag=${tag} pieces=${pieces} pause=${pauseMs} Tell me about it.`,
    idempotencyKey: kind !== "broken" && random.chance(0.3) ? `key-${seed}-${tag}` : null,
    leave: drawLeave(random, kind, isStream),
  };
}

function drawKind(random: Random): CallKind {
  let left = random.between(1, 100);
  for (const [kind, weight] of KINDS) {
    left -= weight;
    if (left <= 0) return kind;
  }
  return "chat";
}

/** One organization is busy; the poor ones (the last third) call seldom; the others call evenly. */
function drawOrganization(random: Random, organizations: number): number {
  const rich = Math.ceil((organizations * 2) / 3);
  if (random.chance(0.25)) return 0;
  return random.chance(0.2) ? random.between(rich, organizations - 1) : random.between(0, rich - 1);
}

function modelOf(kind: CallKind, random: Random): string {
  if (kind === "image") return PICTURE;
  if (kind === "video") return VIDEO;
  return random.pick<{ readonly id: string }>(kind === "broken" ? BROKEN : CHAT_MODELS).id;
}

function drawLeave(random: Random, kind: CallKind, isStream: boolean): PlannedCall["leave"] {
  if (kind === "broken" || kind === "video") return null;
  if (isStream) return random.chance(0.15) ? { afterBytes: random.between(0, 3_000) } : null;
  return random.chance(0.04) ? { afterMs: random.between(0, 40) } : null;
}
