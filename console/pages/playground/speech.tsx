import { useState } from "react";
import { audioResults } from "./audio-results.tsx";
import { Maker, type Models } from "./maker.tsx";
import { ChoiceField } from "./model-field.tsx";
import type { PlayCall } from "./play.ts";
import type { AudioReply } from "./replies.ts";
import { useMaker } from "./use-maker.ts";
import { useModel } from "./use-model.ts";

const SAMPLE = "Welcome aboard. The ferry leaves in ten minutes.";
const SPEEDS = ["0.5", "0.75", "1", "1.25", "1.5", "2"];

export function SpeechPanel({ models }: { models: Models }) {
  const { model, choose } = useModel(models);
  const [prompt, setPrompt] = useState("");
  const [wantedVoice, setVoice] = useState("");
  const [speed, setSpeed] = useState("1");
  const maker = useMaker<AudioReply>();
  const { voices = [] } = model.choices;
  const voice = voices.includes(wantedVoice) ? wantedVoice : "";
  const hasSpeed = model.capabilities.includes("speed");
  const call: PlayCall = {
    endpoint: "api-v1-audio",
    body: {
      model: model.id,
      prompt: prompt || SAMPLE,
      audio_kind: "speech",
      ...(voice === "" ? {} : { voice }),
      ...(hasSpeed && speed !== "1" ? { speed: Number(speed) } : {}),
    },
  };
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={prompt}
      promptLabel="What is to be said"
      sample={SAMPLE}
      onPrompt={setPrompt}
      action="Say it"
      isBusy={maker.running !== null}
      problem={maker.problem}
      call={call}
      onMake={() => void maker.make(call)}
      fields={
        <div className="grid-2 pair">
          <ChoiceField
            label="Voice"
            known={voices}
            none="The model's choice"
            value={voice}
            onChoose={setVoice}
          />
          {hasSpeed && <ChoiceField label="Pace" known={SPEEDS} value={speed} onChoose={setSpeed} />}
        </div>
      }
      results={audioResults(maker, "Speaking…")}
    />
  );
}
