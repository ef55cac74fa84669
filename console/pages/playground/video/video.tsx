import { useState } from "react";
import { useSigned } from "../../../api/session.ts";
import { pollCurlOf } from "../curl.ts";
import { Maker, type Models } from "../maker.tsx";
import { useModel } from "../use-model.ts";
import { useVideo } from "./use-video.ts";
import { NO_CHOICES, needsPrompt, SAMPLE, type VideoChoices, videoCallOf } from "./video-call.ts";
import { VideoCard } from "./video-card.tsx";
import { seedField, VideoFields } from "./video-fields.tsx";

export function VideoPanel({ models }: { models: Models }) {
  const { service } = useSigned();
  const { model, choose } = useModel(models);
  const [choices, setChoices] = useState<VideoChoices>(NO_CHOICES);
  const { videos, isSending, problem, make, watch } = useVideo();
  const change = (changes: Partial<VideoChoices>) => setChoices((before) => ({ ...before, ...changes }));
  const call = videoCallOf(model, choices);
  const fields = { model, choices, onChange: change };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={choices.prompt}
      isPromptOptional={!needsPrompt(model, choices)}
      promptLabel="What the video should show"
      sample={SAMPLE}
      onPrompt={(prompt) => change({ prompt })}
      action="Create the video"
      isBusy={isSending}
      problem={problem}
      call={call}
      then={pollCurlOf(service.publicUrl, videos[0]?.taken.request_id ?? "REQUEST_ID")}
      onMake={() => void make(call)}
      fields={<VideoFields {...fields} />}
      more={seedField(fields)}
      results={
        videos.length > 0 &&
        videos.map((video) => <VideoCard key={video.id} video={video} onWatch={() => void watch(video)} />)
      }
    />
  );
}
