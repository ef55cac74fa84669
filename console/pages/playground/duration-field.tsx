import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { SelectField, TextField } from "../../parts/field.tsx";
import { counted } from "../../parts/format.ts";

type Duration = NonNullable<ModelRow["choices"]["durationSeconds"]>;

/** The wanted duration, limited to what the model supports. */
export function durationFor(limit: Duration | undefined, wanted: string): number | null {
  if (!limit) return null;
  const seconds = Number(wanted);
  if (wanted === "" || !Number.isFinite(seconds)) return limit.usual;
  if (limit.values) return limit.values.includes(seconds) ? seconds : limit.usual;
  return Math.min(limit.max, Math.max(limit.min, seconds));
}

export function DurationField(props: {
  readonly limit: Duration | undefined;
  readonly value: string;
  onChange(value: string): void;
}) {
  const { limit, value, onChange } = props;
  if (!limit) return null;
  if (limit.values) {
    return (
      <SelectField
        label="Length"
        value={String(durationFor(limit, value))}
        onChange={(event) => onChange(event.target.value)}
      >
        {limit.values.map((seconds) => (
          <option key={seconds} value={seconds}>
            {counted(seconds, "second")}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <TextField
      label="Seconds"
      type="number"
      min={limit.min}
      max={limit.max}
      step="any"
      placeholder={String(limit.usual)}
      hint={`${limit.min} to ${limit.max}`}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
