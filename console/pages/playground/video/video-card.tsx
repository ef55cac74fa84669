import { Button } from "../../../parts/button.tsx";
import { credits } from "../../../parts/format.ts";
import { Icon } from "../../../parts/icons/icon.tsx";
import { Notice } from "../../../parts/states.tsx";
import { VideoPlayer } from "../../../parts/video-player.tsx";
import { MadeCard } from "../made-card.tsx";
import type { PlayCall } from "../play.ts";
import { PlayProblem } from "../play-problem.tsx";
import { useElapsed } from "../use-elapsed.ts";
import type { Video } from "./use-video.ts";

const STEPS = [
  { status: "queued", label: "In the queue" },
  { status: "starting", label: "Starting" },
  { status: "running", label: "Making the video" },
  { status: "storing", label: "Storing" },
] as const;

/** Why a job failed, by the reason that the API returns after `failed:`. */
const REASONS: Readonly<Record<string, string>> = {
  rejected: "The model could not use this prompt.",
  content_filter: "The model's filter refused this prompt.",
  provider_error: "Something went wrong at the model's provider.",
  timeout: "It took too long.",
  interrupted: "It was interrupted, and how far it got is unknown.",
};

export function VideoCard({ video, onWatch }: { video: Video; onWatch(): void }) {
  const { seen, taken, call } = video;
  const prompt = promptOf(call);
  const { credits_charged, balance, video_url } = seen ?? {};
  if (seen?.status === "complete" && !video_url) {
    return (
      <Notice>
        “{prompt}” was made for {credits(credits_charged ?? 0)} and has been deleted since.
      </Notice>
    );
  }
  if (seen?.status === "complete" && video_url && credits_charged !== undefined && balance) {
    return (
      <MadeCard
        prompt={prompt}
        url={video_url}
        payment={{ credits_charged, balance }}
        requestId={taken.request_id}
      >
        <VideoPlayer className="shown" src={video_url} style={{ aspectRatio: ratioOf(video) }} />
      </MadeCard>
    );
  }
  if (seen?.status === "failed") {
    const reason = seen.provider_status.replace(/^failed:/, "");
    return <Notice look="bad">{REASONS[reason] ?? "The video could not be made."} It cost nothing.</Notice>;
  }
  return <RunningVideo video={video} onWatch={onWatch} />;
}

function RunningVideo({ video, onWatch }: { video: Video; onWatch(): void }) {
  // It is unknown whether the job continues, so nothing here is animated.
  const isUnseen = video.problem !== null;
  const seconds = useElapsed(isUnseen);
  const at = STEPS.findIndex(({ status }) => status === video.seen?.provider_status);
  const step = Math.max(0, at);
  return (
    <article className="card made">
      <div className={isUnseen ? "making" : "making skeleton"} style={{ aspectRatio: ratioOf(video) }}>
        <ol className="video-steps">
          {STEPS.map(({ status, label }, index) => (
            <li key={status} aria-current={index === step ? "step" : undefined}>
              {index < step && <Icon name="check" />}
              {index === step && !isUnseen && <Icon name="loader-circle" className="spin" />}
              {(index > step || (index === step && isUnseen)) && <Icon name="circle-dashed" />}
              <span>{label}</span>
              {index === step && <span className="number dim">{seconds} s</span>}
            </li>
          ))}
        </ol>
      </div>
      <div className="made-foot">
        <p dir="auto" className="clip-2">
          {promptOf(video.call)}
        </p>
        <p className="paid" role="status">
          <span className="visually-hidden">{STEPS[step]?.label}</span>
          <span>at most {credits(video.taken.credits_estimate)}</span>
          <span>keeps running if you leave; you will find it in your library</span>
        </p>
        {video.problem && (
          <PlayProblem problem={video.problem}>
            {video.isGivenUp ? (
              <Button onClick={onWatch}>Check again</Button>
            ) : (
              <span>Still checking. The video will appear here when it is ready.</span>
            )}
          </PlayProblem>
        )}
      </div>
    </article>
  );
}

/** Without a prompt, the file's name is shown. */
function promptOf({ body, files = {} }: PlayCall): string {
  const [file] = Object.values(files);
  return String(body["prompt"] ?? `Made from ${file?.name ?? "a file"}`);
}

function ratioOf({ call }: Video): string {
  return String(call.body["aspect_ratio"] ?? "16:9").replace(":", " / ");
}
