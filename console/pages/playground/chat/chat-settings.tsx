import type { EfficiencyLevel, ModelRow } from "../../../../gateway/src/http/console/contract.ts";
import { SelectField, TextArea, TextField } from "../../../parts/field.tsx";
import { number } from "../../../parts/format.ts";

export type ChatChoices = {
  readonly system: string;
  readonly maxTokens: string;
  /** Empty for the organization's default. */
  readonly efficiency: EfficiencyLevel | "";
};

export const NO_CHOICES: ChatChoices = { system: "", maxTokens: "", efficiency: "" };

const LEVELS: readonly { readonly value: ChatChoices["efficiency"]; readonly label: string }[] = [
  { value: "", label: "Organization default" },
  { value: "off", label: "Off: send as written" },
  { value: "safe", label: "Safe: remove noise" },
  { value: "structural", label: "Structural: also remove repetition" },
];

export function ChatSettings(props: {
  readonly model: ModelRow;
  readonly choices: ChatChoices;
  onChange(changes: Partial<ChatChoices>): void;
}) {
  const { choices, onChange } = props;
  const most = props.model.choices.maxOutputTokens;
  return (
    <div className="form">
      <TextArea
        label="System prompt"
        placeholder="How the model should behave, for the whole conversation"
        value={choices.system}
        onChange={(event) => onChange({ system: event.target.value })}
      />
      <TextField
        label="Maximum tokens per answer"
        type="number"
        min={1}
        max={most}
        step={1}
        placeholder={most === undefined ? "" : `Up to ${number(most)}`}
        value={choices.maxTokens}
        onChange={(event) => onChange({ maxTokens: event.target.value })}
      />
      <SelectField
        label="Efficiency"
        hint="Fewer tokens for the same meaning. Each answer says what was saved."
        value={choices.efficiency}
        onChange={(event) => onChange({ efficiency: event.target.value as ChatChoices["efficiency"] })}
      >
        {LEVELS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
