import { useId } from "react";

type SegmentsProps<Value extends string> = {
  /** Accessible name of the group. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  onChoose(value: Value): void;
};

/** One of a few choices, all visible. */
export function Segments<Value extends string>({ name, value, choices, onChoose }: SegmentsProps<Value>) {
  const group = useId();
  return (
    <fieldset className="segments" aria-label={name} style={{ margin: 0 }}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={group}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
