import { type CallContext, ProviderFailure } from "../contract.ts";
import { fetchHosted } from "../hosted-file.ts";
import type { MusicProvider, MusicRequest } from "../media-contract.ts";
import { type PublicFetch, pause, sanitise } from "../outbound/index.ts";
import { isContentRefusal } from "../refusal-words.ts";
import { outputAddress } from "./output-address.ts";
import type { FailedWork, RemoteWork, WorkRequest } from "./remote-work.ts";
import { unreadable } from "./vendor-call.ts";

export type WorkMusicOptions = {
  readonly work: RemoteWork;
  encode(upstreamModel: string, request: MusicRequest): WorkRequest;
  readonly decidesLength?: MusicProvider["decidesLength"];
  readonly fetchPublic: PublicFetch;
  /** What must not stand in any message. */
  readonly secrets: readonly string[];
  /** Until the first look; each wait is half as long again as the one before. */
  readonly firstWaitMs?: number;
};

const SOUND_FIELDS = ["audio", "audio_file", "audio_url", "output"];
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
/** More than fit into the longest call, whose own limit comes first. */
const MAX_LOOKS = 400;
/** Looks that fail in a row before the music is given up: what is ordered will be paid for. */
const MAX_FAILED_LOOKS = 3;

/** Music from a vendor that takes orders: the caller waits for it, so we ask until it is there. */
export function createWorkMusic(options: WorkMusicOptions): MusicProvider {
  const { work, encode, fetchPublic, secrets, firstWaitMs = FIRST_WAIT_MS } = options;

  async function finish(upstreamModel: string, id: string, context: CallContext): Promise<unknown> {
    let waitMs = firstWaitMs;
    let failedLooks = 0;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      await pause(waitMs, context.signal);
      waitMs = Math.min(waitMs * 1.5, MAX_WAIT_MS);
      const now = await work.look(upstreamModel, id, context).catch((error) => {
        failedLooks += 1;
        if (!isPassing(error) || failedLooks >= MAX_FAILED_LOOKS) throw error;
        return null;
      });
      if (now === null) continue;
      failedLooks = 0;
      if (now.state === "done") return now.output;
      if (now.state === "failed") throw failureOfWork(now, secrets);
    }
    throw new ProviderFailure("timeout", "The model's provider did not answer in time.", {
      internal: `not done after ${MAX_LOOKS} looks`,
    });
  }

  return {
    decidesLength: (upstreamModel) => options.decidesLength?.(upstreamModel) ?? false,

    async compose(upstreamModel, request, context) {
      if (request.referenceImages.length > 0) {
        throw new ProviderFailure("rejected", "This model takes no reference images.");
      }
      const id = await work.start(upstreamModel, encode(upstreamModel, request), context);
      const address = outputAddress(await finish(upstreamModel, id, context), SOUND_FIELDS);
      if (address === null) throw unreadable("work done without an address");
      return fetchHosted(address, "audio", { fetchPublic, signal: context.signal });
    },
  };
}

const PASSING: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "timeout"]);

function isPassing(error: unknown): boolean {
  return error instanceof ProviderFailure && PASSING.has(error.kind);
}

function failureOfWork({ text, isRejected }: FailedWork, secrets: readonly string[]): ProviderFailure {
  const kind = isRejected || isContentRefusal(text) ? "rejected" : "unavailable";
  return new ProviderFailure(
    kind,
    sanitise(text, secrets) || "The model's provider could not make this music.",
    {
      internal: "it gave the work up",
      targetHealth: "up",
    },
  );
}
