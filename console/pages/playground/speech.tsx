import { useState } from "react";
import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { Segments } from "../../parts/segments.tsx";
import { audioResults } from "./audio-results.tsx";
import { DialogueField, type DialogueLine, firstLines, scriptOf } from "./dialogue.tsx";
import { Maker, type Models } from "./maker.tsx";
import { ChoiceField } from "./model-field.tsx";
import type { PlayCall } from "./play.ts";
import type { AudioReply } from "./replies.ts";
import { useMaker } from "./use-maker.ts";
import { useModel } from "./use-model.ts";

const SAMPLE = "Welcome aboard. The ferry leaves in ten minutes.";
const SAMPLE_LINES = ["Have you seen the new pictures?", "I have. I like the whale best."];
const SPEEDS = ["0.5", "0.75", "1", "1.25", "1.5", "2"];
const CASTS = [
  { value: "one", label: "One voice" },
  { value: "several", label: "A dialogue" },
] as const;

type SpeechChoices = {
  readonly prompt: string;
  readonly voice: string;
  readonly speed: string;
  readonly cast: "one" | "several";
  readonly lines: readonly DialogueLine[];
};

/** Lines with voices of this model: other models have other voices. */
function fittingLines(model: ModelRow, lines: readonly DialogueLine[]): readonly DialogueLine[] {
  const { voices = [] } = model.choices;
  const known = lines.length === 0 ? firstLines(voices) : lines;
  return known.map((line) => (voices.includes(line.voice) ? line : { ...line, voice: voices[0] ?? "" }));
}

function isDialogue(model: ModelRow, { cast }: SpeechChoices): boolean {
  const { voices = [] } = model.choices;
  return cast === "several" && voices.length > 1 && model.capabilities.includes("speakers");
}

function callOf(model: ModelRow, choices: SpeechChoices): PlayCall {
  const { voices = [] } = model.choices;
  const script = scriptOf(fittingLines(model, choices.lines));
  const sample = scriptOf(firstLines(voices).map((line, at) => ({ ...line, text: SAMPLE_LINES[at] ?? "" })));
  const said = isDialogue(model, choices)
    ? script.prompt === ""
      ? sample
      : script
    : {
        prompt: choices.prompt || SAMPLE,
        ...(voices.includes(choices.voice) ? { voice: choices.voice } : {}),
      };
  const hasSpeed = model.capabilities.includes("speed") && choices.speed !== "1";
  return {
    endpoint: "api-v1-audio",
    body: {
      model: model.id,
      audio_kind: "speech",
      ...said,
      ...(hasSpeed ? { speed: Number(choices.speed) } : {}),
    },
  };
}

export function SpeechPanel({ models }: { models: Models }) {
  const { model, choose } = useModel(models);
  const [choices, setChoices] = useState<SpeechChoices>({
    prompt: "",
    voice: "",
    speed: "1",
    cast: "one",
    lines: [],
  });
  const change = (changes: Partial<SpeechChoices>) => setChoices((before) => ({ ...before, ...changes }));
  const maker = useMaker<AudioReply>();
  const isSeveral = isDialogue(model, choices);
  const lines = fittingLines(model, choices.lines);
  const call = callOf(model, choices);
  return (
    <Maker
      models={models}
      model={model}
      onModel={choose}
      prompt={isSeveral ? scriptOf(lines).prompt : choices.prompt}
      promptLabel="Text to speak"
      sample={SAMPLE}
      onPrompt={(prompt) =>
        change(
          isSeveral
            ? { lines: lines.map((line, at) => ({ ...line, text: SAMPLE_LINES[at] ?? line.text })) }
            : { prompt },
        )
      }
      promptField={
        isSeveral
          ? (problem) => (
              <DialogueField
                voices={model.choices.voices ?? []}
                lines={lines}
                samples={SAMPLE_LINES}
                problem={problem}
                onChange={(next) => change({ lines: next })}
              />
            )
          : undefined
      }
      action="Create the speech"
      isBusy={maker.running !== null}
      problem={maker.problem}
      call={call}
      onMake={() => void maker.make(call)}
      before={<CastChoice model={model} choices={choices} onChange={change} />}
      fields={<SpeechFields model={model} choices={choices} onChange={change} />}
      results={audioResults(maker, "Speaking…")}
    />
  );
}

type SpeechFieldsProps = {
  readonly model: ModelRow;
  readonly choices: SpeechChoices;
  onChange(changes: Partial<SpeechChoices>): void;
};

function CastChoice({ model, choices, onChange }: SpeechFieldsProps) {
  if (!isDialogue(model, { ...choices, cast: "several" })) return null;
  return (
    <Segments
      name="Who speaks"
      value={choices.cast}
      choices={CASTS}
      onChoose={(cast) => onChange({ cast })}
    />
  );
}

function SpeechFields({ model, choices, onChange }: SpeechFieldsProps) {
  const { voices = [] } = model.choices;
  const hasSpeed = model.capabilities.includes("speed");
  return (
    <div className="grid-2 pair">
      {!isDialogue(model, choices) && (
        <ChoiceField
          label="Voice"
          known={voices}
          none="Any"
          value={voices.includes(choices.voice) ? choices.voice : ""}
          onChoose={(voice) => onChange({ voice })}
        />
      )}
      {hasSpeed && (
        <ChoiceField
          label="Speed"
          known={SPEEDS}
          words={(speed) => (speed === "1" ? "Normal" : `${speed} ×`)}
          value={choices.speed}
          onChoose={(speed) => onChange({ speed })}
        />
      )}
    </div>
  );
}
