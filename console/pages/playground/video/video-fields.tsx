import type { ModelRow } from "../../../../gateway/src/http/console/contract.ts";
import { TextField } from "../../../parts/field.tsx";
import { DurationField } from "../duration-field.tsx";
import { ChoiceField } from "../model-field.tsx";
import { oneOf } from "../use-model.ts";
import { ReferenceFiles } from "./reference-files.tsx";
import { filesFor, referenceKindsOf, taskFor, tasksFor, type VideoChoices } from "./video-call.ts";

type CheckFieldProps = {
  readonly label: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
};

function CheckField({ label, isOn, onChange }: CheckFieldProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

const MAX_SEED = 2 ** 32 - 1;

type VideoFieldsProps = {
  readonly model: ModelRow;
  readonly choices: VideoChoices;
  onChange(changes: Partial<VideoChoices>): void;
};

export function VideoFields({ model, choices, onChange }: VideoFieldsProps) {
  const { aspectRatios, resolutions, durationSeconds } = model.choices;
  const has = (name: string) => model.capabilities.includes(name);
  const kinds = referenceKindsOf(model);
  return (
    <>
      {kinds.length > 0 && (
        <ReferenceFiles
          kinds={kinds}
          files={filesFor(model, choices.files)}
          onChange={(files) => onChange({ files })}
        />
      )}
      <TaskFields model={model} choices={choices} onChange={onChange} />
      <div className="grid-3 trio">
        <ChoiceField
          label="Shape"
          known={aspectRatios}
          value={oneOf(aspectRatios, choices.ratio)}
          onChoose={(ratio) => onChange({ ratio })}
        />
        <ChoiceField
          label="Resolution"
          known={resolutions}
          value={oneOf(resolutions, choices.resolution)}
          onChoose={(resolution) => onChange({ resolution })}
        />
        <DurationField
          limit={durationSeconds}
          value={choices.seconds}
          onChange={(seconds) => onChange({ seconds })}
        />
      </div>
      <div className="checks">
        {has("sound") && (
          <CheckField
            label="With sound"
            isOn={choices.hasSound}
            onChange={(hasSound) => onChange({ hasSound })}
          />
        )}
        {has("draft") && (
          <CheckField
            label="Draft: quick and cheap"
            isOn={choices.isDraft}
            onChange={(isDraft) => onChange({ isDraft })}
          />
        )}
      </div>
    </>
  );
}

/** What to do with the chosen files. */
function TaskFields({ model, choices, onChange }: VideoFieldsProps) {
  const files = filesFor(model, choices.files);
  const tasks = tasksFor(model, files);
  return (
    <>
      {tasks.length > 1 && (
        <ChoiceField
          label={files.video ? "What to do with the video" : "What to do with the image"}
          known={tasks.map(({ value }) => value)}
          words={(task) => tasks.find(({ value }) => value === task)?.label ?? task}
          value={taskFor(model, choices)}
          onChoose={(task) => onChange({ task })}
        />
      )}
      {files.video && (
        <CheckField
          label="Keep the video's own sound"
          isOn={choices.keepsSound}
          onChange={(keepsSound) => onChange({ keepsSound })}
        />
      )}
    </>
  );
}

/** Null if the model has no seed. */
export function seedField({ model, choices, onChange }: VideoFieldsProps) {
  if (!model.capabilities.includes("seed")) return null;
  return (
    <TextField
      label="Seed"
      type="number"
      min={0}
      max={MAX_SEED}
      step={1}
      placeholder="Random"
      hint="The same number and prompt give the same video again."
      value={choices.seed}
      onChange={(event) => onChange({ seed: event.target.value })}
    />
  );
}
