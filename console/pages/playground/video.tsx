import { useState } from "react";
import { useSigned } from "../../api/session.ts";
import { pollCurlOf } from "./curl.ts";
import { DurationField, durationFor } from "./duration-field.tsx";
import { Maker, type Models } from "./maker.tsx";
import { ChoiceField } from "./model-field.tsx";
import type { PlayCall } from "./play.ts";
import { oneOf, useModel } from "./use-model.ts";
import { useVideo } from "./use-video.ts";
import { VideoCard } from "./video-card.tsx";

const SAMPLE = "Waves roll onto a beach at sunrise, gulls overhead";

export function VideoPanel({ models }: { models: Models }) {
  const { service } = useSigned();
  const { model, choose } = useModel(models);
  const [prompt, setPrompt] = useState("");
  const [wantedRatio, setRatio] = useState("");
  const [wantedResolution, setResolution] = useState("");
  const [wantedSeconds, setSeconds] = useState("");
  const [wantsSound, setSound] = useState(false);
  const [wantsDraft, setDraft] = useState(false);
  const { films, isSending, problem, make, watch } = useVideo();
  const { aspectRatios, resolutions, durationSeconds } = model.choices;
  const ratio = oneOf(aspectRatios, wantedRatio);
  const resolution = oneOf(resolutions, wantedResolution);
  const seconds = durationFor(durationSeconds, wantedSeconds);
  const [hasSound, hasDraft] = ["sound", "draft"].map((name) => model.capabilities.includes(name));
  const call: PlayCall = {
    endpoint: "api-v1-video",
    body: {
      model: model.id,
      prompt: prompt || SAMPLE,
      ...(seconds === null ? {} : { duration: seconds }),
      ...(resolution === "" ? {} : { resolution }),
      ...(ratio === "" ? {} : { aspect_ratio: ratio }),
      ...(hasSound && wantsSound ? { generate_audio: true } : {}),
      ...(hasDraft && wantsDraft ? { video_draft: true } : {}),
    },
  };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={prompt}
      promptLabel="What the video should show"
      sample={SAMPLE}
      onPrompt={setPrompt}
      action="Make the video"
      isBusy={isSending}
      problem={problem}
      call={call}
      then={pollCurlOf(service.publicUrl, films[0]?.taken.request_id ?? "REQUEST_ID")}
      onMake={() => void make(call)}
      fields={
        <>
          <div className="grid-2 pair">
            <ChoiceField label="Shape" known={aspectRatios} value={ratio} onChoose={setRatio} />
            <ChoiceField label="Resolution" known={resolutions} value={resolution} onChoose={setResolution} />
          </div>
          <DurationField limit={durationSeconds} value={wantedSeconds} onChange={setSeconds} />
          <div className="checks">
            {hasSound && <Check label="With sound" isOn={wantsSound} onChange={setSound} />}
            {hasDraft && <Check label="Draft: quick and cheap" isOn={wantsDraft} onChange={setDraft} />}
          </div>
        </>
      }
      results={
        films.length > 0 &&
        films.map((film) => <VideoCard key={film.id} film={film} onWatch={() => void watch(film)} />)
      }
    />
  );
}

function Check(props: { readonly label: string; readonly isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.label}
    </label>
  );
}
