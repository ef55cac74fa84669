import type { ModelRow } from "../../../gateway/src/http/console/contract.ts";
import { SelectField } from "../../parts/field.tsx";

type ModelFieldProps = {
  readonly models: readonly ModelRow[];
  readonly model: ModelRow;
  onChoose(id: string): void;
};

export function ModelField({ models, model, onChoose }: ModelFieldProps) {
  return (
    <SelectField
      label="Model"
      hint={model.price}
      value={model.id}
      onChange={(event) => onChoose(event.target.value)}
    >
      {models.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** One of the values that the model offers; not shown if there is no choice. */
export function ChoiceField(props: {
  readonly label: string;
  readonly known: readonly string[] | undefined;
  readonly value: string;
  /** Labels for the values. */
  words?(value: string): string;
  /** Label for choosing none. */
  readonly none?: string;
  onChoose(value: string): void;
}) {
  const { label, known = [], value, words = (one) => one, none, onChoose } = props;
  if (known.length < (none === undefined ? 2 : 1)) return null;
  return (
    <SelectField label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {known.map((one) => (
        <option key={one} value={one}>
          {words(one)}
        </option>
      ))}
    </SelectField>
  );
}
