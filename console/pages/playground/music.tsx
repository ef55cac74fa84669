import { useState } from "react";
import { TextArea } from "../../parts/field.tsx";
import { audioResults } from "./audio-results.tsx";
import { DurationField, durationFor } from "./duration-field.tsx";
import { Maker, type Models } from "./maker.tsx";
import { ChoiceField } from "./model-field.tsx";
import type { PlayCall } from "./play.ts";
import type { AudioReply } from "./replies.ts";
import { useMaker } from "./use-maker.ts";
import { useModel } from "./use-model.ts";

const SAMPLE = "A calm morning by the sea, gulls far away";

export function MusicPanel({ models }: { models: Models }) {
  const { model, choose } = useModel(models);
  const [prompt, setPrompt] = useState("");
  const [wantedStyle, setStyle] = useState("");
  const [wantedSeconds, setSeconds] = useState("");
  const [addresses, setAddresses] = useState("");
  const maker = useMaker<AudioReply>();
  const { styles = [], durationSeconds } = model.choices;
  const style = styles.includes(wantedStyle) ? wantedStyle : "";
  const seconds = durationFor(durationSeconds, wantedSeconds);
  const takesImages = model.capabilities.includes("reference_images");
  const urls = addresses.split(/\s+/).filter(Boolean);
  const call: PlayCall = {
    endpoint: "api-v1-audio",
    body: {
      model: model.id,
      prompt: prompt || SAMPLE,
      audio_kind: "music",
      ...(style === "" ? {} : { music_style: style }),
      ...(seconds === null ? {} : { duration_seconds: seconds }),
      ...(takesImages && urls.length > 0 ? { reference_image_urls: urls } : {}),
    },
  };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={prompt}
      promptLabel="What the music should be like"
      sample={SAMPLE}
      onPrompt={setPrompt}
      action="Create the music"
      isBusy={maker.running !== null}
      problem={maker.problem}
      call={call}
      onMake={() => void maker.make(call)}
      fields={
        <div className="grid-2 pair">
          <ChoiceField label="Style" known={styles} none="As described" value={style} onChoose={setStyle} />
          <DurationField limit={durationSeconds} value={wantedSeconds} onChange={setSeconds} />
        </div>
      }
      more={
        takesImages && (
          <TextArea
            label="Reference images"
            placeholder="https://example.com/picture.png"
            hint="Public URLs, one per line, at most 16."
            rows={2}
            value={addresses}
            onChange={(event) => setAddresses(event.target.value)}
          />
        )
      }
      results={audioResults(maker, "Composing…")}
    />
  );
}
